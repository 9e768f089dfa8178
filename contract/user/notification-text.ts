import { foundInDocumentText } from '../report/document-reason.ts'
import { daysBetween, formatThaiDateShort } from '../thai/thai-date.ts'
import { FOLLOW_KINDS } from './follow.ts'
import type { Notification } from './notification.ts'

export type NotificationWords = {
  readonly text: string
  /** How near the date is that it warns of. */
  readonly tone: 'plain' | 'soon' | 'urgent' | 'past'
  /** It says what does not hold any more. */
  readonly struck: boolean
}

/** From this many days left on a warning is red, as the deadlines of the report. */
const URGENT_DAYS = 2

const WARNINGS = {
  Discussion_date_end: {
    later: (days: number) => `ช่วงวิจารณ์สิ้นสุดในอีก ${days} วัน`,
    tomorrow: 'ช่วงวิจารณ์สิ้นสุดพรุ่งนี้',
    today: 'ช่วงวิจารณ์สิ้นสุดวันนี้',
    past: 'ช่วงวิจารณ์สิ้นสุดแล้ว',
    undated: 'ช่วงวิจารณ์ใกล้สิ้นสุด',
    onDay: 'ช่วงวิจารณ์สิ้นสุด',
  },
  Submission_date_end: {
    later: (days: number) => `วันยื่นข้อเสนอในอีก ${days} วัน`,
    tomorrow: 'วันยื่นข้อเสนอคือพรุ่งนี้',
    today: 'วันยื่นข้อเสนอคือวันนี้',
    past: 'พ้นวันยื่นข้อเสนอแล้ว',
    undated: 'ใกล้ถึงวันยื่นข้อเสนอ',
    onDay: 'วันยื่นข้อเสนอ',
  },
} as const

type Told = Pick<
  Notification,
  'type' | 'due_date' | 'outdated' | 'document_kind' | 'change_count' | 'about' | 'filter' | 'found'
>

/**
 * What a notification says on the day `today` (Bangkok, ISO): a warning made with seven days left that is read two days later says five
 * (D17). Undefined for a type that this version does not know.
 */
export function notificationText(
  { type, due_date: due, outdated, document_kind: kind, change_count: count = 0, about, filter, found }: Told,
  today: string,
): NotificationWords | undefined {
  if (type === 'Updated') return { text: 'ข้อมูลโครงการมีการอัปเดต', tone: 'plain', struck: false }
  if (type === 'Export_ready') return { text: 'ไฟล์ที่ส่งออกพร้อมดาวน์โหลด', tone: 'plain', struck: false }
  if (type === 'Mentioned') return { text: 'เพื่อนร่วมงานเรียกคุณในโน้ต', tone: 'plain', struck: false }
  if (type === 'Document_compared')
    return { text: `${kind === 'tor' ? 'TOR ' : 'เอกสาร'}เปลี่ยน ${count} ข้อ`, tone: 'plain', struck: false }
  if (type === 'Join_requested') return { text: 'ขอเข้าร่วมทีม รอคำตอบจากคุณ', tone: 'soon', struck: false }
  if (type === 'Document_changed') return { text: 'เอกสารของประกาศมีฉบับใหม่', tone: 'plain', struck: false }
  if (type === 'Document_found') {
    const text = filter ? `พบในเอกสาร ตามตัวกรอง ${filter.name}` : 'พบในเอกสาร'
    return { text: found ? foundInDocumentText(found.word, found.page) : text, tone: 'plain', struck: false }
  }
  if (type === 'Contract_ends') return { text: `สัญญาที่ตรงคำของเราใกล้หมด ${count} ฉบับ`, tone: 'soon', struck: false }
  if (type === 'Question_news')
    return { text: count > 0 ? `ผู้ชนะรายใหม่ ${count} ราย` : 'สามอันดับแรกเปลี่ยน', tone: 'plain', struck: false }
  if (type === 'Term_advice') return { text: 'คำเหล่านี้นำมาแต่สิ่งที่คุณซ่อน', tone: 'plain', struck: false }
  const followed = FOLLOW_KINDS.find(({ code }) => type === `Followed_${code}`)
  if (followed) return { text: `${about ?? followed.th} ${followed.news}`, tone: 'plain', struck: false }
  if (!Object.hasOwn(WARNINGS, type)) return undefined
  const words = WARNINGS[type as keyof typeof WARNINGS]
  if (due === null) return { text: words.undated, tone: 'soon', struck: outdated }
  // How many days are left to a date that is off is of no use.
  if (outdated) return { text: `${words.onDay} ${formatThaiDateShort(due)}`, tone: 'past', struck: true }
  const days = daysBetween(today, due)
  if (days < 0) return { text: words.past, tone: 'past', struck: false }
  if (days === 0) return { text: words.today, tone: 'urgent', struck: false }
  if (days === 1) return { text: words.tomorrow, tone: 'urgent', struck: false }
  return { text: words.later(days), tone: days <= URGENT_DAYS ? 'urgent' : 'soon', struck: false }
}
