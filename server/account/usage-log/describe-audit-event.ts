import type { UsageLogDetail, UsageLogType } from '#contract/account/usage-log.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import type { UsageActionDescription } from '#server/platform/route/usage-events.ts'
import type { AuditDetail, AuditEvent } from './audit-event.ts'

const LIST_NAMES: Readonly<Record<string, string>> = {
  include: 'คำที่ต้องมี',
  exclude: 'คำที่ไม่รวม',
  ai_include: 'AI ค้นหา',
  ai_exclude: 'AI ไม่รวม',
  deptsub_include: 'หน่วยงาน',
}

const SWITCH_NAMES: Readonly<Record<string, string>> = {
  search_by_name: 'ค้นด้วยชื่อ',
  search_by_ai: 'ค้นด้วย AI',
  search_by_deptsub: 'ค้นด้วยหน่วยงาน',
}

const LIST_CHANGE_TEXTS: Readonly<Record<string, string>> = {
  add: 'เพิ่มคำติดตาม',
  remove: 'ลบคำติดตาม',
  restore: 'นำคำติดตามกลับมา',
}

const WEBHOOK_CHANGE_TEXTS: Readonly<Record<string, string>> = {
  make: 'สร้างเว็บฮุก',
  remove: 'ลบเว็บฮุก',
  secret: 'เปลี่ยนรหัสลับของเว็บฮุก',
  resend: 'ส่งเหตุการณ์ของเว็บฮุกซ้ำ',
}

const LOGIN_DOMAIN_CHANGE_TEXTS: Readonly<Record<string, string>> = {
  add: 'เพิ่มโดเมนสำหรับบัญชีองค์กร',
  prove: 'เชื่อมโดเมนกับบัญชีองค์กร',
  may: 'ให้เข้าด้วยบัญชีองค์กรหรือรหัสผ่านก็ได้',
  must: 'บังคับเข้าด้วยบัญชีองค์กร',
  ask: 'ถามการยืนยันสองขั้นของตามงานหลังบัญชีองค์กร',
  trust: 'ใช้การยืนยันสองขั้นของบัญชีองค์กรแทน',
  remove: 'ยกเลิกโดเมนของบัญชีองค์กร',
  unbind: 'ล้างการผูกบัญชีองค์กรของสมาชิก',
}

const BUDGET_LINK_NAMES: Readonly<Record<string, string>> = { project: 'โครงการ', item: 'รายการ', decision: 'ผล' }

const plain = (type: UsageLogType, description: string) => (): UsageActionDescription => ({ type, description })

