import { z } from 'zod/mini'
import { CALENDAR_SOURCES } from './calendar.ts'

/** Calendars, and projects of a saved filter, at a secret address for a user's programs. */

/** Limit per user: one for each device and each important saved filter. */
export const MOST_CALENDAR_FEEDS = 10

const sources = [...CALENDAR_SOURCES.map(({ code }) => code), 'filter', 'view'] as const

/**
 * Dates as iCalendar; saved filters also as projects for feed readers (Atom, RFC 4287) and spreadsheets (CSV, RFC
 * 4180).
 */
export const CALENDAR_FEED_FORMATS = [
  { code: 'ics', th: 'ปฏิทิน (ICS)' },
  { code: 'atom', th: 'ฟีดข่าว (Atom)' },
  { code: 'csv', th: 'ตาราง Excel (CSV)' },
] as const
export type CalendarFeedFormat = (typeof CALENDAR_FEED_FORMATS)[number]['code']
const formats = ['ics', 'atom', 'csv'] as const satisfies readonly CalendarFeedFormat[]

/** Projects per address, newest or first: feed readers show the last days, spreadsheets need all. */
export const MOST_FED_PROJECTS = { atom: 100, csv: 5_000 } as const

const calendarFeedSchema = z.object({
  id: z.number(),
  source: z.enum(sources),
  format: z.enum(formats),
  /** Name of the saved filter, or of the team view while it is shared. */
  name: z.nullable(z.string()),
  owner_name: z.optional(z.nullable(z.string())),
  /** For a view: no longer shared, so the address is disabled until it is shared again. */
  is_over: z.optional(z.boolean()),
  created_at: z.string(),
  /** Last download, accurate to the hour; null: never. UTC ISO. */
  fetched_at: z.nullable(z.string()),
})
export type CalendarFeed = z.output<typeof calendarFeedSchema>

/** `GET /calendar-feeds`, newest first, without the addresses, which are shown only at creation. */
export const calendarFeedsSchema = z.object({ feeds: z.array(calendarFeedSchema), most: z.number() })

export const newCalendarFeedSchema = z.object({
  source: z.enum(sources),
  filter_id: z.optional(z.string().check(z.maxLength(120))),
  /** For the source `view`: user id of the colleague who shares it. */
  owner: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999))),
  /** Default `ics`; other formats require the source `filter` or `view`. */
  format: z.optional(z.enum(formats)),
})
export type NewCalendarFeed = z.output<typeof newCalendarFeedSchema>

/** Response to the creation. Anyone with the address can read its content. */
export const madeCalendarFeedSchema = z.object({ url: z.string() })
