import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'

const BANGKOK_MS = 7 * 3_600_000
const MORNING_MS = 8.5 * 3_600_000

/** Returns 08:30 in Bangkok on `day` (an ISO date), when digest emails are sent. `hour`: another time of day in ms. */
export const morningOf = (day: string, hour = MORNING_MS): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) - BANGKOK_MS + hour)

export function nextMorning(at: Date, hour = MORNING_MS): Date {
  const today = bangkokToday(at)
  return morningOf(today, hour) > at ? morningOf(today, hour) : morningOf(addDays(today, 1), hour)
}
