import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'

const BANGKOK_MS = 7 * 3_600_000
const MORNING_MS = 8.5 * 3_600_000

/** Returns 08:30 in Bangkok on `day` (an ISO date), when digest emails are sent. `hour`: another time of day in ms. */
export const getMorningTime = (day: string, hour = MORNING_MS): Date =>
  new Date(Date.parse(`${day}T00:00:00Z`) - BANGKOK_MS + hour)

export function getNextMorning(at: Date, hour = MORNING_MS): Date {
  const today = getBangkokToday(at)
  return getMorningTime(today, hour) > at ? getMorningTime(today, hour) : getMorningTime(addDays(today, 1), hour)
}
