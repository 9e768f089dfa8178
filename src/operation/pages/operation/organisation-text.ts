import type { OrganisationFlag, OrganisationLimit } from '#contract/operation/operator-organisations.ts'

export const ORGANISATION_FLAG_TEXTS: Readonly<Record<OrganisationFlag, { th: string; means: string }>> = {
  'budget-year': { th: 'งบประมาณประจำปี', means: 'เปิดหน้างบประมาณประจำปี ตามปีที่กำหนดด้านล่าง' },
  'budget-year-only': { th: 'งบประมาณอย่างเดียว', means: 'เห็นเฉพาะหน้างบประมาณ รายงานและหน้าอื่นปิด' },
  'company-compare': { th: 'ข้อมูลบริษัท', means: 'เปิดรายชื่อบริษัทและหน้าของแต่ละบริษัท' },
  'company-comparison': { th: 'เปรียบเทียบบริษัท', means: 'เปิดหน้าเปรียบเทียบบริษัท' },
}

export const ORGANISATION_LIMIT_NAMES: Readonly<Record<OrganisationLimit, string>> = {
  include: 'คำที่ต้องมี',
  exclude: 'คำที่ไม่รวม',
  'ai-include': 'AI ค้นหา',
  'ai-exclude': 'AI ไม่รวม',
  'deptsub-include': 'หน่วยงาน',
  members: 'สมาชิก (คน)',
  'document-days': 'เก็บเอกสาร (วัน, 0 = ไม่ลบ)',
  'picture-pages': 'อ่านจากภาพ (หน้า/วัน, 0 = ไม่อ่าน)',
}

export function pickChangedFields<Values extends Readonly<Record<string, unknown>>>(
  stored: Values,
  typed: Values,
): Partial<Values> | undefined {
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]),
  )
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Values>)
}
