import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'

type ReportPeriod = { readonly start: string | null; readonly end: string | null }

export function formatReportPeriod({ start, end }: ReportPeriod): string {
  if (start && end) return `${formatThaiDateShortOrOriginal(start)} – ${formatThaiDateShortOrOriginal(end)}`
  if (start) return `ตั้งแต่ ${formatThaiDateShortOrOriginal(start)}`
  return end ? `ถึง ${formatThaiDateShortOrOriginal(end)}` : 'ทุกวัน'
}
