import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { type MailContent, renderMail } from './render-mail.ts'

/** The mails about accounts. What a person did not start themselves says what to do then. */

/** The code of registration. Not in the subject: subjects stand in the logs of mail servers. */
export function registerOtpMail({ otp, minutes }: { otp: string; minutes: number }): MailContent {
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

/** Instead of a code, where the form must not tell that the address is taken (ENUMERATION=strict). */
export function alreadyRegisteredMail({ loginUrl, resetUrl }: { loginUrl: string; resetUrl: string }): MailContent {
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

export function passwordResetMail({ url, minutes }: { url: string; minutes: number }): MailContent {
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
  /** Who invites, by name or e-mail address, and where to. */
  readonly name: string
  readonly organisation: string
  readonly url: string
  readonly days: number
}

/** Asks somebody into an organisation. They may never have heard of the product, so it says in a sentence what that is. */
export function invitationMail({ name, organisation, url, days }: InvitationMail): MailContent {
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
  /** As typed by whoever asks. */
  readonly name: string
  readonly email: string
  readonly organisation: string
  /** Where requests are decided. */
  readonly url: string
}

/** Tells a super user that somebody asks to be let in. What strangers typed is said to be unchecked. */
export function joinRequestMail({ name, email, organisation, url }: JoinRequestMail): MailContent {
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

export type ApiKeyMadeMail = {
  readonly name: string
  /** What it may read, in words. */
  readonly scopes: readonly string[]
  /** The mail address of who made it. */
  readonly by: string
  readonly at: Date
  readonly expiresAt: Date | null
  readonly url: string
}

/** Tells each super user of a key that reads what is the organisation's. */
export function apiKeyMadeMail({ name, scopes, by, at, expiresAt, url }: ApiKeyMadeMail): MailContent {
  return renderMail({
    subject: 'มีคีย์ API ใหม่ขององค์กรในตามงาน',
    preview: `คีย์ “${name}” อ่านข้อมูลขององค์กรได้`,
    blocks: [
      { text: 'มีการสร้างคีย์ API ใหม่ ใครถือคีย์นี้อ่านข้อมูลขององค์กรได้ตามสิทธิ์ด้านล่าง โดยไม่ต้องเข้าสู่ระบบ' },
      {
        facts: [
          ['ชื่อ', name],
          ['อ่านได้', scopes.join(', ')],
          ['ใช้ได้ถึง', expiresAt === null ? 'ไม่หมดอายุ' : `${formatBangkokTime(expiresAt)} น.`],
          ['สร้างโดย', by],
          ['เวลา', `${formatBangkokTime(at)} น.`],
        ],
      },
      { button: 'ดูคีย์ทั้งหมด', url },
      { note: 'ถ้าไม่มีใครในทีมสร้างคีย์นี้ ยกเลิกทันทีที่หน้านั้น แล้วให้เจ้าของบัญชีเปลี่ยนรหัสผ่าน' },
    ],
  })
}

type Event = { readonly at: Date; readonly resetUrl: string }

const when = (at: Date): readonly (readonly [string, string])[] => [['เวลา', `${formatBangkokTime(at)} น.`]]
const notMe = (resetUrl: string) => ({
  note: `ถ้าไม่ใช่คุณ ตั้งรหัสผ่านใหม่ทันทีที่ ${resetUrl} แล้วแจ้งผู้ดูแลขององค์กร`,
})

export function passwordChangedMail({ at, resetUrl }: Event): MailContent {
  return renderMail({
    subject: 'รหัสผ่านตามงานของคุณถูกเปลี่ยนแล้ว',
    preview: 'อุปกรณ์อื่นที่เข้าใช้งานค้างไว้ถูกออกจากระบบแล้ว',
    blocks: [
      { text: 'รหัสผ่านของบัญชีคุณถูกเปลี่ยนแล้ว และอุปกรณ์อื่นที่เข้าใช้งานค้างไว้ถูกออกจากระบบทั้งหมด' },
      { facts: when(at) },
      notMe(resetUrl),
    ],
  })
}

export function sessionsEndedMail({ at, resetUrl }: Event): MailContent {
  return renderMail({
    subject: 'บัญชีตามงานของคุณออกจากระบบทุกอุปกรณ์แล้ว',
    preview: 'เข้าสู่ระบบอีกครั้งเมื่อต้องการใช้งาน',
    blocks: [{ text: 'มีการสั่งออกจากระบบทุกอุปกรณ์จากหน้าตั้งค่าของบัญชีคุณ' }, { facts: when(at) }, notMe(resetUrl)],
  })
}

/** A refresh token came a second time: somebody may hold a copy (R9). */
export function sessionCopiedMail({ at, resetUrl }: Event): MailContent {
  return renderMail({
    subject: 'ตามงานปิดการเข้าใช้งานที่น่าสงสัยของคุณ',
    preview: 'เข้าสู่ระบบอีกครั้งเพื่อใช้งานต่อ',
    blocks: [
      { text: 'ข้อมูลการเข้าใช้งานหนึ่งของคุณถูกใช้ซ้ำ ซึ่งอาจแปลว่ามีคนอื่นคัดลอกไป เราจึงปิดการเข้าใช้งานนั้นแล้ว' },
      { facts: when(at) },
      { text: 'เข้าสู่ระบบอีกครั้งเพื่อใช้งานต่อ ข้อมูลที่บันทึกไว้ยังอยู่ครบ' },
      notMe(resetUrl),
    ],
  })
}
