import { CLOSED_TEXT, type DeadlineUrgency, getDeadlineTimeLeft } from '#contract/catalogue/time-left.ts'
import type { DeadlineKind } from '#contract/report/deadline-kind.ts'
import { type Deadline, type DeadlineCountdownState, getDeadlineEndMs } from '#contract/report/deadlines.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'

const MINUTE_MS = 60_000

export type DeadlineCountdown = { readonly main: string; readonly detail: string; readonly urgency: DeadlineUrgency }

/**
 * Returns the days until a deadline; on the day itself, the hours and minutes until its time. Undefined once it has
 * passed.
 */
export function computeDeadlineCountdown(
  deadline: Deadline & { readonly day: string },
  now: Date,
): DeadlineCountdown | undefined {
  const leftMs = getDeadlineEndMs(deadline)! - now.getTime()
  if (leftMs <= 0) return undefined
  const { daysLeft, urgency } = getDeadlineTimeLeft(deadline.day, deadline.time?.to, now)
  if (daysLeft > 0) return { main: `${daysLeft} วัน`, detail: '', urgency }
  if (!deadline.time) return { main: 'วันนี้', detail: 'วันสุดท้าย', urgency }
  // Round up, so that at 11:59:30 a noon deadline has one minute left, not zero.
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  return hours > 0
    ? { main: `${hours} ชม.`, detail: `${minutes % 60} นาที`, urgency }
    : { main: `${minutes} นาที`, detail: '', urgency }
}

export function formatDeadlineDate({ day, time }: Deadline & { readonly day: string }): string {
  if (!time) return formatThaiDateShortOrOriginal(day)
  return `${formatThaiDateShortOrOriginal(day)} เวลา ${time.from === time.to ? time.to : `${time.from}–${time.to}`} น.`
}

export const DEADLINE_COUNTDOWN_TITLES: Readonly<Partial<Record<DeadlineKind, string>>> = {
  comment: 'เหลือเวลาวิจารณ์ร่าง',
  submission: 'เหลือเวลายื่นข้อเสนอ',
}

type ClockText = { readonly title: string; readonly text: string }

export const DEADLINE_COUNTDOWN_TEXTS: Readonly<
  Record<Exclude<DeadlineCountdownState['kind'], 'counting'>, ClockText>
> = {
  cancelled: { title: 'ยกเลิกแล้ว', text: 'หน่วยงานยกเลิกประกาศหรือโครงการนี้ วันที่ของโครงการเป็นข้อมูลก่อนยกเลิก' },
  contracted: { title: 'ทำสัญญาแล้ว', text: 'จัดซื้อจัดจ้างเสร็จสิ้น ไม่มีวันที่ต้องติดตามต่อ' },
  decided: { title: 'ประกาศผลแล้ว', text: 'ปิดรับข้อเสนอและประกาศผู้ชนะแล้ว' },
  closed: { title: CLOSED_TEXT, text: 'พ้นกำหนดยื่นข้อเสนอ รอหน่วยงานประกาศผล' },
  drafted: { title: 'ปิดรับคำวิจารณ์ร่างแล้ว', text: 'e-GP ยังไม่เผยแพร่วันยื่นข้อเสนอ' },
  delivered: { title: 'ส่งมอบแล้ว', text: 'โครงการนี้ปิดไปแล้ว ไม่มีวันที่ต้องติดตามต่อ' },
  undated: { title: 'ยังไม่มีกำหนดยื่น', text: 'e-GP ยังไม่เผยแพร่วันที่ของโครงการนี้' },
}
