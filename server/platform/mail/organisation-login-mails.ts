import { createIntrusionReportMailBlocks, createMailTimeRow } from './notice-mails.ts'
import { type MailContent, renderMail } from './render-mail.ts'

/** Emails about single sign-on. `provider`: the display name of the identity provider. */

type LoginDomainMail = {
  readonly action: 'prove' | 'may' | 'must' | 'ask' | 'trust' | 'remove'
  readonly domain: string
  readonly provider: string
  readonly by: string
  readonly at: Date
  readonly url: string
}

const ACTION_TEXTS: Readonly<Record<LoginDomainMail['action'], string>> = {
  prove: 'เชื่อมโดเมนแล้ว สมาชิกเข้าด้วยบัญชีองค์กรได้',
  may: 'ให้ใช้บัญชีองค์กรหรือรหัสผ่านก็ได้',
  must: 'บังคับให้สมาชิกใช้บัญชีองค์กรเท่านั้น',
  ask: 'ถามการยืนยันสองขั้นของตามงานด้วย',
  trust: 'ใช้การยืนยันสองขั้นของผู้ให้บริการแทนของตามงาน',
  remove: 'ยกเลิกการเชื่อมโดเมน',
}

export function renderLoginDomainChangedMail({ action, domain, provider, by, at, url }: LoginDomainMail): MailContent {
  return renderMail({
    subject: 'การเข้าสู่ระบบด้วยบัญชีองค์กรเปลี่ยนแล้ว',
    preview: `${domain}: ${ACTION_TEXTS[action]}`,
    blocks: [
      { text: 'มีการเปลี่ยนวิธีที่สมาชิกขององค์กรเข้าสู่ระบบตามงาน' },
      {
        facts: [
          ['โดเมน', domain],
          ['ผู้ให้บริการ', provider],
          ['สิ่งที่เปลี่ยน', ACTION_TEXTS[action]],
          ['ทำโดย', by],
          createMailTimeRow(at),
        ],
      },
      { button: 'ดูการตั้งค่า', url },
      { note: 'ถ้าไม่มีใครในทีมทำ ยกเลิกที่หน้านั้นทันที แล้วให้เจ้าของบัญชีเปลี่ยนรหัสผ่าน' },
    ],
  })
}

type AccountLinkedMail = { readonly provider: string; readonly at: Date; readonly notMeUrl: string }

export function renderAccountLinkedMail({ provider, at, notMeUrl }: AccountLinkedMail): MailContent {
  return renderMail({
    subject: 'เข้าสู่ระบบตามงานด้วยบัญชีองค์กรครั้งแรก',
    preview: `บัญชีของคุณผูกกับ ${provider} แล้ว`,
    blocks: [
      { text: `มีการเข้าสู่ระบบบัญชีของคุณด้วย ${provider} เป็นครั้งแรก ต่อจากนี้บัญชีนี้เข้าได้ด้วยบัญชีองค์กรเดิมนั้นเท่านั้น` },
      { facts: [['ผู้ให้บริการ', provider], createMailTimeRow(at)] },
      ...createIntrusionReportMailBlocks(notMeUrl),
    ],
  })
}

type IdentityMismatchMail = { readonly provider: string; readonly email: string; readonly at: Date }

/** Sent when a different identity with the same e-mail address tried to log in. */
export function renderIdentityMismatchMail({ provider, email, at }: IdentityMismatchMail): MailContent {
  return renderMail({
    subject: 'มีบัญชีองค์กรอื่นพยายามเข้าตามงานด้วยอีเมลของคุณ',
    preview: 'ระบบไม่ให้เข้า',
    blocks: [
      { text: `มีการเข้าสู่ระบบด้วยบัญชี ${provider} ที่ใช้อีเมลเดียวกับคุณ แต่ไม่ใช่บัญชีเดิมที่ผูกไว้ ระบบจึงไม่ให้เข้า` },
      { facts: [['อีเมล', email], ['ผู้ให้บริการ', provider], createMailTimeRow(at)] },
      { note: 'ถ้าบริษัทเพิ่งสร้างบัญชีใหม่ให้คุณ ขอให้ผู้ดูแลทีมล้างการผูกบัญชีเดิมที่หน้าตั้งค่า ถ้าไม่ใช่ แจ้งผู้ดูแลไอทีของบริษัท' },
    ],
  })
}
