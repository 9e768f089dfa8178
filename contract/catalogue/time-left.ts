import { addDays, bangkokToday, daysBetween } from '../thai/thai-date.ts'
import { countWorkingDays } from '../thai/working-day.ts'

/**
 * How much time is left until a last day: counted and worded one way in rows, cards, pages, mails, LINE and notifications. Days are calendar days
 * in Bangkok, without today and with the last day itself; working days are the working ones among exactly these.
 */

/** A deadline is soon from this many days on, and urgent from these (product 5.1.2, columns 14 and 16). `ใกล้ปิด` is both. */
export const SOON_DAYS = 7
export const URGENT_DAYS = 2

export type Urgency = 'urgent' | 'soon' | 'plain' | 'past'

/** `daysLeft`: 0 is today, negative is past. */
export function urgencyOf(daysLeft: number): Urgency {
  if (daysLeft < 0) return 'past'
  return daysLeft <= URGENT_DAYS ? 'urgent' : daysLeft <= SOON_DAYS ? 'soon' : 'plain'
}

/** `เหลือ 5 วัน`, `วันนี้วันสุดท้าย`, `หมดเขตแล้ว`. */
export function daysLeftText(daysLeft: number): string {
  if (daysLeft < 0) return 'หมดเขตแล้ว'
  return daysLeft === 0 ? 'วันนี้วันสุดท้าย' : `เหลือ ${daysLeft} วัน`
}

/** Working days among the days that are left. */
export const workingDaysLeft = (day: string, today: string): number => countWorkingDays(addDays(today, 1), day)

/** `เหลือ 5 วัน (3 วันทำการ)`, where there is room for both. */
export function daysAndWorkingDaysLeftText(day: string, today: string): string {
  const days = daysBetween(today, day)
  return days <= 0 ? daysLeftText(days) : `${daysLeftText(days)} (${workingDaysLeft(day, today)} วันทำการ)`
}

export type TimeLeft = { readonly text: string; readonly urgency: Urgency; readonly daysLeft: number }

/** What is left at an instant until a day, or until an hour (`HH:mm`, Bangkok) of it: on the day itself the hour is named, and ends it. */
export function timeLeft(day: string, until: string | undefined, now: Date): TimeLeft {
  const daysLeft = daysBetween(bangkokToday(now), day)
  if (daysLeft !== 0 || until === undefined)
    return { text: daysLeftText(daysLeft), urgency: urgencyOf(daysLeft), daysLeft }
  if (Date.parse(`${day}T${until}:00+07:00`) <= now.getTime())
    return { text: `${daysLeftText(-1)} ${until} น.`, urgency: 'past', daysLeft }
  return { text: `วันนี้ถึง ${until} น.`, urgency: 'urgent', daysLeft }
}
