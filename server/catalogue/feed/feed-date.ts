import { addDays, getDaysInMonth, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { toArabicDigits } from '#contract/thai/thai-letters.ts'

/** `past`: announcement or signature. `deadline`: last day for bids. `end`: end of a contract. */
export type FeedDateRole = 'past' | 'deadline' | 'end'
export type ParsedFeedDate = {
  readonly day: string
  /** `HH:mm`, Bangkok time; undefined for midnight and for the last second of a day, which both mean the whole day. */
  readonly time?: string | undefined
  /**
   * `repaired`: a spreadsheet changed the calendar, century or format. `utc`: the end of a UTC day, treated as the end
   * of the same day in Bangkok.
   */
  readonly note?: 'repaired' | 'utc' | undefined
}
export type FeedDateProblem = 'unreadable' | 'impossible'

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
    // Colloquial month names omit the last syllable: กุมภา.
    [full.replace(/(?:คม|ยน|พันธ์)$/, ''), index + 1] as const,
    [full.replace('พันธ์', 'พัน'), index + 1] as const,
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
  if (day > 28 && day > getDaysInMonth(year, month)) return undefined
  return `${year}-${two(month)}-${two(day)}`
}

/** e-GP started after 2000; contracts, including concessions, end at most 30 years ahead. */
const MIN_YEAR = 2000
const MAX_DAYS_AHEAD: Readonly<Record<FeedDateRole, number>> = { past: 92, deadline: 3 * 366, end: 30 * 366 }
/**
 * The first plausible year of a repaired date. A reading that alters the written value must be likely, not only
 * possible, so its range is narrower.
 */
const MIN_REPAIRED_YEAR = 2010
const MAX_REPAIRED_DAYS_AHEAD: Readonly<Record<FeedDateRole, number>> = { past: 1, deadline: 366, end: 3 * 366 }
/** Day 0 of Unix time and of spreadsheets: not a real date, so it is rejected as impossible. */
const ZERO_DAYS = new Set(['1970-01-01', '1900-01-01', '1899-12-30', '1899-12-31'])

function isPossible({ day, isRepaired }: Candidate, range: FeedDateRole, now: Date): boolean {
  if (day === undefined) return false
  const lastDay = dayAhead(now, (isRepaired ? MAX_REPAIRED_DAYS_AHEAD : MAX_DAYS_AHEAD)[range])
  return Number(day.slice(0, 4)) >= (isRepaired ? MIN_REPAIRED_YEAR : MIN_YEAR) && day <= lastDay
}

const DAY_MS = 86_400_000
/** Dates by number of days ahead of today, cached because a year of contracts needs four million lookups. */
let dayCache = { today: 0, byNumber: new Map<number, string>() }

function dayAhead(now: Date, days: number): string {
  const today = Math.floor(now.getTime() / DAY_MS)
  if (dayCache.today !== today) dayCache = { today, byNumber: new Map() }
  let day = dayCache.byNumber.get(days)
  if (day === undefined) {
    day = new Date((today + days) * DAY_MS).toISOString().slice(0, 10)
    dayCache.byNumber.set(days, day)
  }
  return day
}

const DAY_MINUTES = 24 * 60
const BANGKOK_OFFSET_MINUTES = 7 * 60

type Clock = { readonly minutes: number; readonly isLastSecond: boolean; readonly zone: number | undefined }

const CLOCK_PATTERN =
  /(?:t|\s|,|เวลา){1,9}(\d{1,2})[:.](\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(am|pm|น\.?)?\s?(z|gmt|utc|[+-]\d\d(?::?\d\d)?)?$/i

function splitClock(text: string): { readonly date: string; readonly clock: Clock | undefined } | undefined {
  const match = CLOCK_PATTERN.exec(text)
  if (match === null) return { date: text, clock: undefined }
  const [, hours = '', minutes = '', seconds = '0', half = '', zone] = match
  let hour = Number(hours)
  if (/pm/i.test(half) && hour < 12) hour += 12
  if (/am/i.test(half) && hour === 12) hour = 0
  const total = hour * 60 + Number(minutes)
  if (hour > 24 || Number(minutes) > 59 || Number(seconds) > 59 || total > DAY_MINUTES) return undefined
  return {
    date: text.slice(0, match.index).trim(),
    clock: {
      minutes: total,
      isLastSecond: total === DAY_MINUTES || (total === DAY_MINUTES - 1 && Number(seconds) === 59),
      zone: zone === undefined ? undefined : zoneMinutes(zone),
    },
  }
}

function zoneMinutes(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0
  const digits = zone.slice(1).replace(':', '')
  return (zone.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0))
}

