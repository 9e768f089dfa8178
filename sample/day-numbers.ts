/**
 * Calendar arithmetic on day numbers (days since 1970-01-01), which compare and add faster than strings. Working days
 * exclude weekends and public holidays with a fixed date; lunar holidays are ignored, since demo data only has to look
 * plausible.
 */
const FIXED_HOLIDAYS = new Set(
  '01-01 04-06 04-13 04-14 04-15 05-01 05-04 06-03 07-28 08-12 10-13 10-23 12-05 12-10 12-31'.split(' '),
)

const isoByDay = new Map<number, string>()
const workingByDay = new Map<number, boolean>()

/** Parses an ISO date. Throws `RangeError` for any other text. */
export function isoDateToDayNumber(iso: string): number {
  const time = Date.parse(`${iso}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso) || Number.isNaN(time)) throw new RangeError(`not an ISO date: ${iso}`)
  return time / 86_400_000
}

export function dayNumberToIsoDate(day: number): string {
  let iso = isoByDay.get(day)
  if (iso === undefined) {
    iso = new Date(day * 86_400_000).toISOString().slice(0, 10)
    isoByDay.set(day, iso)
  }
  return iso
}

export function isWorkingDayNumber(day: number): boolean {
  let isWorking = workingByDay.get(day)
  if (isWorking === undefined) {
    // Day 0, 1 January 1970, was a Thursday.
    const weekday = (((day + 4) % 7) + 7) % 7
    isWorking = weekday !== 0 && weekday !== 6 && !FIXED_HOLIDAYS.has(dayNumberToIsoDate(day).slice(5))
    workingByDay.set(day, isWorking)
  }
  return isWorking
}

/** Returns the day `count` working days after `day`; 0 gives `day` itself or the next working day. */
export function addWorkingDaysToDayNumber(day: number, count: number): number {
  let remaining = count
  let at = day
  while (remaining > 0) {
    at += 1
    if (isWorkingDayNumber(at)) remaining -= 1
  }
  return getNextWorkingDay(at)
}

export function getNextWorkingDay(day: number): number {
  let at = day
  while (!isWorkingDayNumber(at)) at += 1
  return at
}

/**
 * Returns the Buddhist fiscal year of a day (D15), which starts on 1 October and is named after the year of the
 * following September.
 */
export function dayNumberToFiscalYear(day: number): number {
  const iso = dayNumberToIsoDate(day)
  return Number(iso.slice(0, 4)) + 543 + (Number(iso.slice(5, 7)) >= 10 ? 1 : 0)
}

export function getFiscalYearStartDay(fiscalYear: number): number {
  return isoDateToDayNumber(`${fiscalYear - 544}-10-01`)
}
