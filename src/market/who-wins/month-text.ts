import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

export function formatThaiMonth(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return `${THAI_MONTHS[number! - 1]!.short} ${String((year! + 543) % 100).padStart(2, '0')}`
}
