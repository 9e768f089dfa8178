import { type ClockState, type Deadline, type DeadlineKind, endOf } from '#contract/project/deadlines.ts'
import { addDays, bangkokToday, daysBetween, thaiDay } from '#contract/thai/thai-date.ts'
import { countWorkingDays } from '#contract/thai/working-day.ts'

const MINUTE_MS = 60_000

/** From seven days on it is soon, from two urgent, as in the report's table (product 5.1.2). */
const SOON_DAYS = 7
const URGENT_DAYS = 2

export type ClockTone = 'urgent' | 'soon' | 'plain'

/** What is left until a deadline: the large part, the small part beside it, and how pressing it is. */
export type TimeLeft = { readonly main: string; readonly rest: string; readonly tone: ClockTone }

/** Days and hours to a deadline with a time; to one without, the days of the calendar in Bangkok. Undefined once it has passed. */
export function timeLeft(deadline: Deadline & { readonly day: string }, now: Date): TimeLeft | undefined {
  const leftMs = endOf(deadline)! - now.getTime()
  if (leftMs <= 0) return undefined
  const calendarDays = daysBetween(bangkokToday(now), deadline.day)
  const tone = calendarDays <= URGENT_DAYS ? 'urgent' : calendarDays <= SOON_DAYS ? 'soon' : 'plain'
  if (!deadline.time)
    return calendarDays === 0 ? { main: 'วันนี้', rest: 'วันสุดท้าย', tone } : { main: `${calendarDays} วัน`, rest: '', tone }
  // Rounded up: at 11:59:30 a deadline at noon has a minute left, not none.
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return { main: `${days} วัน`, rest: `${hours} ชม.`, tone }
  return hours > 0
    ? { main: `${hours} ชม.`, rest: `${minutes % 60} นาที`, tone }
    : { main: `${minutes} นาที`, rest: '', tone }
}

/** `28 พ.ย. 2569 เวลา 09:00–12:00 น.`; the day alone where no time is published. */
export function deadlineDateText({ day, time }: Deadline & { readonly day: string }): string {
  if (!time) return thaiDay(day)
  return `${thaiDay(day)} เวลา ${time.from === time.to ? time.to : `${time.from}–${time.to}`} น.`
}

/** Working days from tomorrow up to the day itself; 0 when there is none left. */
export function workingDaysLeft(day: string, now: Date): number {
  return countWorkingDays(addDays(bangkokToday(now), 1), day)
}

/** Title of the card while it counts. */
export const COUNTING_TITLES: Readonly<Record<DeadlineKind, string>> = {
  comment: 'เหลือเวลาวิจารณ์ร่าง',
  question: 'เหลือเวลาถามรายละเอียด',
  submission: 'เหลือเวลายื่นข้อเสนอ',
  result: 'เหลือเวลาถึงวันประกาศผล',
  appeal: 'เหลือเวลายื่นอุทธรณ์',
}

type ClockText = { readonly title: string; readonly text: string }

/** What the card says when nothing is counted. */
export const CLOCK_TEXTS: Readonly<Record<Exclude<ClockState['kind'], 'counting'>, ClockText>> = {
  cancelled: { title: 'ยกเลิกแล้ว', text: 'หน่วยงานยกเลิกประกาศหรือโครงการนี้ วันที่ด้านล่างเป็นข้อมูลก่อนยกเลิก' },
  contracted: { title: 'ทำสัญญาแล้ว', text: 'จัดซื้อจัดจ้างเสร็จสิ้น ไม่มีวันที่ต้องติดตามต่อ' },
  decided: { title: 'ประกาศผลแล้ว', text: 'ปิดรับข้อเสนอและประกาศผู้ชนะแล้ว' },
  closed: { title: 'ปิดรับข้อเสนอแล้ว', text: 'พ้นกำหนดยื่นข้อเสนอ รอหน่วยงานประกาศผล' },
  drafted: { title: 'ปิดรับคำวิจารณ์ร่างแล้ว', text: 'e-GP ยังไม่เผยแพร่วันยื่นข้อเสนอ' },
  delivered: { title: 'ส่งมอบแล้ว', text: 'โครงการนี้ปิดไปแล้ว ไม่มีวันที่ต้องติดตามต่อ' },
  undated: { title: 'ยังไม่มีกำหนดยื่น', text: 'e-GP ยังไม่เผยแพร่วันที่ของโครงการนี้' },
}