/** Usage log lines per audited event; kinds missing here concern only the operator. */
const LINES: { readonly [K in AuditEvent['kind']]?: (detail: AuditDetail) => UsageActionDescription } = {
  login: plain('session', 'เข้าสู่ระบบ'),
  logout: plain('session', 'ออกจากระบบ'),
  session_ended: plain('session', 'สิ้นสุดการเข้าใช้งานบนอุปกรณ์อื่น'),
  sessions_ended: plain('session', 'ออกจากระบบทุกอุปกรณ์'),
  password_changed: plain('settings', 'เปลี่ยนรหัสผ่าน'),
  password_reset: plain('settings', 'ตั้งรหัสผ่านใหม่ทางอีเมล'),
  second_factor_added: plain('settings', 'เพิ่มวิธียืนยันสองขั้น'),
  second_factor_removed: plain('settings', 'เอาวิธียืนยันสองขั้นออก'),
  recovery_codes_made: plain('settings', 'สร้างรหัสกู้คืนใหม่'),
  second_factor_required: (detail) => ({
    type: 'settings',
    description: detail.is_on === true ? 'กำหนดให้ทุกคนยืนยันสองขั้น' : 'เลิกกำหนดให้ยืนยันสองขั้น',
  }),
  device_forgotten: plain('settings', 'เลิกจำอุปกรณ์'),
  not_me: plain('session', 'แจ้งว่าไม่ใช่ตัวเอง ทุกอุปกรณ์ออกจากระบบแล้ว'),
  email_change_begun: plain('settings', 'ขอเปลี่ยนอีเมล'),
  email_change_stopped: plain('settings', 'หยุดการเปลี่ยนอีเมล'),
  email_changed: plain('settings', 'เปลี่ยนอีเมล'),
  lists_changed: describeListChange,
  rescues_changed: (detail) => ({
    type: 'keyword',
    description: detail.rescued === true ? 'นำโครงการที่ถูกซ่อนเข้ารายงาน' : 'เลิกนำโครงการที่ถูกซ่อนเข้ารายงาน',
    info: [{ name: 'โครงการ', value: texts(detail.projects).join(', ') }],
  }),
  budget_link_decided: (detail) => ({
    type: 'budget',
    description: 'ตัดสินลิงก์จากงบประมาณถึงโครงการ',
    info: pairs(detail).map(({ name, value }) => ({ name: BUDGET_LINK_NAMES[name] ?? name, value })),
  }),
  member_invited: (detail) => ({
    type: 'settings',
    description: 'เชิญคนเข้าทีม',
    info: [
      { name: 'อีเมล', value: String(detail.email) },
      { name: 'สิทธิ์', value: getRoleLabel(String(detail.role)) },
    ],
  }),
  invitation_revoked: (detail) => ({
    type: 'settings',
    description: 'ยกเลิกคำเชิญ',
    info: [{ name: 'อีเมล', value: String(detail.email) }],
  }),
  join_requested: (detail) => ({
    type: 'session',
    description: 'มีคนขอเข้าร่วมทีม',
    info: [{ name: 'อีเมล', value: String(detail.email) }],
  }),
  join_refused: (detail) => ({
    type: 'settings',
    description: 'ไม่รับคำขอเข้าร่วมทีม',
    info: [{ name: 'อีเมล', value: String(detail.email) }],
  }),
  member_joined: plain('session', 'เข้าร่วมทีมตามคำเชิญ'),
  member_changed: (detail) => ({
    type: 'settings',
    description: detail.is_disabled === true ? 'ปิดบัญชีสมาชิก' : 'แก้สิทธิ์สมาชิก',
    info: [
      { name: 'อีเมล', value: String(detail.email) },
      { name: 'สิทธิ์', value: getRoleLabel(String(detail.role)) },
      ...(detail.by === undefined ? [] : [{ name: 'ทำโดย', value: String(detail.by) }]),
    ],
  }),
  calendar_feed_made: plain('settings', 'สร้างลิงก์ลับของปฏิทินหรือตัวกรอง'),
  calendar_feed_revoked: plain('settings', 'ยกเลิกลิงก์ลับของปฏิทินหรือตัวกรอง'),
  line_connected: plain('settings', 'เชื่อม LINE กับบัญชี'),
  line_disconnected: plain('settings', 'ยกเลิกการเชื่อม LINE'),
  line_group_connected: plain('settings', 'เชื่อมกลุ่ม LINE กับองค์กร'),
  line_group_disconnected: plain('settings', 'ยกเลิกการเชื่อมกลุ่ม LINE'),
  api_key_made: (detail) => ({
    type: 'settings',
    description: 'สร้างคีย์ API',
    info: [
      { name: 'ชื่อ', value: String(detail.name) },
      { name: 'อ่านได้', value: texts(detail.scopes).join(', ') },
      { name: 'อายุ', value: detail.days === null ? 'ไม่หมดอายุ' : `${String(detail.days)} วัน` },
    ],
  }),
  api_key_revoked: (detail) => ({
    type: 'settings',
    description: 'ยกเลิกคีย์ API',
    info: [{ name: 'ชื่อ', value: String(detail.name) }],
  }),
  login_domain_changed: (detail) => ({
    type: 'settings',
    description: LOGIN_DOMAIN_CHANGE_TEXTS[String(detail.did)] ?? 'แก้การเข้าสู่ระบบด้วยบัญชีองค์กร',
    info: detail.domain === undefined ? [] : [{ name: 'โดเมน', value: String(detail.domain) }],
  }),
  organisation_login_refused: plain('session', 'เข้าด้วยบัญชีองค์กรไม่สำเร็จ'),
  webhook_changed: (detail) => ({
    type: 'settings',
    description: WEBHOOK_CHANGE_TEXTS[String(detail.did)] ?? 'แก้เว็บฮุก',
    info: [
      { name: 'ชื่อ', value: String(detail.name) },
      ...(detail.host === undefined ? [] : [{ name: 'ปลายทาง', value: String(detail.host) }]),
    ],
  }),
  document_added: (detail) => documentLine('เพิ่มเอกสารของโครงการ', detail),
  document_pictures_asked: (detail) => documentLine('สั่งอ่านเอกสารจากภาพ', detail),
  document_removed: (detail) => documentLine('ลบเอกสารของโครงการ', detail),
  note_file_added: (detail) => documentLine('แนบไฟล์ในโน้ต', detail),
  pursuit_settings_changed: plain('settings', 'แก้ขั้นงาน รายการตรวจ หรือผู้เห็นราคา'),
  report_cards_changed: plain('settings', 'แก้สมุดพกผู้รับเหมา'),
  qualifications_changed: plain('settings', 'แก้คุณสมบัติของบริษัทเรา'),
  document_answers_switched: (detail) => ({
    type: 'settings',
    description: detail.is_on === true ? 'เปิดการถามเอกสารด้วยโมเดลภาษา' : 'ปิดการถามเอกสารด้วยโมเดลภาษา',
    info: [
      { name: 'ปลายทาง', value: String(detail.host) },
      { name: 'โมเดล', value: String(detail.model) },
    ],
  }),
  // The text of a question is private; not even the audit trail stores it.
  document_question_asked: (detail) => ({
    type: 'document',
    description: `ถามเอกสาร ส่ง ${String(detail.pages)} หน้าไปยัง ${String(detail.host)}`,
    info: [{ name: 'โครงการ', value: String(detail.project) }],
  }),
  export_started: (detail) => ({
    type: 'export',
    description: `ส่งออกรายงาน (${String(detail.format)})`,
    info: pairs(detail.query),
  }),
  export_fetched: (detail) => ({
    type: 'export',
    description: fetchedFile(detail),
    info: texts(detail.companies).map((value) => ({ name: 'บริษัท', value })),
  }),
}

