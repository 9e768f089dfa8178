import sql from 'sql-template-tag'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import type { IntakeSource } from '#server/catalogue/intake/intake-sources.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderMail } from '#server/platform/mail/render-mail.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'

/**
 * Messages for failures caused by the remote side. A nightly run that was merely too short is visible on the screen and
 * raises an alarm after 36 hours.
 */
const FAILURES: Readonly<Record<string, string>> = {
  refused: 'ต้นทางขอให้หยุดหลายครั้ง ระบบจึงพักจนถึงคืนถัดไป',
  closed: 'ต้นทางไม่ตอบ',
  halted: 'ต้นทางปฏิเสธ ระบบหยุดถามจนกว่าจะเปิดใหม่',
}
const RECENT_HOURS = 24

type FailedNight = { night: string; outcome: string; requests: number; planned: number; newItems: number }

export async function notifyNightlyIntakeFailure(
  db: Db,
  mails: OutgoingMailQueue,
  source: IntakeSource,
  at: Date,
): Promise<void> {
  const [night] = await db.query<FailedNight>(sql`
    select night, outcome, requests, planned, new_items as "newItems" from intake_nights
    where source = ${source} and ended_at > ${at.toISOString()}::timestamptz - make_interval(hours => ${RECENT_HOURS}::int)
    order by night desc limit 1`)
  const why = night && FAILURES[night.outcome]
  if (why === undefined) return
  const operators = await db.query<{ id: number; organisationId: number; email: string }>(sql`
    select id, organisation_id as "organisationId", email from users where role = ${OPERATOR_ROLE} and not is_disabled order by id`)
  const content = failedMail(source, night!, why, mails.link('/operation/sources'))
  await db.transaction(async (tx) => {
    for (const { id: userId, organisationId, email: to } of operators) {
      const dedupeKey = `intake-failed:${source}:${night!.night}:${userId}`
      await mails.queue(tx, { kind: 'intake_failed', to, content, dedupeKey, userId, organisationId }, at)
    }
  })
}

const failedMail = (source: string, { night, requests, planned, newItems }: FailedNight, why: string, screen: string) =>
  renderMail({
    subject: `คืนวันที่ ${formatThaiDate(night)} ดึงข้อมูลจาก ${source} ไม่สำเร็จ`,
    preview: why,
    blocks: [
      { text: `${why} ประกาศใหม่ของคืนนี้อาจยังมาไม่ครบ คืนถัดไประบบจะถามส่วนที่ขาดต่อเอง` },
      {
        facts: [
          ['ถามไปแล้ว', `${requests} จาก ${planned} คำขอ`],
          ['ประกาศใหม่ที่ได้', String(newItems)],
        ],
      },
      { button: 'เปิดหน้าแหล่งข้อมูล', url: screen },
    ],
  })
