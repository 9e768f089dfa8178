import { z } from 'zod/mini'
import { CALENDAR_SOURCES } from './calendar-params.ts'

/**
 * Limits, requests and responses of calendar feeds, which serve dates and projects of a saved filter to a user's
 * programs at a secret URL.
 */

export const MAX_CALENDAR_FEEDS = 10

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
const formats = CALENDAR_FEED_FORMATS.map(({ code }) => code)

/**
 * Maximum projects per feed, newest first (Atom) or in filter order (CSV): feed readers show only recent entries,
 * spreadsheets need all rows.
 */
export const MAX_FEED_PROJECTS = { atom: 100, csv: 5_000 } as const

const calendarFeedSchema = z.object({
  id: z.number(),
  source: z.enum(sources),
  format: z.enum(formats),
  name: z.nullable(z.string()),
  owner_name: z.optional(z.nullable(z.string())),
  /** True for a feed of a team view that is no longer shared; its URL is disabled until the view is shared again. */
  is_over: z.optional(z.boolean()),
  created_at: z.string(),
  /** Time of the last download, rounded to the hour, UTC ISO; null means never. */
  fetched_at: z.nullable(z.string()),
})
export type CalendarFeed = z.output<typeof calendarFeedSchema>

/** `GET /calendar-feeds`, newest first. Omits the secret URLs, which are shown only at creation. */
export const calendarFeedsSchema = z.object({ feeds: z.array(calendarFeedSchema), most: z.number() })

export const newCalendarFeedSchema = z.object({
  source: z.enum(sources),
  filter_id: z.optional(z.string().check(z.maxLength(120))),
  owner: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(999_999_999))),
  format: z.optional(z.enum(formats)),
})
export type NewCalendarFeed = z.output<typeof newCalendarFeedSchema>

/** Response to the creation of a feed. Anyone with the URL can read the feed. */
export const createdCalendarFeedSchema = z.object({ url: z.string() })
