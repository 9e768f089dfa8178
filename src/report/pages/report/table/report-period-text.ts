import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'

export function formatReportPeriod({
  start,
  end,
}: {
  readonly start: string | null
  readonly end: string | null
}): string {
  if (start && end) return `${formatThaiDateShortOrOriginal(start)} – ${formatThaiDateShortOrOriginal(end)}`
  if (start) return `ตั้งแต่ ${formatThaiDateShortOrOriginal(start)}`
  return end ? `ถึง ${formatThaiDateShortOrOriginal(end)}` : 'ทุกวัน'
}
