import { stripDirectionMarks } from '../direction-marks.ts'
import { addDays } from '../thai/thai-date.ts'

/** One event of a calendar file. Days and times are Bangkok's. */
export type CalendarEvent = {
  /** Identical in every file of the same event, so that a later file moves the event instead of adding a second one. */
  readonly uid: string
  readonly summary: string
  readonly description: string
  readonly url: string
  readonly day: string
  /** `HH:mm`; absent for an all-day event. */
  readonly time?: { readonly from: string; readonly to: string } | undefined
  readonly now: Date
  /** Adds the cancellation to the title, because Outlook shows no status, and omits the reminder. */
  readonly isCancelled?: boolean | undefined
}

/** RFC 5545, 3.1: a line is at most 75 octets long, without its line break. */
const LINE_OCTETS = 75
const encoder = new TextEncoder()
const octets = (text: string) => encoder.encode(text).length

/**
 * Folds a line after at most 75 octets. Breaks between characters and never before Thai vowels and tone marks of a
 * letter, because some calendars render line by line.
 */
export function foldLine(line: string): string {
  const lines: string[] = []
  let part = ''
  let length = 0
  const take = (piece: string) => {
    const size = octets(piece)
    if (length + size > LINE_OCTETS) {
      lines.push(part)
      // The space that marks a continuation line counts too.
      part = ' '
      length = 1
    }
    part += piece
    length += size
  }
  for (const [letter] of line.matchAll(/[^\p{M}]\p{M}*|\p{M}+/gsu)) {
    if (octets(letter) < LINE_OCTETS) take(letter)
    // More marks than fit on a line: not real text, but possible in external input.
    else for (const point of letter) take(point)
  }
  return [...lines, part].join('\r\n')
}

/** RFC 5545, 3.3.11. Line breaks are the only control characters allowed in a value. */
const escapeText = (text: string) =>
  stripDirectionMarks(text)
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be written
    .replace(/[\u0000-\u0009\u000B-\u001F\u007F]/g, ' ')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n')

const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')
const utc = (date: Date) => compact(date.toISOString())
/** Bangkok is UTC+7 all year, so UTC needs no time zone table. */
const utcTime = (day: string, time: string) => `:${utc(new Date(`${day}T${time}:00+07:00`))}`
/** Bangkok wall-clock time. Calendars that show the time zone of a subscription display this name. */
const bangkokTime = (day: string, time: string) => `;TZID=${ZONE}:${compact(day)}T${compact(time)}00`

const ZONE = 'Asia/Bangkok'
const BANGKOK = [
  'BEGIN:VTIMEZONE',
  `TZID:${ZONE}`,
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0700',
  'TZOFFSETTO:+0700',
  'TZNAME:+07',
  'END:STANDARD',
  'END:VTIMEZONE',
]
const HEAD = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//tamngan//deadlines//TH',
  'CALSCALE:GREGORIAN',
  'METHOD:PUBLISH',
]
const written = (lines: readonly string[]) => lines.map((line) => `${foldLine(line)}\r\n`).join('')

const titleOf = (summary: string, isCancelled: boolean | undefined) =>
  escapeText(isCancelled ? `ยกเลิก: ${summary}` : summary)

type EventTimes = Pick<CalendarEvent, 'day' | 'time'>

/** A deadline must not mark the user as busy. Outlook ignores TRANSP (MS-STANOICAL, 2.1.3.1.1.20.31). */
const FREE = ['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE']

function timesOf({ day, time }: EventTimes, say = utcTime): string[] {
  const span = time
    ? [`DTSTART${say(day, time.from)}`, `DTEND${say(day, time.to)}`]
    : [`DTSTART;VALUE=DATE:${compact(day)}`, `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`]
  return [...span, ...FREE]
}

/**
 * Builds a calendar file (RFC 5545) of one event with a reminder the day before, at the same time, or at 9:00 for an
 * all-day event. The file of a cancelled event replaces the saved one.
 */
export function calendarFile(event: CalendarEvent): string {
  const title = titleOf(event.summary, event.isCancelled)
  const reminder = [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${title}`,
    // An all-day event starts at midnight; 15 hours earlier is 9:00 on the previous day.
    `TRIGGER:${event.time ? '-P1D' : '-PT15H'}`,
    'END:VALARM',
  ]
  const lines = [
    ...HEAD,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.now)}`,
    // Calendars apply a change only with a higher number; minutes increase automatically and fit into 31 bits.
    `SEQUENCE:${Math.floor(event.now.getTime() / 60_000)}`,
    ...(event.isCancelled ? ['STATUS:CANCELLED'] : []),
    ...timesOf(event),
    `SUMMARY:${title}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `URL:${event.url}`,
    ...(event.isCancelled ? [] : reminder),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return written(lines)
}

export type SubscribedEvent = Omit<CalendarEvent, 'now' | 'isCancelled'> & {
  /**
   * Increases with each change, at `changedAt`. Equal content gives equal text, so that nothing is downloaded twice.
   */
  readonly sequence: number
  readonly changedAt: Date
  /** `TENTATIVE`: calculated, not published. */
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
}

/** Suggested refresh interval (RFC 7986); many calendars ignore it. */
const REFRESH = 'PT6H'

/**
 * Builds a calendar to subscribe to (RFC 5545, 7986): Bangkok wall-clock times, no reminders, which the subscriber's
 * calendar sets.
 */
export function subscribedCalendar(name: string, events: readonly SubscribedEvent[]): string {
  return written([
    ...HEAD,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${ZONE}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...BANGKOK,
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      `DTSTAMP:${utc(event.changedAt)}`,
      `LAST-MODIFIED:${utc(event.changedAt)}`,
      `SEQUENCE:${event.sequence}`,
      `STATUS:${event.status}`,
      ...timesOf(event, bangkokTime),
      `SUMMARY:${titleOf(event.summary, event.status === 'CANCELLED')}`,
      `DESCRIPTION:${escapeText(event.description)}`,
      `URL:${event.url}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ])
}
