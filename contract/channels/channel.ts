import { z } from 'zod/mini'

export const NOTIFICATION_CHANNELS = ['push', 'line'] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

/**
 * Kinds that a channel can deliver: notification types, `Morning` (the morning summary) and `Deadline_moved` (an
 * `Updated` notification with a changed deadline of a starred project). `isDefault`: enabled until the user changes it.
 */
export const CHANNEL_MESSAGE_KINDS = [
  { code: 'Morning', th: 'สรุปเช้า', hint: 'ใหม่กี่โครงการ ใกล้ปิดกี่โครงการ เวลา 07:30 น.', isDefault: true },
  { code: 'Deadline_moved', th: 'วันยื่นหรือวันวิจารณ์ของโครงการที่ติดดาวเปลี่ยน', hint: 'ส่งทันที', isDefault: true },
  { code: 'Submission_date_end', th: 'ใกล้วันยื่นข้อเสนอ', isDefault: true },
  { code: 'Discussion_date_end', th: 'ใกล้สิ้นสุดช่วงวิจารณ์', isDefault: true },
  { code: 'Updated', th: 'โครงการที่ติดดาวหรือติดป้ายมีการอัปเดต', isDefault: false },
  { code: 'Document_changed', th: 'เอกสารของประกาศมีฉบับใหม่', isDefault: true },
  { code: 'Document_compared', th: 'ผลเทียบเอกสารฉบับใหม่กับฉบับเดิม', isDefault: false },
  { code: 'Document_found', th: 'พบคำของตัวกรองในเอกสาร', isDefault: false },
  { code: 'Mentioned', th: 'เพื่อนร่วมงานเรียกคุณในโน้ต', hint: 'ส่งทันที', isDefault: true },
  { code: 'Join_requested', th: 'มีคนขอเข้าร่วมทีม', hint: 'ส่งทันที', isDefault: true },
  { code: 'Export_ready', th: 'ไฟล์ที่ส่งออกพร้อมดาวน์โหลด', hint: 'ส่งทันที', isDefault: false },
  { code: 'Followed_department', th: 'ข่าวของหน่วยงานที่รับแจ้ง', isDefault: false },
  { code: 'Followed_company', th: 'ข่าวของบริษัทที่รับแจ้ง', isDefault: false },
  { code: 'Followed_project', th: 'ข่าวของโครงการที่รับแจ้ง', isDefault: false },
  { code: 'Contract_ends', th: 'สัญญาใกล้หมด', isDefault: false },
  { code: 'Question_news', th: 'คำถามที่บันทึกไว้มีคำตอบใหม่', isDefault: false },
  { code: 'Announced_anew', th: 'โครงการที่ยกเลิกไปอาจประกาศใหม่ด้วยเลขอื่น', isDefault: true },
  { code: 'Filter_part_gone', th: 'ตัวกรองที่บันทึกอ้างถึงสิ่งที่ไม่มีแล้ว', isDefault: true },
  { code: 'Term_advice', th: 'คำใกล้เคียงที่น่าเพิ่มหรือเลิกใช้', isDefault: false },
] as const satisfies readonly { code: string; th: string; hint?: string; isDefault: boolean }[]
export type ChannelMessageKind = (typeof CHANNEL_MESSAGE_KINDS)[number]['code']
const KIND_CODES = CHANNEL_MESSAGE_KINDS.map(({ code }) => code)

const timeSchema = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/))

export const channelPreferencesSchema = z.object({
  kinds: z.array(z.enum(KIND_CODES)).check(z.maxLength(KIND_CODES.length)),
  /** Quiet hours, Bangkok `HH:mm`, possibly across midnight; equal times disable them. */
  quiet_from: timeSchema,
  quiet_until: timeSchema,
  working_days_only: z.boolean(),
  /**
   * Ids of the saved filters that apply to `Morning` and `Document_found`; null means the whole report for `Morning`
   * and every filter for `Document_found`.
   */
  filters: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200))),
})
export type ChannelPreferences = z.output<typeof channelPreferencesSchema>

export const DEFAULT_CHANNEL_PREFERENCES: ChannelPreferences = {
  kinds: CHANNEL_MESSAGE_KINDS.flatMap(({ code, isDefault }) => (isDefault ? code : [])),
  quiet_from: '20:00',
  quiet_until: '07:00',
  working_days_only: false,
  filters: null,
}

export const notificationChannelsSchema = z.object({
  channels: z.array(
    z.object({
      channel: z.enum(NOTIFICATION_CHANNELS),
      is_on: z.boolean(),
      ...channelPreferencesSchema.shape,
    }),
  ),
})
export type NotificationChannels = z.output<typeof notificationChannelsSchema>
