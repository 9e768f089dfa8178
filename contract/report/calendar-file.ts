import { stripDirectionMarks } from '../direction-marks.ts'
import { addDays } from '../thai/thai-date.ts'

/** One event of a calendar file. Days and times are Bangkok's. */
export type CalendarEvent = {
  /** The same for every file of the same event: a later file then moves the event instead of adding a second. */
  readonly uid: string
  readonly summary: string
  readonly description: string
  readonly url: string
  /** ISO date. */
  readonly day: string
  /** `HH:mm`; without it the event takes the whole day. */
  readonly time?: { readonly from: string; readonly to: string } | undefined
  /** When the file is made. */
  readonly now: Date
  /** Called off: it says so in its title, because Outlook shows no status, and reminds of nothing. */
  readonly isCancelled?: boolean | undefined
}

/** RFC 5545, 3.1: a line is at most 75 octets long, without its end. */
const LINE_OCTETS = 75
const encoder = new TextEncoder()
const octets = (text: string) => encoder.encode(text).length

/**
 * Folds a line after at most 75 octets. It breaks between letters, never inside one and never before the vowels and tone marks that stand
 * on a Thai letter: some calendars draw what they read line by line.
 */
export function foldLine(line: string): string {
  const lines: string[] = []
  let part = ''
  let length = 0
  const take = (piece: string) => {
    const size = octets(piece)
    if (length + size > LINE_OCTETS) {
      lines.push(part)
      // The blank that marks a continuation counts too.
      part = ' '
      length = 1
    }
    part += piece
    length += size
  }
  for (const [letter] of line.matchAll(/[^\p{M}]\p{M}*|\p{M}+/gsu)) {
    if (octets(letter) < LINE_OCTETS) take(letter)
    // More marks than a line holds: no writing has them, but text from outside may.
    else for (const point of letter) take(point)
  }
  return [...lines, part].join('\r\n')
}

/** RFC 5545, 3.3.11. Other control characters than the end of a line are not allowed in a value. */
const escapeText = (text: string) =>
  stripDirectionMarks(text)
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be written
    .replace(/[\u0000-\u0009\u000B-\u001F\u007F]/g, ' ')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n')

const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')
const utc = (date: Date) => compact(date.toISOString())
/** Bangkok is UTC+7 all year, so an instant needs no table of zones. */
const utcTime = (day: string, time: string) => `:${utc(new Date(`${day}T${time}:00+07:00`))}`
/** The same as its wall clock shows it. Calendars that list a subscription by zone name it so. */
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

/** A deadline keeps nobody from a meeting. Outlook reads no TRANSP (MS-STANOICAL, 2.1.3.1.1.20.31). */
const FREE = ['TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE']

function timesOf({ day, time }: EventTimes, say = utcTime): string[] {
  const span = time
    ? [`DTSTART${say(day, time.from)}`, `DTEND${say(day, time.to)}`]
    : [`DTSTART;VALUE=DATE:${compact(day)}`, `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`]
  return [...span, ...FREE]
}

/**
 * A calendar file (RFC 5545) of one event with a reminder the day before: at the same time, or at nine in the morning for a whole day. The file of a
 * cancelled event replaces the one saved before.
 */
export function calendarFile(event: CalendarEvent): string {
  const title = titleOf(event.summary, event.isCancelled)
  const reminder = [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${title}`,
    // A whole day starts at midnight, when nobody looks: 15 hours before is nine in the morning of the day before.
    `TRIGGER:${event.time ? '-P1D' : '-PT15H'}`,
    'END:VALARM',
  ]
  const lines = [
    ...HEAD,
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.now)}`,
    // Calendars take over a change only from a higher number; minutes grow by themselves and fit its 31 bits.
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

/** An event of a calendar that is fetched again and again. */
export type SubscribedEvent = Omit<CalendarEvent, 'now' | 'isCancelled'> & {
  /** Grows when anything of it changes, and when that was. Equal content is equal text, so that nothing is fetched twice. */
  readonly sequence: number
  readonly changedAt: Date
  /** `TENTATIVE`: worked out, not published. */
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
}

/** How often calendars are asked to look again (RFC 7986); many look when they like. */
const REFRESH = 'PT6H'

/** A calendar to subscribe to (RFC 5545, 7986): its events at the wall clock of Bangkok, without reminders, which the reader's calendar sets. */
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
