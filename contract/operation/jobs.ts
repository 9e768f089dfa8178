import { z } from 'zod/mini'

const line = {
  id: z.number(),
  kind: z.string(),
  /** Code of the organisation that the job belongs to; null for a job of the server itself. */
  organisation: z.nullable(z.string()),
  attempts: z.number(),
  /** Status code or type of error. Never a message text, which could contain a name or address. */
  failure: z.nullable(z.string()),
}

/**
 * `GET /operation/jobs`: dead, queued and running jobs, and undelivered emails; at most 50 of each. Times are UTC ISO.
 */
export const operatorJobsSchema = z.object({
  checked_at: z.string(),
  jobs: z.array(
    z.object({
      ...line,
      state: z.enum(['waiting', 'running', 'dead']),
      requested_at: z.string(),
      at: z.string(),
      can_restart: z.boolean(),
    }),
  ),
  mails: z.array(
    z.object({
      ...line,
      state: z.enum(['queued', 'failed', 'expired']),
      created_at: z.string(),
      can_resend: z.boolean(),
    }),
  ),
})
export type OperatorJobs = z.output<typeof operatorJobsSchema>
export type OperatorJobRow = OperatorJobs['jobs'][number]
export type UndeliveredEmail = OperatorJobs['mails'][number]

/** What an operator reads for each kind of job. */
export const OPERATOR_JOB_NAMES: Readonly<Record<string, string>> = {
  match: 'จับคู่โครงการ',
  export: 'ไฟล์ส่งออก',
  report_mail: 'เขียนอีเมลรายงาน',
  follow_mail: 'เขียนอีเมลเรื่องที่รับแจ้ง',
  'coverage-mail': 'เขียนอีเมลความครบถ้วนของประกาศ',
  question: 'หาคำตอบของคำถามที่บันทึก',
  mail: 'ส่งอีเมล',
  line_event: 'รับข้อความจาก LINE',
  intake: 'ดึงข้อมูลจากแหล่ง',
  document: 'อ่านเอกสาร',
  'document-compare': 'เทียบเอกสาร',
  'document-found': 'หาตัวกรองที่ตรงกับเอกสาร',
  'document-match': 'หาคำติดตามในเอกสาร',
  'document-fill': 'เติมค่าจากเอกสาร',
  'document-picture': 'อ่านข้อความจากภาพ',
  channel: 'ส่ง push และ LINE',
  webhook: 'ส่งเว็บฮุก',
  'term-advice': 'หาคำที่น่าเพิ่มหรือเลิกใช้',
}
