import { createIntrusionReportMailBlocks, createMailTimeRow } from './notice-mails.ts'
import { type MailBlock, type MailContent, renderMail } from './render-mail.ts'

type IntruderMail = {
  readonly at: Date
  readonly email: string
  readonly ended: readonly string[]
  readonly accounts: readonly (readonly [person: string, role: string])[]
  readonly url: string
}

export function renderIntruderCreatedAccountsMail({ at, email, ended, accounts, url }: IntruderMail): MailContent {
  return renderMail({
    subject: 'มีคนอื่นใช้บัญชีของเพื่อนร่วมทีมในตามงาน',
    preview: accounts.length > 0 ? `มีบัญชีที่เข้ามาทางนั้น ${accounts.length} บัญชี ปิดไว้แล้ว` : 'ยกเลิกสิ่งที่ถูกสร้างไว้แล้ว',
    blocks: [
      { text: `เจ้าของบัญชี ${email} แจ้งว่ามีคนอื่นใช้บัญชีนี้ ระบบออกจากระบบทุกอุปกรณ์และยกเลิกสิ่งที่ถูกสร้างไว้ตั้งแต่นั้นแล้ว` },
      { facts: [...(ended.length > 0 ? [['ยกเลิกแล้ว', ended.join(', ')] as const] : []), createMailTimeRow(at)] },
      ...(accounts.length === 0
        ? []
        : [
            { text: 'บัญชีด้านล่างเข้ามาด้วยคำเชิญจากบัญชีนั้น ระบบปิดไว้ก่อน ตรวจสอบว่ารู้จักทุกคน แล้วเปิดใช้งานอีกครั้งเฉพาะคนในทีม' },
            { facts: accounts },
          ]),
      { button: 'ดูทีมงาน', url },
    ] satisfies MailBlock[],
  })
}

export function renderAccessRevokedMail({
  email,
  occasion,
  ended,
  at,
  url,
}: Pick<IntruderMail, 'email' | 'ended' | 'at' | 'url'> & {
  readonly occasion: 'closed' | 'demoted' | 'everything'
}): MailContent {
  const why = {
    closed: `บัญชี ${email} ถูกปิด`,
    demoted: `${email} ไม่ได้เป็นผู้ดูแลแล้ว`,
    everything: `${email} ตั้งรหัสผ่านใหม่และเลือกยกเลิกทุกทางเข้าที่ไม่ต้องเข้าสู่ระบบ`,
  }[occasion]
  return renderMail({
    subject: 'สิ่งที่หยุดทำงานพร้อมสิทธิ์ของเพื่อนร่วมทีมในตามงาน',
    preview: ended.join(', '),
    blocks: [
      { text: `${why} สิ่งที่คนนี้สร้างไว้และใช้ได้โดยไม่ต้องเข้าสู่ระบบจึงหยุดทำงาน` },
      { facts: [['หยุดแล้ว', ended.join(', ')], createMailTimeRow(at)] },
      { text: 'ถ้าทีมยังใช้อยู่ ผู้ดูแลสร้างคีย์ API คำเชิญ หรือเชื่อมกลุ่ม LINE ใหม่ได้ และเปิดเว็บฮุกเดิมอีกครั้งได้ที่หน้าตั้งค่า' },
      { button: 'เปิดการตั้งค่า', url },
    ],
  })
}

const SUPER_USER = {
  invited: ['มีการเชิญผู้ดูแลคนใหม่เข้าทีมในตามงาน', 'ถูกเชิญเป็นผู้ดูแล ถ้าตอบรับจะเห็นและแก้ได้ทุกอย่างขององค์กร'],
  joined: ['มีผู้ดูแลคนใหม่เข้าทีมในตามงานแล้ว', 'ตอบรับคำเชิญและเป็นผู้ดูแลแล้ว เห็นและแก้ได้ทุกอย่างขององค์กร'],
  promoted: ['มีสมาชิกได้สิทธิ์ผู้ดูแลในตามงาน', 'ได้สิทธิ์ผู้ดูแล เห็นและแก้ได้ทุกอย่างขององค์กร'],
} as const

