import { createIntrusionReportMailBlocks, createMailTimeRow } from './notice-mails.ts'
import { type MailContent, renderMail } from './render-mail.ts'

type EmailChangeMail = {
  readonly oldEmail: string
  readonly newEmail: string
  readonly url: string
  readonly hours: number
  readonly at: Date
}

/** Sent to the current address; its one link leads to a page where the user confirms or refuses the change. */
export function renderConfirmOldEmailMail({ newEmail, url, hours, at }: EmailChangeMail): MailContent {
  return renderMail({
    subject: 'มีการขอเปลี่ยนอีเมลของบัญชีตามงาน',
    preview: `ขอเปลี่ยนเป็น ${newEmail}`,
    blocks: [
      { text: 'มีการขอเปลี่ยนอีเมลที่ใช้เข้าสู่ระบบของบัญชีคุณ อีเมลจะเปลี่ยนเมื่อยืนยันจากทั้งอีเมลนี้และอีเมลใหม่' },
      { facts: [['อีเมลใหม่', newEmail], createMailTimeRow(at)] },
      { button: 'ยืนยันหรือหยุดการเปลี่ยน', url },
      { note: `ลิงก์ใช้ได้ ${hours} ชั่วโมง ถ้าไม่ใช่คุณ เปิดลิงก์แล้วกดหยุด แล้วเปลี่ยนรหัสผ่าน ถ้าไม่ทำอะไร อีเมลจะไม่เปลี่ยน` },
    ],
  })
}

export function renderConfirmNewEmailMail({ oldEmail, url, hours }: EmailChangeMail): MailContent {
  return renderMail({
    subject: 'ยืนยันอีเมลใหม่ของบัญชีตามงาน',
    preview: `ลิงก์ใช้ได้ ${hours} ชั่วโมง`,
    blocks: [
      { text: 'มีการขอใช้อีเมลนี้เข้าสู่ระบบตามงานแทนอีเมลเดิม ต้องยืนยันจากทั้งสองอีเมล' },
      { facts: [['อีเมลเดิม', oldEmail]] },
      { button: 'ยืนยันอีเมลนี้', url },
      { note: `ลิงก์ใช้ได้ ${hours} ชั่วโมง ถ้าคุณไม่ได้ขอ ไม่ต้องทำอะไร` },
    ],
  })
}

export function renderEmailChangedMail({
  at,
  notMeUrl,
  newEmail,
}: {
  readonly at: Date
  readonly notMeUrl?: string
  readonly newEmail: string
}): MailContent {
  return renderMail({
    subject: 'อีเมลของบัญชีตามงานเปลี่ยนแล้ว',
    preview: `เข้าสู่ระบบด้วย ${newEmail}`,
    blocks: [
      { text: 'อีเมลที่ใช้เข้าสู่ระบบของบัญชีคุณเปลี่ยนแล้ว ตั้งแต่นี้จดหมายทั้งหมดส่งไปที่อีเมลใหม่' },
      { facts: [['อีเมลใหม่', newEmail], createMailTimeRow(at)] },
      ...(notMeUrl === undefined
        ? [{ note: 'ผู้ดูแลระบบเปลี่ยนให้ตามคำขอ ถ้าคุณไม่ได้ขอ ตอบจดหมายนี้ทันที' }]
        : createIntrusionReportMailBlocks(notMeUrl)),
    ],
  })
}
