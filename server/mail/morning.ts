import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'

const BANGKOK_MS = 7 * 3_600_000
const MORNING_MS = 8.5 * 3_600_000

/** 08:30 in Bangkok, at which mails go that tell what a day or a night brought together; `day` is an ISO date. */
export const morningOf = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) - BANGKOK_MS + MORNING_MS)

/** The next 08:30 of Bangkok. */
export function nextMorning(at: Date): Date {
  const today = bangkokToday(at)
  return morningOf(today) > at ? morningOf(today) : morningOf(addDays(today, 1))
}
