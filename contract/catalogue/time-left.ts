import { addDays, countDaysBetween, getBangkokToday } from '../thai/thai-date.ts'
import { countWorkingDays } from '../thai/working-day.ts'

/**
 * Time left until a deadline, counted and worded identically in rows, cards, pages, emails, LINE messages and
 * notifications. Counts Bangkok calendar days, excluding today and including the last day; working days are a subset of
 * these.
 */

/**
 * A deadline is "soon" within 7 days and "urgent" within 2 (product 5.1.2, columns 14 and 16). `ใกล้ปิด` covers both.
 */
export const DEADLINE_SOON_DAYS = 7
const DEADLINE_URGENT_DAYS = 2

/** The word of the bid state `closed` (`BID_STATES`), for every deadline that has passed. */
export const CLOSED_TEXT = 'ปิดรับแล้ว'

export type DeadlineUrgency = 'urgent' | 'soon' | 'plain' | 'past'

export function getDeadlineUrgency(daysLeft: number): DeadlineUrgency {
  if (daysLeft < 0) return 'past'
  return daysLeft <= DEADLINE_URGENT_DAYS ? 'urgent' : daysLeft <= DEADLINE_SOON_DAYS ? 'soon' : 'plain'
}

export function formatDaysLeft(daysLeft: number): string {
  if (daysLeft < 0) return CLOSED_TEXT
  return daysLeft === 0 ? 'วันนี้วันสุดท้าย' : `เหลือ ${daysLeft} วัน`
}

export const countWorkingDaysLeft = (day: string, today: string): number => countWorkingDays(addDays(today, 1), day)

export function formatDaysAndWorkingDaysLeft(day: string, today: string): string {
  const days = countDaysBetween(today, day)
  return days <= 0 ? formatDaysLeft(days) : `${formatDaysLeft(days)} (${countWorkingDaysLeft(day, today)} วันทำการ)`
}

export type DeadlineTimeLeft = { readonly text: string; readonly urgency: DeadlineUrgency; readonly daysLeft: number }

/**
 * Returns the time left until the end of a day, or until `HH:mm` on that day (Bangkok time). On the day itself the text
 * includes the time, and once that time is reached the deadline counts as past.
 */
export function getDeadlineTimeLeft(day: string, endTime: string | undefined, now: Date): DeadlineTimeLeft {
  const daysLeft = countDaysBetween(getBangkokToday(now), day)
  if (daysLeft !== 0 || endTime === undefined)
    return { text: formatDaysLeft(daysLeft), urgency: getDeadlineUrgency(daysLeft), daysLeft }
  if (Date.parse(`${day}T${endTime}:00+07:00`) <= now.getTime())
    return { text: `${formatDaysLeft(-1)} ${endTime} น.`, urgency: 'past', daysLeft }
  return { text: `วันนี้ถึง ${endTime} น.`, urgency: 'urgent', daysLeft }
}
