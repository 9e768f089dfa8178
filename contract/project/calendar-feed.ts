import { z } from 'zod/mini'
import { CALENDAR_SOURCES } from './calendar.ts'

/** Calendars that a user's calendar program fetches by a secret address. */

/** Most of one user: one for each device and each saved filter that matters. */
export const MOST_CALENDAR_FEEDS = 10

const sources = [...CALENDAR_SOURCES.map(({ code }) => code), 'filter'] as const

const calendarFeedSchema = z.object({
  id: z.number(),
  source: z.enum(sources),
  /** The saved filter's name. */
  name: z.nullable(z.string()),
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
  /** With the source `filter`: its id. */
  filter_id: z.optional(z.string().check(z.maxLength(100))),
})
export type NewCalendarFeed = z.output<typeof newCalendarFeedSchema>

/** Its answer: whoever has the address sees the calendar. */
export const madeCalendarFeedSchema = z.object({ url: z.string() })
