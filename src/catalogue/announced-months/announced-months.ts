import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

type Months = readonly { readonly month: number; readonly n: number }[]

/** Months in the order of the fiscal year, October first, with nothing left out. */
export function fiscalMonths(months: Months): { month: number; n: number }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const month = ((index + 9) % 12) + 1
    return { month, n: months.find((one) => one.month === month)?.n ?? 0 }
  })
}

/** More months than this say nothing about when to look out. */
const MOST_USUAL = 3

/** The months with the most announcements, three at most and none with less than half of the fullest, in the order of the fiscal year. */
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

/** `ม.ค. 2570`: a month of a fiscal year; its first three lie in the calendar year before. */
function monthOfYear(month: number, fiscalYear: number): string {
  return `${THAI_MONTHS[month - 1]!.short} ${month >= 10 ? fiscalYear - 1 : fiscalYear}`
}

/** Says in which months of the year announcements are likely, judged by earlier years, and which of them are over by `today` (ISO). */
export function expectedText(months: Months, fiscalYear: number, today: string): string | undefined {
  const usual = usualMonths(months)
  if (usual.length === 0) return undefined
  const thisMonth = (Number(today.slice(0, 4)) + 543) * 12 + Number(today.slice(5, 7))
  const ahead = usual.filter((month) => (month >= 10 ? fiscalYear - 1 : fiscalYear) * 12 + month >= thisMonth)
  const before = `เคยประกาศมากสุดเดือน ${usual.map((month) => THAI_MONTHS[month - 1]!.short).join(', ')}`
  if (ahead.length === 0) return `${before} · ของปี ${fiscalYear} ผ่านช่วงนั้นแล้ว`
  return `${before} · รอบปี ${fiscalYear} น่าจะประกาศ ${ahead.map((month) => monthOfYear(month, fiscalYear)).join(', ')}`
}
