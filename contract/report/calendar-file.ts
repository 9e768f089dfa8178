import { stripDirectionMarks } from '../direction-marks.ts'
import { addDays } from '../thai/thai-date.ts'

/** One event of a calendar file. Days and times are in Bangkok time. */
export type CalendarFileEvent = {
  /**
   * Identifies the event: every file of the same event has the same value, so that a later file moves the event instead
   * of adding a second one.
   */
  readonly uid: string
  readonly summary: string
  readonly description: string
  readonly url: string
  readonly day: string
  /** Start and end as `HH:mm`; absent for an all-day event. */
  readonly time?: { readonly from: string; readonly to: string } | undefined
  readonly now: Date
  /**
   * If true, the title says that the event is cancelled, because Outlook shows no status, and the reminder is omitted.
   */
  readonly isCancelled?: boolean | undefined
}

/** RFC 5545, 3.1: a line is at most 75 octets long, without its line break. */
const MAX_LINE_OCTETS = 75
const encoder = new TextEncoder()
const octets = (text: string) => encoder.encode(text).length

/**
 * Folds a line after at most 75 octets. Never breaks between a letter and its Thai vowels and tone marks, because some
 * calendars render line by line.
 */
export function foldCalendarLine(line: string): string {
  const lines: string[] = []
  let current = ''
  let length = 0
  const append = (piece: string) => {
    const size = octets(piece)
    if (length + size > MAX_LINE_OCTETS) {
      lines.push(current)
      // The leading space of a continuation line counts towards the 75 octets.
      current = ' '
      length = 1
    }
    current += piece
    length += size
  }
  for (const [letter] of line.matchAll(/[^\p{M}]\p{M}*|\p{M}+/gsu)) {
    if (octets(letter) < MAX_LINE_OCTETS) append(letter)
    // A letter with more marks than fit on a line does not occur in real text, but may occur in external input.
    else for (const point of letter) append(point)
  }
  return [...lines, current].join('\r\n')
}

/**
 * Escapes a text value (RFC 5545, 3.3.11). Line breaks are the only control characters that the format allows in a
 * value.
 */
const escapeText = (text: string) =>
  stripDirectionMarks(text)
    .replace(/\r\n?/g, '\n')
    // The class Cc also contains the C1 controls U+0080 to U+009F, which RFC 5545 allows, so they are excluded here.
    .replace(/(?![\n\u0080-\u009F])\p{Cc}/gu, ' ')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n')

const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')
const utc = (date: Date) => compact(date.toISOString())
/** Formats a Bangkok time in UTC. Bangkok is UTC+7 all year, so the file needs no time zone table. */
const utcTime = (day: string, time: string) => `:${utc(new Date(`${day}T${time}:00+07:00`))}`
/** Formats a Bangkok wall-clock time. Calendars that show the time zone of a subscription display its name. */
const bangkokTime = (day: string, time: string) => `;TZID=${TIME_ZONE}:${compact(day)}T${compact(time)}00`

const TIME_ZONE = 'Asia/Bangkok'
const BANGKOK_TIME_ZONE = [
  'BEGIN:VTIMEZONE',
  `TZID:${TIME_ZONE}`,
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0700',
  'TZOFFSETTO:+0700',
  'TZNAME:+07',
  'END:STANDARD',
  'END:VTIMEZONE',
]
const CALENDAR_HEADER = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//tamngan//deadlines//TH',
  'CALSCALE:GREGORIAN',
  'METHOD:PUBLISH',
]
const joinLines = (lines: readonly string[]) => lines.map((line) => `${foldCalendarLine(line)}\r\n`).join('')

const titleOf = (summary: string, isCancelled: boolean | undefined) =>
  escapeText(isCancelled ? `ยกเลิก: ${summary}` : summary)

type EventTimes = Pick<CalendarFileEvent, 'day' | 'time'>

/**
 * A deadline must not mark the user as busy. Outlook ignores TRANSP (MS-STANOICAL, 2.1.3.1.1.20.31), so Microsoft's
 * property is set as well.
 */
const SHOW_AS_FREE = ['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE']

function timeLines({ day, time }: EventTimes, formatTime = utcTime): string[] {
  const span = time
    ? [`DTSTART${formatTime(day, time.from)}`, `DTEND${formatTime(day, time.to)}`]
    : [`DTSTART;VALUE=DATE:${compact(day)}`, `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`]
  return [...span, ...SHOW_AS_FREE]
}

/**
 * Builds a calendar file (RFC 5545) for one event. The reminder is one day before at the same time, or at 9:00 the day
 * before for an all-day event. The file of a cancelled event replaces the saved one.
 */
export function buildCalendarFile(event: CalendarFileEvent): string {
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
    ...CALENDAR_HEADER,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.now)}`,
    // Must be higher than before; minutes since the epoch always increase and fit into 31 bits.
    `SEQUENCE:${Math.floor(event.now.getTime() / 60_000)}`,
    ...(event.isCancelled ? ['STATUS:CANCELLED'] : []),
    ...timeLines(event),
    `SUMMARY:${title}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `URL:${event.url}`,
    ...(event.isCancelled ? [] : reminder),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return joinLines(lines)
}

export type SubscribedCalendarEvent = Omit<CalendarFileEvent, 'now' | 'isCancelled'> & {
  /**
   * Must increase with each change; `changedAt` is the time of the change. Equal content gives equal text, so that
   * unchanged feeds are not downloaded again.
   */
  readonly sequence: number
  readonly changedAt: Date
  /** `TENTATIVE` marks computed dates that e-GP has not published. */
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
}

/** Suggested refresh interval (RFC 7986); many calendars ignore it. */
const REFRESH_INTERVAL = 'PT6H'

/**
 * Builds a subscribable calendar (RFC 5545, 7986) in Bangkok wall-clock time. Contains no reminders, because users set
 * those for the whole subscription in their calendar.
 */
export function buildSubscribedCalendar(name: string, events: readonly SubscribedCalendarEvent[]): string {
  return joinLines([
    ...CALENDAR_HEADER,
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `X-WR-TIMEZONE:${TIME_ZONE}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH_INTERVAL}`,
    `X-PUBLISHED-TTL:${REFRESH_INTERVAL}`,
    ...BANGKOK_TIME_ZONE,
    ...events.flatMap((event) => [
      'BEGIN:VEVENT',
      `UID:${event.uid}`,
      `DTSTAMP:${utc(event.changedAt)}`,
      `LAST-MODIFIED:${utc(event.changedAt)}`,
      `SEQUENCE:${event.sequence}`,
      `STATUS:${event.status}`,
      ...timeLines(event, bangkokTime),
      `SUMMARY:${titleOf(event.summary, event.status === 'CANCELLED')}`,
      `DESCRIPTION:${escapeText(event.description)}`,
      `URL:${event.url}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ])
}
