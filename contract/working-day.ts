import { addDays, daysBetween } from './thai-date.ts'

/**
 * Working days of Thai offices: no weekends and no public holidays that fall on the same date every year. Those that follow the moon
 * and the days given in lieu are announced year by year and are not known here yet, so a count is at most a few days too high.
 */
const FIXED_HOLIDAYS: ReadonlySet<string> = new Set([
  '01-01', // New Year
  '04-06', // Chakri Day
  '04-13', // Songkran
  '04-14',
  '04-15',
  '05-01', // Labour Day, kept by banks and firms
  '05-04', // Coronation Day
  '06-03', // birthday of the Queen
  '07-28', // birthday of the King
  '08-12', // birthday of the Queen Mother
  '10-13', // King Bhumibol Memorial Day
  '10-23', // Chulalongkorn Day
  '12-05', // Father's Day
  '12-10', // Constitution Day
  '12-31', // end of the year
])

/** A Thursday. */
const DAY_ZERO = '1970-01-01'

/** Whether offices are open on this ISO date. `announced`: further holidays, ISO dates. */
export function isWorkingDay(iso: string, announced: ReadonlySet<string> = new Set()): boolean {
  const weekday = (((daysBetween(DAY_ZERO, iso) + 4) % 7) + 7) % 7
  return weekday !== 0 && weekday !== 6 && !FIXED_HOLIDAYS.has(iso.slice(5)) && !announced.has(iso)
}

/** Working days from the first to the last date, both included; 0 when the last is earlier. */
export function countWorkingDays(from: string, to: string, announced?: ReadonlySet<string>): number {
  let count = 0
  for (let day = from; day <= to; day = addDays(day, 1)) if (isWorkingDay(day, announced)) count += 1
  return count
}
