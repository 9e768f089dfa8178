import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { createIntrusionReportMailBlocks } from './notice-mails.ts'
import { type MailContent, renderMail } from './render-mail.ts'

/**
 * Emails to every super user about webhooks. They name only the host, because other parts of the URL may contain a
 * secret.
 */

type WebhookMadeMail = {
  readonly what: 'made' | 'moved' | 'secret'
  readonly name: string
  readonly host: string
  readonly events: readonly string[]
  readonly by: string
  readonly at: Date
  readonly url: string
  readonly notMeUrl?: string | undefined
}

const SUBJECTS = {
  made: 'มีเว็บฮุกใหม่ขององค์กรในตามงาน',
  moved: 'เว็บฮุกขององค์กรในตามงานส่งไปที่อยู่ใหม่',
  secret: 'เว็บฮุกขององค์กรในตามงานมีรหัสลับใหม่',
}
const TEXTS = {
  made: 'มีการสร้างเว็บฮุกใหม่ เหตุการณ์ด้านล่างจะถูกส่งไปที่ปลายทางนี้ทุกครั้งที่เกิดขึ้น',
  moved: 'ที่อยู่ปลายทางของเว็บฮุกถูกเปลี่ยน เหตุการณ์ด้านล่างจะถูกส่งไปที่ใหม่',
  secret: 'รหัสลับของเว็บฮุกถูกเปลี่ยน รหัสเดิมใช้ได้อีก 24 ชั่วโมง โปรแกรมที่รับต้องเปลี่ยนตามก่อนนั้น',
}

export function renderWebhookChangedMail({
  what,
  name,
  host,
  events,
  by,
  at,
  url,
  notMeUrl,
}: WebhookMadeMail): MailContent {
  return renderMail({
    subject: SUBJECTS[what],
    preview: `“${name}” ส่งไปที่ ${host}`,
    blocks: [
      { text: TEXTS[what] },
      {
        facts: [
          ['ชื่อ', name],
          ['ปลายทาง', host],
          ['เหตุการณ์', events.join(', ')],
          ['ทำโดย', by],
          ['เวลา', `${formatBangkokTime(at)} น.`],
        ],
      },
      { button: 'ดูเว็บฮุกทั้งหมด', url },
      ...(notMeUrl === undefined
        ? [{ note: 'ถ้าไม่มีใครในทีมทำ ลบเว็บฮุกนี้ทันทีที่หน้านั้น แล้วให้เจ้าของบัญชีเปลี่ยนรหัสผ่าน' }]
        : createIntrusionReportMailBlocks(notMeUrl)),
    ],
  })
}

type WebhookPausedMail = {
  readonly name: string
  readonly host: string
  readonly reason: 'gone' | 'failing'
  readonly since: Date
  readonly at: Date
  readonly url: string
}

export function renderWebhookPausedMail({ name, host, reason, since, at, url }: WebhookPausedMail): MailContent {
  const why =
    reason === 'gone' ? `ปลายทาง ${host} ตอบว่าไม่รับอีกแล้ว (410) จึงหยุดส่ง` : `ส่งไปที่ ${host} ไม่สำเร็จเลยตลอดสามวัน จึงพักการส่งไว้`
  return renderMail({
    subject: 'เว็บฮุกขององค์กรในตามงานถูกพัก',
    preview: `“${name}” พักอยู่`,
    blocks: [
      { text: `${why} เหตุการณ์ที่เกิดระหว่างพักยังเก็บไว้ 30 วัน เปิดใช้ต่อแล้วกดส่งซ้ำได้` },
      {
        facts: [
          ['ชื่อ', name],
          ['ปลายทาง', host],
          ['ไม่สำเร็จตั้งแต่', `${formatBangkokTime(since)} น.`],
          ['พักเมื่อ', `${formatBangkokTime(at)} น.`],
        ],
      },
      { button: 'ดูเว็บฮุก', url },
    ],
  })
}
