import { z } from 'zod/mini'
import { CALENDAR_SOURCES } from './calendar.ts'

/** Calendars, and projects of a saved filter, that a user's programs fetch by a secret address. */

/** Most of one user: one for each device and each saved filter that matters. */
export const MOST_CALENDAR_FEEDS = 10

const sources = [...CALENDAR_SOURCES.map(({ code }) => code), 'filter', 'view'] as const

/** Days as iCalendar; of a saved filter also its projects, for feed readers (Atom, RFC 4287) and spreadsheets (CSV, RFC 4180). */
export const CALENDAR_FEED_FORMATS = [
  { code: 'ics', th: 'ปฏิทิน (ICS)' },
  { code: 'atom', th: 'ฟีดข่าว (Atom)' },
  { code: 'csv', th: 'ตาราง Excel (CSV)' },
] as const
export type CalendarFeedFormat = (typeof CALENDAR_FEED_FORMATS)[number]['code']
const formats = ['ics', 'atom', 'csv'] as const satisfies readonly CalendarFeedFormat[]

/** Most projects of an address, the newest or first ones: a reader shows the last days, a spreadsheet works with all. */
export const MOST_FED_PROJECTS = { atom: 100, csv: 5_000 } as const

const calendarFeedSchema = z.object({
  id: z.number(),
  source: z.enum(sources),
  format: z.enum(formats),
  /** Name of the saved filter, or of the view of the team while it is shared. */
  name: z.nullable(z.string()),
  /** Of a view: whose filter it is. */
  owner_name: z.optional(z.nullable(z.string())),
  /** Of a view: it is shared no more, and the address answers nobody until it is again. */
  is_over: z.optional(z.boolean()),
  created_at: z.string(),
  /** When a program fetched it last, to the hour; null: never. UTC ISO. */
  fetched_at: z.nullable(z.string()),
})
export type CalendarFeed = z.output<typeof calendarFeedSchema>

/** `GET /calendar-feeds`, the newest first. The addresses are told once, when they are made. */
export const calendarFeedsSchema = z.object({ feeds: z.array(calendarFeedSchema), most: z.number() })

/** `POST /calendar-feeds`. */
export const newCalendarFeedSchema = z.object({
  source: z.enum(sources),
  /** With the sources `filter` and `view`: its id. */
  filter_id: z.optional(z.string().check(z.maxLength(120))),
  /** With the source `view`: number of the colleague who shares it. */
  owner: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999))),
  /** Without it `ics`; any other goes with the sources `filter` and `view` alone. */
  format: z.optional(z.enum(formats)),
})
export type NewCalendarFeed = z.output<typeof newCalendarFeedSchema>

/** Its answer: whoever has the address sees what it holds. */
export const madeCalendarFeedSchema = z.object({ url: z.string() })
