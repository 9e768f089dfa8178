import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { type MailBlock, type MailContent, renderMail } from './render-mail.ts'

export const createMailTimeRow = (at: Date): readonly [string, string] => ['เวลา', `${formatBangkokTime(at)} น.`]

/** `notMeUrl`: a single-use link that ends all sessions and leads to a new password. */
type Notice = { readonly at: Date; readonly notMeUrl: string }

export const createIntrusionReportMailBlocks = (url: string): readonly MailBlock[] => [
  { text: 'ถ้าไม่ใช่คุณ กดปุ่มนี้ ระบบจะออกจากระบบทุกอุปกรณ์ ยกเลิกทุกอย่างที่เพิ่มไว้ตั้งแต่การเข้าสู่ระบบครั้งนั้น แล้วพาไปตั้งรหัสผ่านใหม่' },
  { button: 'ไม่ใช่ฉัน', url },
  { note: 'ลิงก์ใช้ได้ 3 วันและใช้ได้ครั้งเดียว ถ้าเป็นคุณเอง ไม่ต้องทำอะไร' },
]

export type ApiKeyCreatedMail = {
  readonly name: string
  readonly scopes: readonly string[]
  readonly by: string
  readonly at: Date
  readonly expiresAt: Date | null
  readonly url: string
  readonly notMeUrl?: string | undefined
}

export function renderApiKeyCreatedMail({
  name,
  scopes,
  by,
  at,
  expiresAt,
  url,
  notMeUrl,
}: ApiKeyCreatedMail): MailContent {
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
          createMailTimeRow(at),
        ],
      },
      { button: 'ดูคีย์ทั้งหมด', url },
      ...(notMeUrl === undefined
        ? [{ note: 'ถ้าไม่มีใครในทีมสร้างคีย์นี้ ยกเลิกทันทีที่หน้านั้น แล้วให้เจ้าของบัญชีเปลี่ยนรหัสผ่าน' }]
        : createIntrusionReportMailBlocks(notMeUrl)),
    ],
  })
}

/** Renders the notice of a changed password. `ended`: other access that the owner revoked together with the change. */
export function renderPasswordChangedMail({
  at,
  notMeUrl,
  ended = [],
}: Notice & { readonly ended?: readonly string[] }): MailContent {
  return renderMail({
    subject: 'รหัสผ่านตามงานของคุณถูกเปลี่ยนแล้ว',
    preview: 'อุปกรณ์อื่นที่เข้าใช้งานค้างไว้ถูกออกจากระบบแล้ว',
    blocks: [
      { text: 'รหัสผ่านของบัญชีคุณถูกเปลี่ยนแล้ว และอุปกรณ์อื่นที่เข้าใช้งานค้างไว้ถูกออกจากระบบทั้งหมด' },
      { facts: [...(ended.length > 0 ? [['ยกเลิกไปด้วย', ended.join(', ')] as const] : []), createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

/**
 * Renders the notice of a changed second factor. `what`: a short Thai phrase for the change, such as
 * `เพิ่มพาสคีย์ “โทรศัพท์”`.
 */
export function renderSecondFactorChangedMail({ at, notMeUrl, what }: Notice & { readonly what: string }): MailContent {
  return renderMail({
    subject: 'การยืนยันสองขั้นของบัญชีตามงานเปลี่ยนแล้ว',
    preview: what,
    blocks: [
      { text: 'วิธียืนยันตัวตนตอนเข้าสู่ระบบของบัญชีคุณเปลี่ยนแล้ว' },
      { facts: [['สิ่งที่เปลี่ยน', what], createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

/**
 * Renders the email sent when a correct password is followed by a wrong second factor, by an intruder or by an owner
 * whose phone clock is wrong.
 */
export function renderSecondFactorFailedMail({
  at,
  notMeUrl,
  device,
  address,
}: Notice & { readonly device: string; readonly address: string }): MailContent {
  return renderMail({
    subject: 'มีคนเข้าตามงานด้วยรหัสผ่านของคุณ แต่ยืนยันขั้นที่สองไม่ผ่าน',
    preview: 'ระบบยังไม่ให้เข้า',
    blocks: [
      {
        text: 'มีการเข้าสู่ระบบด้วยอีเมลและรหัสผ่านที่ถูกต้องของคุณ แต่ยืนยันขั้นที่สองผิดหลายครั้ง ระบบยังไม่ให้เข้า ถ้าไม่ใช่คุณ แปลว่ามีคนรู้รหัสผ่านนี้แล้ว',
      },
      { facts: [['อุปกรณ์', device], ['ที่อยู่เครือข่าย', address], createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

export function renderRoleChangedMail({
  at,
  notMeUrl,
  role,
  by,
}: Notice & { readonly role: string; readonly by: string }): MailContent {
  return renderMail({
    subject: 'สิทธิ์ของคุณในตามงานเปลี่ยนแล้ว',
    preview: `ตอนนี้คุณเป็น ${role}`,
    blocks: [
      { text: 'ผู้ดูแลขององค์กรเปลี่ยนสิทธิ์ของบัญชีคุณ' },
      { facts: [['สิทธิ์ตอนนี้', role], ['เปลี่ยนโดย', by], createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

export function renderNewDeviceMail({
  at,
  notMeUrl,
  device,
  address,
}: Notice & { readonly device: string; readonly address: string }): MailContent {
  return renderMail({
    subject: 'มีการเข้าสู่ระบบตามงานจากอุปกรณ์ใหม่',
    preview: device,
    blocks: [
      { text: 'มีการเข้าสู่ระบบด้วยบัญชีของคุณจากอุปกรณ์ที่ไม่เคยใช้มาก่อน' },
      { facts: [['อุปกรณ์', device], ['ที่อยู่เครือข่าย', address], createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

type Event = { readonly at: Date; readonly resetUrl: string }

const resetNow = (resetUrl: string): MailBlock => ({
  note: `ถ้าไม่ใช่คุณ ตั้งรหัสผ่านใหม่ทันทีที่ ${resetUrl} แล้วแจ้งผู้ดูแลขององค์กร`,
})

export function renderSessionsEndedMail({ at, resetUrl }: Event): MailContent {
  return renderMail({
    subject: 'บัญชีตามงานของคุณออกจากระบบทุกอุปกรณ์แล้ว',
    preview: 'เข้าสู่ระบบอีกครั้งเมื่อต้องการใช้งาน',
    blocks: [
      { text: 'มีการสั่งออกจากระบบทุกอุปกรณ์จากหน้าตั้งค่าของบัญชีคุณ' },
      { facts: [createMailTimeRow(at)] },
      resetNow(resetUrl),
    ],
  })
}

/** Sent when a refresh token was used twice: someone may have a copy (R9). */
export function renderRefreshTokenReusedMail({ at, resetUrl }: Event): MailContent {
  return renderMail({
    subject: 'ตามงานปิดการเข้าใช้งานที่น่าสงสัยของคุณ',
    preview: 'เข้าสู่ระบบอีกครั้งเพื่อใช้งานต่อ',
    blocks: [
      { text: 'ข้อมูลการเข้าใช้งานหนึ่งของคุณถูกใช้ซ้ำ ซึ่งอาจแปลว่ามีคนอื่นคัดลอกไป เราจึงปิดการเข้าใช้งานนั้นแล้ว' },
      { facts: [createMailTimeRow(at)] },
      { text: 'เข้าสู่ระบบอีกครั้งเพื่อใช้งานต่อ ข้อมูลที่บันทึกไว้ยังอยู่ครบ' },
      resetNow(resetUrl),
    ],
  })
}
