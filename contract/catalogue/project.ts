/**
 * Closed vocabularies of a project: the code used in the API and in URLs, and its Thai label. Sources: specification
 * sections 4 and 9; `server/catalogue/feed` maps the e-GP texts to these codes.
 */
type Choice = { readonly code: string; readonly th: string }

export const PROJECT_STATUSES = [
  { code: 'in_progress', th: 'ระหว่างดำเนินการ' },
  { code: 'invitation_cancelled', th: 'ยกเลิกประกาศเชิญชวน' },
  { code: 'project_cancelled', th: 'ยกเลิกโครงการ' },
  { code: 'contract_created', th: 'จัดทำสัญญา/PO แล้ว' },
] as const satisfies readonly Choice[]
export type ProjectStatus = (typeof PROJECT_STATUSES)[number]['code']

export const CANCELLED_PROJECT_STATUSES = [
  'invitation_cancelled',
  'project_cancelled',
] as const satisfies readonly ProjectStatus[]
const CANCELLED = new Set<string>(CANCELLED_PROJECT_STATUSES)
export const isCancelledProjectStatus = (code: string): boolean => CANCELLED.has(code)

export const PROJECT_MOVEMENTS = [
  { code: 'draft_published', th: 'ร่าง TOR' },
  { code: 'draft_revised', th: 'แก้ไขร่าง TOR' },
  { code: 'reference_price_published', th: 'ประกาศราคากลาง' },
  { code: 'invited', th: 'ประกาศเชิญชวน' },
  { code: 'invitation_amended', th: 'เปลี่ยนแปลงประกาศเชิญชวน' },
  { code: 'bids_closed', th: 'ปิดรับข้อเสนอ' },
  { code: 'invitation_cancelled', th: 'ยกเลิกประกาศเชิญชวน' },
  { code: 'winner_announced', th: 'ประกาศผู้ชนะ' },
  { code: 'winner_amended', th: 'เปลี่ยนแปลงผู้ชนะ' },
  { code: 'winner_cancelled', th: 'ยกเลิกประกาศผู้ชนะ' },
  { code: 'contract_created', th: 'จัดทำสัญญา/PO' },
  { code: 'project_cancelled', th: 'ยกเลิกโครงการ' },
] as const satisfies readonly Choice[]
export type ProjectMovement = (typeof PROJECT_MOVEMENTS)[number]['code']

/** The specification's seven methods first; the rest occur in real e-GP data. Other methods are stored as received. */
export const PROCUREMENT_METHODS = [
  { code: 'e_bidding', th: 'e-bidding' },
  { code: 'selective', th: 'คัดเลือก' },
  { code: 'specific', th: 'เฉพาะเจาะจง' },
  { code: 'e_market', th: 'e-market' },
  { code: 'consultant_open', th: 'ที่ปรึกษา: เชิญชวนทั่วไป' },
  { code: 'consultant_selective', th: 'ที่ปรึกษา: คัดเลือก' },
  { code: 'consultant_specific', th: 'ที่ปรึกษา: เฉพาะเจาะจง' },
  { code: 'design_open', th: 'ออกแบบ/คุมงาน: เชิญชวนทั่วไป' },
  { code: 'design_selective', th: 'ออกแบบ/คุมงาน: คัดเลือก' },
  { code: 'design_specific', th: 'ออกแบบ/คุมงาน: เฉพาะเจาะจง' },
  { code: 'price_enquiry', th: 'สอบราคา' },
  { code: 'design_contest', th: 'ประกวดแบบ' },
] as const satisfies readonly Choice[]
export type ProcurementMethod = (typeof PROCUREMENT_METHODS)[number]['code']

/**
 * Who may bid (ss. 55, 69 and 79 of the Act): anybody after a public announcement, only invited bidders, or the one
 * with whom the agency negotiates. A design contest is open: s. 83 sets no number of invitations, and cl. 155 of the
 * Regulation publishes its announcement to everybody.
 */
const PROCUREMENT_METHOD_ACCESS: Readonly<Record<ProcurementMethod, 'open' | 'invited' | 'negotiated'>> = {
  e_bidding: 'open',
  selective: 'invited',
  specific: 'negotiated',
  e_market: 'open',
  consultant_open: 'open',
  consultant_selective: 'invited',
  consultant_specific: 'negotiated',
  design_open: 'open',
  design_selective: 'invited',
  design_specific: 'negotiated',
  price_enquiry: 'open',
  design_contest: 'open',
}
const listMethods = (access: 'open' | 'invited' | 'negotiated'): readonly string[] =>
  PROCUREMENT_METHODS.flatMap(({ code }) => (PROCUREMENT_METHOD_ACCESS[code] === access ? [code] : []))
export const OPEN_PROCUREMENT_METHODS = listMethods('open')
export const SELECTIVE_PROCUREMENT_METHODS = listMethods('invited')
export const SPECIFIC_PROCUREMENT_METHODS = listMethods('negotiated')

/** The specification's five types first; the last three occur in real e-GP data. */
export const PROCUREMENT_METHOD_TYPES = [
  { code: 'buy', th: 'ซื้อ' },
  { code: 'construct', th: 'จ้างก่อสร้าง' },
  { code: 'service', th: 'จ้างทำของ/จ้างเหมาบริการ' },
  { code: 'lease', th: 'เช่า' },
  { code: 'consult', th: 'จ้างที่ปรึกษา' },
  { code: 'design', th: 'จ้างออกแบบ' },
  { code: 'supervise', th: 'จ้างควบคุมงาน' },
  { code: 'design_supervise', th: 'จ้างออกแบบและควบคุมงานก่อสร้าง' },
] as const satisfies readonly Choice[]
export type ProcurementMethodType = (typeof PROCUREMENT_METHOD_TYPES)[number]['code']

/** Users can filter by "No data" (D6) to find projects without criteria. */
export const AWARD_CRITERIA = [
  { code: 'price', th: 'เกณฑ์ราคา' },
  { code: 'price_and_other', th: 'เกณฑ์ราคาประกอบเกณฑ์อื่น' },
  { code: 'price_and_other_minimum', th: 'เกณฑ์ราคาประกอบเกณฑ์อื่น (มีเกณฑ์ขั้นต่ำ)' },
  { code: 'no_data', th: 'ไม่มีข้อมูลเกณฑ์' },
] as const satisfies readonly Choice[]
export type AwardCriterion = (typeof AWARD_CRITERIA)[number]['code']

/** Change in the latest load, per organisation (D3). "All" is the absence of the filter. */
export const PROJECT_CHANGE_STATUSES = [
  { code: 'new', th: 'ใหม่' },
  { code: 'updated', th: 'อัปเดต' },
  { code: 'no_change', th: 'คงเดิม' },
] as const satisfies readonly Choice[]

export function getChoiceLabel(choices: readonly Choice[], code: string): string {
  return choices.find((choice) => choice.code === code)?.th ?? code
}
