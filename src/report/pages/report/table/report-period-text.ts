import { formatThaiDayOrOriginal } from '#contract/thai/thai-date.ts'

export function formatReportPeriod({
  start,
  end,
}: {
  readonly start: string | null
  readonly end: string | null
}): string {
  if (start && end) return `${formatThaiDayOrOriginal(start)} – ${formatThaiDayOrOriginal(end)}`
  if (start) return `ตั้งแต่ ${formatThaiDayOrOriginal(start)}`
  return end ? `ถึง ${formatThaiDayOrOriginal(end)}` : 'ทุกวัน'
}