type SuperUserMail = {
  readonly what: keyof typeof SUPER_USER
  readonly email: string
  readonly by: string
  readonly at: Date
  readonly url: string
  /**
   * URL to report that the recipient did not act. Set only in the email to the person who acted; colleagues should talk
   * to that person first.
   */
  readonly notMeUrl?: string | undefined
}

/** Sent to super users about a new super user, who gains control of the whole organisation. */
export function renderNewSuperUserMail({ what, email, by, at, url, notMeUrl }: SuperUserMail): MailContent {
  const [subject, text] = SUPER_USER[what]
  return renderMail({
    subject,
    preview: email,
    blocks: [
      { text: `${email} ${text}` },
      { facts: [['อีเมล', email], [what === 'joined' ? 'เชิญโดย' : 'ทำโดย', by], createMailTimeRow(at)] },
      { button: 'ดูทีมงาน', url },
      ...(notMeUrl === undefined
        ? [{ note: 'ถ้าไม่ควรเป็นผู้ดูแล ยกเลิกคำเชิญหรือเปลี่ยนสิทธิ์ทันทีที่หน้านั้น แล้วให้คนที่ทำเปลี่ยนรหัสผ่าน' }]
        : createIntrusionReportMailBlocks(notMeUrl)),
    ],
  })
}

const ACCESS_MADE = {
  calendar_feed_made: ['มีลิงก์ลับใหม่ของบัญชีคุณในตามงาน', 'มีการสร้างลิงก์ลับ ใครถือลิงก์นี้อ่านรายการของคุณได้โดยไม่ต้องเข้าสู่ระบบ'],
  line_code_made: [
    'มีการขอรหัสเชื่อม LINE กับบัญชีของคุณในตามงาน',
    'มีการขอรหัสเชื่อม LINE รหัสใช้ได้ 10 นาที LINE ที่ส่งรหัสนี้จะได้รับสรุปของคุณ และติดดาวหรือซ่อนโครงการแทนคุณได้',
  ],
  line_connected: [
    'บัญชีตามงานของคุณเชื่อมกับ LINE แล้ว',
    'LINE หนึ่งเชื่อมกับบัญชีของคุณแล้ว จะได้รับสรุปของคุณ และติดดาวหรือซ่อนโครงการแทนคุณได้',
  ],
  line_group_code_made: [
    'มีการขอรหัสเชื่อมกลุ่ม LINE กับองค์กรในตามงาน',
    'มีการขอรหัสเชื่อมกลุ่ม LINE รหัสใช้ได้ 10 นาที กลุ่มที่ส่งรหัสนี้จะถามข้อมูลโครงการจากตามงานได้',
  ],
  line_group_connected: [
    'กลุ่ม LINE เชื่อมกับองค์กรในตามงานแล้ว',
    'กลุ่ม LINE หนึ่งเชื่อมกับองค์กรแล้ว คนในกลุ่มถามข้อมูลโครงการจากตามงานได้',
  ],
} as const
export type GrantedAccessKind = keyof typeof ACCESS_MADE

type AccessMadeMail = {
  readonly what: GrantedAccessKind
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly at: Date
  readonly url: string
  readonly notMeUrl?: string | undefined
}

export function renderAccessGrantedMail({ what, facts = [], at, url, notMeUrl }: AccessMadeMail): MailContent {
  const [subject, text] = ACCESS_MADE[what]
  return renderMail({
    subject,
    preview: text,
    blocks: [
      { text },
      { facts: [...facts, createMailTimeRow(at)] },
      { button: 'ดูและยกเลิก', url },
      ...(notMeUrl === undefined
        ? [{ note: 'ถ้าไม่มีใครในทีมทำ ยกเลิกทันทีที่หน้านั้น แล้วให้เจ้าของบัญชีเปลี่ยนรหัสผ่าน' }]
        : createIntrusionReportMailBlocks(notMeUrl)),
    ],
  })
}
