import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

type Months = readonly { readonly month: number; readonly n: number }[]

export function toFiscalYearMonths(months: Months): { month: number; n: number }[] {
  return Array.from({ length: 12 }, (_, index) => {
    const month = ((index + 9) % 12) + 1
    return { month, n: months.find((entry) => entry.month === month)?.n ?? 0 }
  })
}

const MAX_USUAL_MONTHS = 3

/** Returns at most three months, each with at least half of the maximum, in fiscal-year order. */
export function findUsualAnnouncementMonths(months: Months): number[] {
  const maxCount = Math.max(0, ...months.map(({ n }) => n))
  const fullest = toFiscalYearMonths(months)
    .filter(({ n }) => n > 0 && n * 2 >= maxCount)
    .toSorted((a, b) => b.n - a.n)
    .slice(0, MAX_USUAL_MONTHS)
  return toFiscalYearMonths(fullest)
    .filter(({ n }) => n > 0)
    .map(({ month }) => month)
}

/** The first three months of a fiscal year are in the previous calendar year. */
function monthText(month: number, fiscalYear: number): string {
  return `${THAI_MONTHS[month - 1]!.short} ${month >= 10 ? fiscalYear - 1 : fiscalYear}`
}

export function formatExpectedAnnouncement(months: Months, fiscalYear: number, today: string): string | undefined {
  const usual = findUsualAnnouncementMonths(months)
  if (usual.length === 0) return undefined
  const thisMonth = (Number(today.slice(0, 4)) + 543) * 12 + Number(today.slice(5, 7))
  const upcoming = usual.filter((month) => (month >= 10 ? fiscalYear - 1 : fiscalYear) * 12 + month >= thisMonth)
  const pastText = `เคยประกาศมากสุดเดือน ${usual.map((month) => THAI_MONTHS[month - 1]!.short).join(', ')}`
  if (upcoming.length === 0) return `${pastText} · ของปี ${fiscalYear} ผ่านช่วงนั้นแล้ว`
  return `${pastText} · รอบปี ${fiscalYear} น่าจะประกาศ ${upcoming.map((month) => monthText(month, fiscalYear)).join(', ')}`
}
