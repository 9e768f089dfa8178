import type { Notification } from '../account/notification.ts'
import { type DeadlineUrgency, formatDaysLeft, getDeadlineUrgency } from '../catalogue/time-left.ts'
import { formatDocumentMatchReason } from '../matching/document-reason.ts'
import { countDaysBetween, formatThaiDateShort } from '../thai/thai-date.ts'
import { FOLLOW_KINDS } from './follow.ts'

export type NotificationTextParts = {
  readonly text: string
  readonly tone: DeadlineUrgency
  readonly struck: boolean
}

const WARNINGS = { Discussion_date_end: 'วิจารณ์ร่าง', Submission_date_end: 'ยื่นข้อเสนอ' } as const

type NotificationFacts = Pick<
  Notification,
  'type' | 'due_date' | 'outdated' | 'document_kind' | 'change_count' | 'about' | 'filter' | 'found'
>

/**
 * Returns the text of a notification as of `today` (Bangkok, ISO): a warning created seven days ahead and read two days
 * later says five days (D17). Undefined for an unsupported type.
 */
export function composeNotificationText(
  {
    type,
    due_date: dueDate,
    outdated,
    document_kind: kind,
    change_count: count = 0,
    about,
    filter,
    found: match,
  }: NotificationFacts,
  today: string,
): NotificationTextParts | undefined {
  if (type === 'Updated') return { text: 'ข้อมูลโครงการมีการอัปเดต', tone: 'plain', struck: false }
  if (type === 'Export_ready') return { text: 'ไฟล์ที่ส่งออกพร้อมดาวน์โหลด', tone: 'plain', struck: false }
  if (type === 'Mentioned') return { text: 'เพื่อนร่วมงานเรียกคุณในโน้ต', tone: 'plain', struck: false }
  if (type === 'Document_compared')
    return { text: `${kind === 'tor' ? 'TOR ' : 'เอกสาร'}เปลี่ยน ${count} ข้อ`, tone: 'plain', struck: false }
  if (type === 'Join_requested') return { text: 'ขอเข้าร่วมทีม รอคำตอบจากคุณ', tone: 'soon', struck: false }
  if (type === 'Document_changed') return { text: 'เอกสารของประกาศมีฉบับใหม่', tone: 'plain', struck: false }
  if (type === 'Document_found') {
    const text = filter ? `พบในเอกสาร ตามตัวกรอง ${filter.name}` : 'พบในเอกสาร'
    return { text: match ? formatDocumentMatchReason(match.word, match.page) : text, tone: 'plain', struck: false }
  }
  if (type === 'Contract_ends') return { text: `สัญญาที่ตรงคำของเราใกล้หมด ${count} ฉบับ`, tone: 'soon', struck: false }
  if (type === 'Question_news')
    return { text: count > 0 ? `ผู้ชนะรายใหม่ ${count} ราย` : 'สามอันดับแรกเปลี่ยน', tone: 'plain', struck: false }
  if (type === 'Term_advice') return { text: 'คำใกล้เคียงที่น่าเพิ่มหรือเลิกใช้', tone: 'plain', struck: false }
  if (type === 'Announced_anew')
    return { text: 'อาจเป็นงานที่คุณติดตามซึ่งยกเลิกไป แล้วประกาศใหม่ด้วยเลขนี้ โปรดตรวจก่อน', tone: 'soon', struck: false }
  if (type === 'Filter_part_gone') {
    const text = filter ? `ตัวกรอง “${filter.name}” อาจไม่พบอะไรอีก อีเมลและฟีดจะว่าง` : 'ตัวกรองที่บันทึกอ้างถึงสิ่งที่ไม่มีแล้ว'
    return { text, tone: 'soon', struck: false }
  }
  const followed = FOLLOW_KINDS.find(({ code }) => type === `Followed_${code}`)
  if (followed) return { text: `${about ?? followed.th} ${followed.news}`, tone: 'plain', struck: false }
  if (!Object.hasOwn(WARNINGS, type)) return undefined
  const event = WARNINGS[type as keyof typeof WARNINGS]
  if (dueDate === null) return { text: `${event} ใกล้ปิด`, tone: 'soon', struck: outdated }
  if (outdated) return { text: `${event}ถึง ${formatThaiDateShort(dueDate)}`, tone: 'past', struck: true }
  const days = countDaysBetween(today, dueDate)
  return { text: `${event} ${formatDaysLeft(days)}`, tone: getDeadlineUrgency(days), struck: false }
}