type Candidate = { readonly day: string | undefined; readonly isRepaired: boolean }

const YEAR_FIRST = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/
const DAY_FIRST = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})$/
const DIGITS = /^(\d{4})(\d\d)(\d\d)$/
/** Matches dates such as "07022568", where the last four digits are the year. */
const DIGITS_DAY_FIRST = /^(\d\d)(\d\d)((?:19|2[05])\d\d)$/
/** Matches "Feb 7, 2025" and "Fri Feb 07 2025". */
const MONTH_FIRST = /^(?:[a-z]{3,9},?\s)?([a-z]{3,9})\.?\s(\d{1,2}),?\s(\d{4})$/i
const WORDS =
  /^(?:(?:วัน)?[ก-๛a-z]{1,12}[.,]?\s)?(?:วันที่\s?)?(\d{1,2})[\s./-]{0,3}([ก-ฮเa-z][^\d]{1,20}?),?\s?(?:พ\.?\s?ศ\.?\s?)?(\d{4}|\d{2})$/i
/** Matches days since 1899-12-30, as in spreadsheets. Days in Buddhist years have six digits. */
const SERIAL = /^(\d{5,6})(?:\.\d{1,12})?$/
const SERIAL_ZERO = '1899-12-30'
const MAX_SERIAL = 260_000

function dateCandidates(text: string): readonly Candidate[] {
  const ymd = YEAR_FIRST.exec(text) ?? DIGITS.exec(text)
  if (ymd !== null) {
    const [plain, ...repaired] = yearCandidates(ymd[1]!, Number(ymd[2]), Number(ymd[3]))
    const inside = DIGITS_DAY_FIRST.exec(text)
    const dayFirst = inside === null ? [] : yearCandidates(inside[3]!, Number(inside[2]), Number(inside[1]))
    return [plain, ...dayFirst, ...repaired]
  }
  const dmy = DAY_FIRST.exec(text)
  if (dmy !== null) {
    const [day, month] = [Number(dmy[1]), Number(dmy[2])]
    // A month above 12 must be the day of an American date.
    if (month > 12 && day <= 12)
      return yearCandidates(dmy[3]!, day, month).map((candidate) => ({ ...candidate, isRepaired: true }))
    return yearCandidates(dmy[3]!, month, day)
  }
  const words = WORDS.exec(text)
  const month = words === null ? undefined : MONTH_NUMBERS.get(plainWord(words[2]!))
  if (words !== null && month !== undefined) return yearCandidates(words[3]!, month, Number(words[1]))
  const english = MONTH_FIRST.exec(text)
  const englishMonth = english === null ? undefined : MONTH_NUMBERS.get(plainWord(english[1]!))
  if (english !== null && englishMonth !== undefined)
    return yearCandidates(english[3]!, englishMonth, Number(english[2]))
  const serial = SERIAL.exec(text)
  if (serial === null || Number(serial[1]) > MAX_SERIAL) return []
  const [year = '', ...monthAndDay] = addDays(SERIAL_ZERO, Number(serial[1])).split('-')
  return yearCandidates(year, Number(monthAndDay[0]), Number(monthAndDay[1])).map((candidate) => ({
    ...candidate,
    isRepaired: true,
  }))
}

/**
 * Four digits from 2400 are Buddhist (1857 CE, before any contract here). Two digits are read as Buddhist first, as
 * e-GP writes them ("7 ก.พ. 68"). A spreadsheet turns 68 into 1968 or 2068, and 25 may mean 2025.
 */
