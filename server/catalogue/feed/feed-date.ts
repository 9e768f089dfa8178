import { addDays, daysInMonth, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { arabicDigits } from '#contract/thai/thai-letters.ts'

/** Parses dates as sources write them, including dates mangled by spreadsheets. */

/** `past`: announcement or signature. `deadline`: last day for bids. `end`: end of a contract. */
export type DateRole = 'past' | 'deadline' | 'end'
export type ReadDate = {
  /** ISO day, Bangkok time. */
  readonly day: string
  /** `HH:mm`, Bangkok time; undefined for midnight and for the last second of a day, which both mean the whole day. */
  readonly time?: string | undefined
  /**
   * `repaired`: a spreadsheet changed the calendar, century or format. `utc`: the end of a UTC day, treated as the end
   * of the same day in Bangkok.
   */
  readonly note?: 'repaired' | 'utc' | undefined
}
export type DateProblem = 'unreadable' | 'impossible'

const ENGLISH_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const plainWord = (text: string) => text.replace(/[.\s/-]/g, '').toLowerCase()
const MONTH_NUMBERS = new Map([
  ...THAI_MONTHS.flatMap(({ short, full }, index) => [
    [plainWord(short), index + 1] as const,
    [full, index + 1] as const,
  ]),
  ...ENGLISH_MONTHS.flatMap((month, index) => [
    [month, index + 1] as const,
    [month.slice(0, 3), index + 1] as const,
    [month.slice(0, 4), index + 1] as const,
  ]),
])
const two = (number: number) => (number < 10 ? `0${number}` : String(number))

function isoDay(year: number, month: number, day: number): string | undefined {
  if (year < 1000 || year > 9999 || month < 1 || month > 12 || day < 1) return undefined
  if (day > 28 && day > daysInMonth(year, month)) return undefined
  return `${year}-${two(month)}-${two(day)}`
}

/** e-GP started after 2000; contracts, including concessions, end at most 30 years ahead. */
const FIRST_YEAR = 2000
const DAYS_AHEAD: Readonly<Record<DateRole, number>> = { past: 92, deadline: 3 * 366, end: 30 * 366 }
/** A reading that alters the written value must be likely, not only possible, so its range is narrower. */
const FIRST_REPAIRED_YEAR = 2010
const REPAIRED_DAYS_AHEAD: Readonly<Record<DateRole, number>> = { past: 1, deadline: 366, end: 3 * 366 }
/** Day 0 of Unix time and of spreadsheets: no real date. */
const ZERO_DAYS = new Set(['1970-01-01', '1900-01-01', '1899-12-30', '1899-12-31'])

function isPossible({ day, isRepaired }: Candidate, range: DateRole, now: Date): boolean {
  if (day === undefined) return false
  const last = dayAhead(now, (isRepaired ? REPAIRED_DAYS_AHEAD : DAYS_AHEAD)[range])
  return Number(day.slice(0, 4)) >= (isRepaired ? FIRST_REPAIRED_YEAR : FIRST_YEAR) && day <= last
}

const DAY_MS = 86_400_000
/** Cached, because a year of contracts needs four million lookups. */
let daysAhead = { today: 0, byNumber: new Map<number, string>() }

function dayAhead(now: Date, days: number): string {
  const today = Math.floor(now.getTime() / DAY_MS)
  if (daysAhead.today !== today) daysAhead = { today, byNumber: new Map() }
  let day = daysAhead.byNumber.get(days)
  if (day === undefined) {
    day = new Date((today + days) * DAY_MS).toISOString().slice(0, 10)
    daysAhead.byNumber.set(days, day)
  }
  return day
}

const WHOLE_DAY = 24 * 60
const BANGKOK_MINUTES = 7 * 60

type Clock = { readonly minutes: number; readonly isLastSecond: boolean; readonly zone: number | undefined }

const CLOCK =
  /(?:t|\s|,|เวลา){1,9}(\d{1,2})[:.](\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(am|pm|น\.?)?\s?(z|gmt|utc|[+-]\d\d:?\d\d)?$/i

function splitClock(text: string): { readonly date: string; readonly clock: Clock | undefined } | undefined {
  const found = CLOCK.exec(text)
  if (found === null) return { date: text, clock: undefined }
  const [, hours = '', minutes = '', seconds = '0', half = '', zone] = found
  let hour = Number(hours)
  if (/pm/i.test(half) && hour < 12) hour += 12
  if (/am/i.test(half) && hour === 12) hour = 0
  const total = hour * 60 + Number(minutes)
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 59 || total > WHOLE_DAY) return undefined
  return {
    date: text.slice(0, found.index).trim(),
    clock: {
      minutes: total,
      isLastSecond: total === WHOLE_DAY || (total === WHOLE_DAY - 1 && Number(seconds) === 59),
      zone: zone === undefined ? undefined : zoneMinutes(zone),
    },
  }
}

function zoneMinutes(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  return (zone.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)))
}

