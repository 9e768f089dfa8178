import { type MailContent, renderMail } from './render-mail.ts'

/** Renders the email with the registration code. The code is not in the subject, because mail servers log subjects. */
export function renderRegistrationOtpMail({ otp, minutes }: { otp: string; minutes: number }): MailContent {
  return renderMail({
    subject: 'รหัสยืนยันการสมัครใช้งานตามงาน',
    preview: `รหัสใช้ได้ ${minutes} นาที`,
    blocks: [
      { text: 'กรอกรหัสนี้ในหน้าสมัครใช้งานเพื่อยืนยันว่าอีเมลนี้เป็นของคุณ' },
      { code: otp },
      { text: `รหัสใช้ได้ ${minutes} นาทีและใช้ได้ครั้งเดียว ถ้าขอรหัสใหม่ รหัสนี้จะใช้ไม่ได้อีก` },
      { note: 'อย่าบอกรหัสนี้กับใคร ถ้าคุณไม่ได้สมัคร ไม่ต้องทำอะไร บัญชีจะไม่ถูกสร้าง' },
    ],
  })
}

/**
 * Sent instead of a code when the registration form must not reveal that the address is registered
 * (ENUMERATION=strict).
 */
export function renderAlreadyRegisteredMail({
  loginUrl,
  resetUrl,
}: {
  loginUrl: string
  resetUrl: string
}): MailContent {
  return renderMail({
    subject: 'อีเมลนี้มีบัญชีตามงานอยู่แล้ว',
    preview: 'เข้าสู่ระบบด้วยบัญชีเดิมได้เลย',
    blocks: [
      { text: 'มีการสมัครใช้งานด้วยอีเมลนี้ แต่คุณมีบัญชีอยู่แล้ว จึงไม่ต้องสมัครใหม่' },
      { button: 'เข้าสู่ระบบ', url: loginUrl },
      { text: `ถ้าลืมรหัสผ่าน ตั้งใหม่ได้ที่ ${resetUrl}` },
      { note: 'ถ้าคุณไม่ได้สมัคร ไม่ต้องทำอะไร บัญชีของคุณไม่มีอะไรเปลี่ยนแปลง' },
    ],
  })
}

export function renderPasswordResetMail({ url, minutes }: { url: string; minutes: number }): MailContent {
  return renderMail({
    subject: 'ตั้งรหัสผ่านใหม่สำหรับตามงาน',
    preview: `ลิงก์ใช้ได้ ${minutes} นาที`,
    blocks: [
      { text: 'มีการขอตั้งรหัสผ่านใหม่สำหรับบัญชีของอีเมลนี้' },
      { button: 'ตั้งรหัสผ่านใหม่', url },
      { text: `ลิงก์ใช้ได้ ${minutes} นาทีและใช้ได้ครั้งเดียว ถ้าขอลิงก์หลายครั้ง ใช้ได้เฉพาะลิงก์ล่าสุด` },
      { note: 'ถ้าคุณไม่ได้ขอ ไม่ต้องทำอะไร รหัสผ่านเดิมยังใช้ได้ และอย่าส่งต่ออีเมลนี้ให้ใคร' },
    ],
  })
}

export type InvitationMail = {
  readonly name: string
  readonly organisation: string
  readonly url: string
  readonly days: number
}

/** Renders an invitation. The recipient may not know the product, so the text explains it in one sentence. */
export function renderInvitationMail({ name, organisation, url, days }: InvitationMail): MailContent {
  return renderMail({
    subject: 'คำเชิญเข้าร่วมทีมในตามงาน',
    preview: `${name} ชวนคุณเข้าร่วม ${organisation}`,
    blocks: [
      { text: `${name} ชวนคุณเข้าร่วมทีม ${organisation} ในตามงาน ระบบติดตามงานจัดซื้อจัดจ้างภาครัฐที่ตรงกับงานของคุณ` },
      { button: 'เข้าร่วมทีม', url },
      { text: `ลิงก์ใช้ได้ ${days} วันและใช้ได้ครั้งเดียว ถ้าได้รับคำเชิญหลายฉบับ ใช้ได้เฉพาะฉบับล่าสุด` },
      { note: 'ถ้าไม่รู้จักผู้เชิญ ไม่ต้องทำอะไร บัญชีจะไม่ถูกสร้าง' },
    ],
  })
}

export type JoinRequestMail = {
  readonly name: string
  readonly email: string
  readonly organisation: string
  readonly url: string
}

export function renderJoinRequestMail({ name, email, organisation, url }: JoinRequestMail): MailContent {
  return renderMail({
    subject: 'มีคนขอเข้าร่วมทีมในตามงาน',
    preview: `ขอเข้าร่วม ${organisation}`,
    blocks: [
      { text: `มีคนสมัครใช้งานด้วยชื่อ ${organisation} และขอเข้าร่วมทีมของคุณ` },
      {
        facts: [
          ['ชื่อที่กรอก', name],
          ['อีเมลที่กรอก', email],
        ],
      },
      { button: 'ดูคำขอ', url },
      { note: 'ระบบยังไม่ได้ตรวจว่าเป็นใคร รับเฉพาะคนที่คุณรู้จัก ถ้าไม่รู้จัก ไม่ต้องทำอะไร จะไม่มีใครเข้าทีมได้' },
    ],
  })
}