function yearCandidates(year: string, month: number, day: number): [plain: Candidate, ...repaired: Candidate[]] {
  const number = Number(year)
  const at = (value: number, isRepaired: boolean): Candidate => ({ day: isoDay(value, month, day), isRepaired })
  if (year.length === 2) return [at(number + 2500 - 543, false), at(number + 2000, true)]
  if (number >= 2400) return [at(number - 543, false)]
  return [at(number, false), ...(number >= 1900 && number < 2100 ? [at((number % 100) + 2500 - 543, true)] : [])]
}

const PLAIN_DAY = /^(20\d\d)-(\d\d)-(\d\d)$/

/** Matches "2025-02-07+07:00" of XML and "20250207000000" of mainframes. */
const ZONED_DAY = /^(\d{4}-\d\d-\d\d)[+-]\d\d:\d\d$/
const DIGITS_WITH_CLOCK = /^(\d{8})(\d\d)(\d\d)(\d\d)$/
const GROUPED_SERIAL = /^\d{2},\d{3}$/

/** Undoes typography around the numbers: Thai and full-width digits, an apostrophe, en dashes, blanks at separators. */
const plainDateText = (text: string) =>
  toArabicDigits(text.replace(/[０-９／－．]/g, (sign) => sign.normalize('NFKC')))
    .replace(/^['‘’]/, '')
    .replace(/\s?เดือน\s?/, ' ')
    .replace(ZONED_DAY, '$1')
    .replace(DIGITS_WITH_CLOCK, '$1 $2:$3:$4')
    .replace(GROUPED_SERIAL, (serial) => serial.replace(',', ''))
    .replace(/(?<=\d)\s?[‐-―−]\s?(?=\d)/g, '-')
    .replace(/(?<=\d)\s?([/.])\s?(?=\d)/g, '$1')
    .trim()

export function parseFeedDateForRole(
  text: string,
  range: FeedDateRole,
  now = new Date(),
): ParsedFeedDate | FeedDateProblem {
  const match = PLAIN_DAY.exec(text)
  if (match !== null) {
    const day = isoDay(Number(match[1]), Number(match[2]), Number(match[3]))
    if (day !== undefined && isPossible({ day, isRepaired: false }, range, now)) return { day }
  }
  const split = splitClock(plainDateText(text))
  if (split === undefined) return 'impossible'
  const readings = dateCandidates(split.date)
  if (readings.length === 0) return 'unreadable'
  if (readings[0]!.day !== undefined && ZERO_DAYS.has(readings[0]!.day)) return 'impossible'
  const likeliest = readings.find((reading) => isPossible(reading, range, now))
  if (likeliest === undefined) return 'impossible'
  const date = toBangkokDate(likeliest.day!, split.clock)
  return likeliest.isRepaired ? { ...date, note: 'repaired' } : date
}

function toBangkokDate(day: string, clock: Clock | undefined): ParsedFeedDate {
  if (clock === undefined) return { day }
  const { minutes, isLastSecond, zone } = clock
  // Midnight UTC and the last second of a day both stand for a day without a time.
  if (zone === 0 && minutes === 0) return { day }
  if (isLastSecond) return zone === 0 ? { day, note: 'utc' } : { day }
  if (zone === 0 && minutes === DAY_MINUTES - 1) return { day, note: 'utc' }
  const shifted = zone === undefined ? minutes : minutes - zone + BANGKOK_OFFSET_MINUTES
  const days = Math.floor(shifted / DAY_MINUTES)
  const minutesOfDay = shifted - days * DAY_MINUTES
  const shiftedDay = addDays(day, days)
  return minutesOfDay === 0
    ? { day: shiftedDay }
    : { day: shiftedDay, time: `${two(Math.floor(minutesOfDay / 60))}:${two(minutesOfDay % 60)}` }
}

/**
 * Parses a date in any form except a spreadsheet serial number. Returns an ISO day between 1950 and 2150, or undefined.
 */
export function parseFeedDate(text: string): string | undefined {
  const split = splitClock(toArabicDigits(text).trim())
  if (split === undefined || SERIAL.test(split.date)) return undefined
  const day = dateCandidates(split.date)[0]?.day
  if (day === undefined || day < '1950' || day > '2151') return undefined
  return toBangkokDate(day, split.clock).day
}