const documentLine = (description: string, { name, project }: AuditDetail): UsageActionDescription => ({
  type: 'document',
  description,
  info: [
    { name: 'เอกสาร', value: String(name) },
    { name: 'โครงการ', value: String(project) },
  ],
})

function fetchedFile({ list, companies, file }: AuditDetail): string {
  if (file === 'results') return 'ดาวน์โหลดผลงาน'
  if (list === 'companies') return 'ดาวน์โหลดรายชื่อบริษัท'
  if (list === 'who_wins') return 'ดาวน์โหลดตัวเลขใครชนะ'
  if (list === 'agency') return 'ดาวน์โหลดข้อมูลหน่วยงาน'
  if (companies === undefined) return 'ดาวน์โหลดไฟล์ที่ส่งออก'
  return texts(companies).length === 1 ? 'ดาวน์โหลดข้อมูลบริษัท' : 'ดาวน์โหลดการเปรียบเทียบบริษัท'
}

export function describeAuditEvent({
  kind,
  detail = {},
}: Pick<AuditEvent, 'kind' | 'detail'>): UsageActionDescription | undefined {
  return LINES[kind]?.(detail)
}

type AuditedWord = { readonly id: number; readonly list: string; readonly word: string }

function describeListChange(detail: AuditDetail): UsageActionDescription {
  if (detail.did === 'terms') return describeTermChange(detail)
  const before = wordsOf(detail.before)
  const after = wordsOf(detail.after)
  const info: UsageLogDetail[] = []
  for (const { id, list, word } of before) {
    const current = after.find((entry) => entry.id === id)
    if (!current) info.push({ name: `ลบ · ${listName(list)}`, value: word })
    else if (current.word !== word || current.list !== list)
      info.push({ name: `แก้ไข · ${listName(list)}`, value: `${word} → ${current.word}` })
  }
  for (const { id, list, word } of after)
    if (!before.some((entry) => entry.id === id)) info.push({ name: `เพิ่ม · ${listName(list)}`, value: word })
  for (const [name, isOn] of Object.entries(recordOf(detail.switchesAfter)))
    info.push({ name: SWITCH_NAMES[name] ?? name, value: isOn === true ? 'เปิด' : 'ปิด' })
  for (const group of recordsOf(detail.groups))
    info.push({ name: 'เปลี่ยนชื่อกลุ่ม', value: `${String(group.before)} → ${String(group.after)}` })
  return { type: 'keyword', description: LIST_CHANGE_TEXTS[String(detail.did)] ?? 'แก้ไขรายการติดตาม', info }
}

const TERM_STATES: Readonly<Record<string, string>> = { approved: 'ใช้', rejected: 'ไม่ใช้' }

function describeTermChange(detail: AuditDetail): UsageActionDescription {
  const before = new Map(recordsOf(detail.before).map((term) => [term.term, term.state]))
  const info = recordsOf(detail.after)
    .filter(({ term, state }) => before.get(term) !== state)
    .map(({ term, state }) => ({ name: TERM_STATES[String(state)] ?? 'รอเลือก', value: String(term) }))
  return { type: 'keyword', description: `เลือกคำใกล้เคียงของ “${String(detail.keyword)}”`, info }
}

const listName = (list: string) => LIST_NAMES[list] ?? list

const recordsOf = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'object' && item !== null) : []

const wordsOf = (value: unknown) =>
  recordsOf(value).filter((record): record is AuditedWord => 'word' in record && 'list' in record)

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const pairs = (value: unknown): UsageLogDetail[] =>
  Object.entries(recordOf(value)).map(([name, entry]) => ({ name, value: String(entry) }))
