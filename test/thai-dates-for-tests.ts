import {
  addDays,
  addMonths,
  countDaysBetween,
  formatBangkokTime,
  formatThaiDate,
  getBangkokToday,
  getFiscalYear,
} from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'

// Prints what the date functions return at instants around ends of days, months and summer time.

const INSTANTS = [
  '2025-12-31T16:59:59Z',
  '2025-12-31T17:00:00Z',
  '2026-03-08T10:30:00Z',
  '2026-11-01T09:30:00Z',
  '2026-06-30T23:59:59Z',
]
const answers = INSTANTS.map((text) => {
  const now = new Date(text)
  const today = getBangkokToday(now)
  return [
    today,
    formatBangkokTime(now),
    addDays(today, 1),
    addMonths(today, 1),
    formatThaiDate(today),
    countDaysBetween('2026-01-01', today),
    getFiscalYear(today),
    parseThaiDate('อีก 7 วัน', today),
    parseThaiDate('29/02/2567', today),
  ]
})
console.log(JSON.stringify(answers))
