/**
 * Days on which state offices are closed. Ordinary weekends are not listed; a holiday on a weekend is listed with its
 * day in lieu, so that the list can be compared with the official one.
 *
 * 2026 (B.E. 2569) as announced:
 * - annual holidays: order of the Office of the Prime Minister on public holidays, lunar dates by the royal almanac;
 * - days in lieu: cabinet resolution of 16 October 2001 (a holiday on a weekend is replaced by the next working day);
 * - 2 January: extra day, cabinet resolution of 12 November 2024, confirmed by the Secretariat of the Cabinet on 6
 *   November 2025; the cabinet withdrew a proposal for 2 June and 31 July on 2 December 2025, so neither is included;
 * - 13 May: Royal Ploughing Ceremony, a holiday of state offices only.
 *
 * 2027 (B.E. 2570) by rule, until the cabinet and the Bank of Thailand announce it: fixed dates, lunar dates computed
 * from the Thai lunar calendar (full moon of the 3rd, 6th and 8th month; 2027 is no leap-month year), days in lieu by
 * the same resolution. The ploughing ceremony and extra days are unknown before their announcement. All dates of both
 * years agree with the `holidays` package 0.105 (vacanza/holidays, country TH, categories public and government).
 *
 * Not included: Labour Day, when banks and firms close but state offices do not, and regional holidays.
 */
type PublicHoliday = {
  readonly date: string
  readonly name: string
  readonly basis: 'announced' | 'fixed' | 'computed'
}

/** Holidays with a fixed date, by month and day; the only ones available for a year without a list. */
export const FIXED_DATE_HOLIDAYS: ReadonlyMap<string, string> = new Map([
  ['01-01', 'วันขึ้นปีใหม่'],
  ['04-06', 'วันจักรี'],
  ['04-13', 'วันสงกรานต์'],
  ['04-14', 'วันสงกรานต์'],
  ['04-15', 'วันสงกรานต์'],
  ['05-04', 'วันฉัตรมงคล'],
  ['06-03', 'วันเฉลิมพระชนมพรรษาสมเด็จพระนางเจ้าฯ พระบรมราชินี'],
  ['07-28', 'วันเฉลิมพระชนมพรรษาพระบาทสมเด็จพระเจ้าอยู่หัว'],
  ['08-12', 'วันแม่แห่งชาติ'],
  ['10-13', 'วันนวมินทรมหาราช'],
  ['10-23', 'วันปิยมหาราช'],
  ['12-05', 'วันพ่อแห่งชาติ'],
  ['12-10', 'วันรัฐธรรมนูญ'],
  ['12-31', 'วันสิ้นปี'],
])

const MOVING_HOLIDAYS: readonly PublicHoliday[] = [
  { date: '2026-01-02', name: 'วันหยุดราชการเพิ่มเป็นกรณีพิเศษ', basis: 'announced' },
  { date: '2026-03-03', name: 'วันมาฆบูชา', basis: 'announced' },
  { date: '2026-05-13', name: 'วันพืชมงคล', basis: 'announced' },
  { date: '2026-05-31', name: 'วันวิสาขบูชา', basis: 'announced' },
  { date: '2026-06-01', name: 'ชดเชยวันวิสาขบูชา', basis: 'announced' },
  { date: '2026-07-29', name: 'วันอาสาฬหบูชา', basis: 'announced' },
  { date: '2026-07-30', name: 'วันเข้าพรรษา', basis: 'announced' },
  { date: '2026-12-07', name: 'ชดเชยวันพ่อแห่งชาติ', basis: 'announced' },
  { date: '2027-02-21', name: 'วันมาฆบูชา', basis: 'computed' },
  { date: '2027-02-22', name: 'ชดเชยวันมาฆบูชา', basis: 'computed' },
  { date: '2027-05-20', name: 'วันวิสาขบูชา', basis: 'computed' },
  { date: '2027-07-18', name: 'วันอาสาฬหบูชา', basis: 'computed' },
  { date: '2027-07-19', name: 'วันเข้าพรรษา', basis: 'computed' },
  // The 19th is itself a holiday. In 2020 the same two days also fell on Sunday and Monday.
  { date: '2027-07-20', name: 'ชดเชยวันอาสาฬหบูชา', basis: 'computed' },
  { date: '2027-10-25', name: 'ชดเชยวันปิยมหาราช', basis: 'computed' },
  { date: '2027-12-06', name: 'ชดเชยวันพ่อแห่งชาติ', basis: 'computed' },
]

export const HOLIDAY_LIST_YEARS: ReadonlySet<number> = new Set([2026, 2027])

export const PUBLIC_HOLIDAYS: readonly PublicHoliday[] = [
  ...MOVING_HOLIDAYS,
  ...[...HOLIDAY_LIST_YEARS].flatMap((year) =>
    [...FIXED_DATE_HOLIDAYS].map(([day, name]): PublicHoliday => ({ date: `${year}-${day}`, name, basis: 'fixed' })),
  ),
].sort((a, b) => (a.date < b.date ? -1 : 1))

const MOVING_DATES: ReadonlySet<string> = new Set(MOVING_HOLIDAYS.map(({ date }) => date))

export function isPublicHoliday(iso: string): boolean {
  return FIXED_DATE_HOLIDAYS.has(iso.slice(5)) || MOVING_DATES.has(iso)
}

export function getHolidaysBetween(from: string, to: string): Set<string> {
  const dates = new Set(MOVING_DATES)
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1)
    for (const day of FIXED_DATE_HOLIDAYS.keys()) dates.add(`${year}-${day}`)
  return new Set([...dates].filter((date) => date >= from && date <= to))
}

const ANNOUNCED_YEARS: ReadonlySet<number> = new Set([2026])

/**
 * Returns `unknown` when the range includes a year without a holiday list, `computed` when it includes one whose list
 * is not announced yet.
 */
export function getHolidayCertainty(from: string, to: string): 'announced' | 'computed' | 'unknown' {
  let certainty: 'announced' | 'computed' = 'announced'
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year += 1) {
    if (!HOLIDAY_LIST_YEARS.has(year)) return 'unknown'
    if (!ANNOUNCED_YEARS.has(year)) certainty = 'computed'
  }
  return certainty
}