type Candidate = { readonly day: string | undefined; readonly isRepaired: boolean }

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/
const DIGITS = /^(\d{4})(\d\d)(\d\d)$/
const WORDS =
  /^(?:(?:วัน)?[ก-๛a-z]{2,12},?\s)?(?:วันที่\s?)?(\d{1,2})[\s./-]{0,3}([ก-ฮa-z][^\d]{1,20}?)(?:พ\.?\s?ศ\.?\s?)?(\d{4}|\d{2})$/i
/** Days since 1899-12-30, as in spreadsheets; Buddhist years have six digits. */
const SERIAL = /^(\d{5,6})(?:\.\d{1,12})?$/
const SERIAL_ZERO = '1899-12-30'
const MAX_SERIAL = 260_000

/** Returns possible readings of a date, likeliest first; empty when the text does not look like a date. */
function candidates(text: string): readonly Candidate[] {
  const ymd = YEAR_FIRST.exec(text) ?? DIGITS.exec(text)
  if (ymd !== null) return ofYear(ymd[1]!, Number(ymd[2]), Number(ymd[3]))
  const dmy = DAY_FIRST.exec(text)
  if (dmy !== null) {
    const [day, month] = [Number(dmy[1]), Number(dmy[2])]
    // A month above 12 must be the day of an American date.
    if (month > 12 && day <= 12)
      return ofYear(dmy[3]!, day, month).map((candidate) => ({ ...candidate, isRepaired: true }))
    return ofYear(dmy[3]!, month, day)
  }
  const words = WORDS.exec(text)
  const month = words === null ? undefined : MONTH_NUMBERS.get(plainWord(words[2]!))
  if (words !== null && month !== undefined) return ofYear(words[3]!, month, Number(words[1]))
  const serial = SERIAL.exec(text)
  if (serial === null || Number(serial[1]) > MAX_SERIAL) return []
  const [year = '', ...rest] = addDays(SERIAL_ZERO, Number(serial[1])).split('-')
  return ofYear(year, Number(rest[0]), Number(rest[1])).map((candidate) => ({ ...candidate, isRepaired: true }))
}

/**
 * Four digits from 2400 are Buddhist (1857 CE, before any contract here). Two digits are read as Buddhist first, as
 * e-GP writes them ("7 ก.พ. 68"). A spreadsheet turns 68 into 1968 or 2068, and 25 may mean 2025.
 */
function ofYear(year: string, month: number, day: number): Candidate[] {
  const number = Number(year)
  const at = (value: number, isRepaired: boolean): Candidate => ({ day: isoDay(value, month, day), isRepaired })
  if (year.length === 2) return [at(number + 2500 - 543, false), at(number + 2000, true)]
  if (number >= 2400) return [at(number - 543, false)]
  return [at(number, false), ...(number >= 1900 && number < 2100 ? [at((number % 100) + 2500 - 543, true)] : [])]
}

const PLAIN_DAY = /^(20\d\d)-(\d\d)-(\d\d)$/

export function readFeedDate(text: string, range: DateRole, now = new Date()): ReadDate | DateProblem {
  // Fast path: nearly every date of the contract file has this form.
  const plain = PLAIN_DAY.exec(text)
  if (plain !== null) {
    const day = isoDay(Number(plain[1]), Number(plain[2]), Number(plain[3]))
    if (day !== undefined && isPossible({ day, isRepaired: false }, range, now)) return { day }
  }
  const split = splitClock(arabicDigits(text).trim())
  if (split === undefined) return 'impossible'
  const readings = candidates(split.date)
  if (readings.length === 0) return 'unreadable'
  if (readings[0]!.day !== undefined && ZERO_DAYS.has(readings[0]!.day)) return 'impossible'
  const found = readings.find((reading) => isPossible(reading, range, now))
  if (found === undefined) return 'impossible'
  const read = inBangkok(found.day!, split.clock)
  return found.isRepaired ? { ...read, note: 'repaired' } : read
}

function inBangkok(day: string, clock: Clock | undefined): ReadDate {
  if (clock === undefined) return { day }
  const { minutes, isLastSecond, zone } = clock
  // Midnight UTC and the last second of a day both mean a day without a time.
  if (zone === 0 && minutes === 0) return { day }
  if (isLastSecond) return zone === 0 ? { day, note: 'utc' } : { day }
  if (zone === 0 && minutes === WHOLE_DAY - 1) return { day, note: 'utc' }
  const shifted = zone === undefined ? minutes : minutes - zone + BANGKOK_MINUTES
  const days = Math.floor(shifted / WHOLE_DAY)
  const left = shifted - days * WHOLE_DAY
  const moved = addDays(day, days)
  return left === 0 ? { day: moved } : { day: moved, time: `${two(Math.floor(left / 60))}:${two(left % 60)}` }
}

/**
 * Parses a date in any form except a spreadsheet serial number. Returns an ISO day between 1950 and 2150, or undefined.
 */
export function parseFeedDate(text: string): string | undefined {
  const split = splitClock(arabicDigits(text).trim())
  if (split === undefined || SERIAL.test(split.date)) return undefined
  const day = candidates(split.date)[0]?.day
  if (day === undefined || day < '1950' || day > '2151') return undefined
  return inBangkok(day, split.clock).day
}
