import { thaiDay } from '#contract/thai/thai-date.ts'

export function windowText({ start, end }: { readonly start: string | null; readonly end: string | null }): string {
  if (start && end) return `${thaiDay(start)} – ${thaiDay(end)}`
  if (start) return `ตั้งแต่ ${thaiDay(start)}`
  return end ? `ถึง ${thaiDay(end)}` : 'ทุกวัน'
}
