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
  text
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be written
    .replace(/[\u0000-\u0009\u000B-\u001F\u007F]/g, ' ')
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replaceAll('\n', '\\n')

const compact = (iso: string) => iso.replace(/[-:]|\.\d+/g, '')
const utc = (date: Date) => compact(date.toISOString())
/** Bangkok is UTC+7 all year, so an instant needs no table of zones. */
const instant = (day: string, time: string) => utc(new Date(`${day}T${time}:00+07:00`))

function timesOf({ day, time }: CalendarEvent): string[] {
  if (!time) {
    return [
      `DTSTART;VALUE=DATE:${compact(day)}`,
      `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`,
      // A day with a deadline is not a day away.
      'TRANSP:TRANSPARENT',
    ]
  }
  return [`DTSTART:${instant(day, time.from)}`, `DTEND:${instant(day, time.to)}`]
}

/** A calendar file (RFC 5545) of one event with a reminder the day before: at the same time, or at nine in the morning for a whole day. */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//tamngan//deadlines//TH',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.now)}`,
    // Calendars take over a change only from a higher number; minutes grow by themselves and fit its 31 bits.
    `SEQUENCE:${Math.floor(event.now.getTime() / 60_000)}`,
    ...timesOf(event),
    `SUMMARY:${escapeText(event.summary)}`,
    `DESCRIPTION:${escapeText(event.description)}`,
    `URL:${event.url}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(event.summary)}`,
    // A whole day starts at midnight, when nobody looks: 15 hours before is nine in the morning of the day before.
    `TRIGGER:${event.time ? '-P1D' : '-PT15H'}`,
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}
