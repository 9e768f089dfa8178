import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

type Months = readonly { readonly month: number; readonly n: number }[]

export function fiscalMonths(months: Months): { month: number; n: number }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const month = ((index + 9) % 12) + 1
    return { month, n: months.find((one) => one.month === month)?.n ?? 0 }
  })
}

/** More months than this are too vague to be useful. */
const MOST_USUAL = 3

/**
 * Returns at most three months with the most announcements, each with at least half of the maximum, in fiscal-year
 * order.
 */
export function usualMonths(months: Months): number[] {
  const most = Math.max(0, ...months.map(({ n }) => n))
  const fullest = fiscalMonths(months)
    .filter(({ n }) => n > 0 && n * 2 >= most)
    .toSorted((one, other) => other.n - one.n)
    .slice(0, MOST_USUAL)
  return fiscalMonths(fullest)
    .filter(({ n }) => n > 0)
    .map(({ month }) => month)
}

/** Example: `ม.ค. 2570`. The first three months of a fiscal year are in the previous calendar year. */
function monthOfYear(month: number, fiscalYear: number): string {
  return `${THAI_MONTHS[month - 1]!.short} ${month >= 10 ? fiscalYear - 1 : fiscalYear}`
}

/**
 * Returns the months in which announcements are likely, based on earlier years, noting those that are past `today`
 * (ISO).
 */
export function expectedText(months: Months, fiscalYear: number, today: string): string | undefined {
  const usual = usualMonths(months)
  if (usual.length === 0) return undefined
  const thisMonth = (Number(today.slice(0, 4)) + 543) * 12 + Number(today.slice(5, 7))
  const ahead = usual.filter((month) => (month >= 10 ? fiscalYear - 1 : fiscalYear) * 12 + month >= thisMonth)
  const before = `เคยประกาศมากสุดเดือน ${usual.map((month) => THAI_MONTHS[month - 1]!.short).join(', ')}`
  if (ahead.length === 0) return `${before} · ของปี ${fiscalYear} ผ่านช่วงนั้นแล้ว`
  return `${before} · รอบปี ${fiscalYear} น่าจะประกาศ ${ahead.map((month) => monthOfYear(month, fiscalYear)).join(', ')}`
}
