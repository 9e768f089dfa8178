import type { ComponentProps } from 'react'
import {
  ACADEMIC_DEGREES,
  CONTRACTOR_GRADES,
  type ContractorRegistration,
  getContractorGradeLabel,
  MAX_CERTIFICATES,
  MAX_CONTRACTOR_REGISTRATIONS,
  MAX_EXPERIENCE_YEARS,
  MAX_PAST_WORKS,
  MAX_QUALIFICATION_TEXT_LENGTH,
  MAX_STAFF_GROUP_SIZE,
  MAX_STAFF_GROUPS,
  type PastWork,
  type QualificationCertificate,
  type StaffGroup,
} from '#contract/account/qualification.ts'
import { formatThaiDateShort, getBangkokToday } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { formatBaht, parseThaiMoney } from '#contract/thai/thai-number.ts'
import type { EditableRowDraft, EditableRowsForm } from '#src/account/pages/settings/form/editable-rows-form.tsx'

export type QualificationRows<Row> = Omit<ComponentProps<typeof EditableRowsForm<Row>>, 'rows' | 'onSave'> & {
  readonly title: string
  readonly description: string
  readonly toDraft: (row: Row) => EditableRowDraft
}

const wrong = (field: string, message: string) => ({ ok: false, field, message }) as const

function findTextError(draft: EditableRowDraft, names: readonly string[], needed: string, message: string) {
  if (draft[needed]!.trim() === '') return wrong(needed, message)
  const long = names.find((name) => draft[name]!.trim().length > MAX_QUALIFICATION_TEXT_LENGTH)
  return long === undefined ? undefined : wrong(long, `ยาวได้ไม่เกิน ${MAX_QUALIFICATION_TEXT_LENGTH} ตัวอักษร`)
}

export const PAST_WORKS: QualificationRows<PastWork> = {
  title: 'ผลงาน',
  description: 'สัญญาละหนึ่งรายการ คำบอกประเภทคือคำที่ต้องพบในข้อกำหนดหรือชื่อโครงการ จึงจะนับว่าเป็นงานประเภทเดียวกัน',
  rowNoun: 'ผลงาน',
  maxRows: MAX_PAST_WORKS,
  fields: [
    { name: 'name', label: 'งาน', placeholder: 'เช่น ติดตั้งกล้องวงจรปิด 64 จุด', className: 'min-w-0 flex-1 basis-64' },
    { name: 'kinds', label: 'คำบอกประเภท', placeholder: 'เช่น กล้องวงจรปิด, CCTV', className: 'min-w-0 flex-1 basis-52' },
    { name: 'agency', label: 'หน่วยงาน', className: 'min-w-0 flex-1 basis-52' },
    { name: 'baht', label: 'มูลค่า (บาท)', placeholder: 'เช่น 6.2 ล้าน', inputMode: 'decimal', className: 'w-40' },
    { name: 'year', label: 'ปีที่แล้วเสร็จ', placeholder: '2567', inputMode: 'numeric', className: 'w-28' },
  ],
  toDraft: ({ baht, year, ...texts }) => ({ ...texts, baht: formatBaht(baht), year: String(year) }),
  parseRow: (draft) => {
    const bad = findTextError(draft, ['name', 'kinds', 'agency'], 'name', 'บอกว่าเป็นงานอะไร')
    if (bad) return bad
    const money = parseThaiMoney(draft.baht!)
    if (!money.ok || money.baht <= 0) return wrong('baht', money.ok ? 'จำนวนเงินต้องมากกว่า 0' : money.message)
    const year = Number(draft.year)
    if (!Number.isInteger(year) || year < 2500 || year > 2640) return wrong('year', 'ใส่ปี พ.ศ. เช่น 2567')
    const { name = '', kinds = '', agency = '' } = draft
    return { ok: true, row: { name: name.trim(), kinds: kinds.trim(), agency: agency.trim(), baht: money.baht, year } }
  },
}

export const CERTIFICATES: QualificationRows<QualificationCertificate> = {
  title: 'ใบรับรองและใบอนุญาต',
  description: 'รวม ISO มอก. SME-GP และใบอนุญาต ระบบเทียบวันหมดอายุกับวันยื่นข้อเสนอของแต่ละโครงการ',
  rowNoun: 'ใบรับรอง',
  maxRows: MAX_CERTIFICATES,
  fields: [
    { name: 'name', label: 'ชื่อ', placeholder: 'เช่น ISO 9001:2015', className: 'min-w-0 flex-1 basis-64' },
    { name: 'number', label: 'เลขที่', className: 'min-w-0 flex-1 basis-40' },
    { name: 'expires_on', label: 'ใช้ได้ถึง', placeholder: 'เช่น 31 ธ.ค. 2570', className: 'w-44' },
  ],
  toDraft: ({ expires_on: day, ...texts }) => ({ ...texts, expires_on: day === null ? '' : formatThaiDateShort(day) }),
  parseRow: (draft) => {
    const bad = findTextError(draft, ['name', 'number'], 'name', 'บอกชื่อใบรับรอง')
    if (bad) return bad
    const { name = '', number = '', expires_on = '' } = draft
    const day = expires_on.trim() === '' ? null : parseThaiDate(expires_on, getBangkokToday(new Date()))
    if (day !== null && !day.ok) return wrong('expires_on', day.message)
    return { ok: true, row: { name: name.trim(), number: number.trim(), expires_on: day === null ? null : day.iso } }
  },
}

export const CONTRACTOR_CLASSES: QualificationRows<ContractorRegistration> = {
  title: 'ชั้นผู้รับเหมา',
  description: 'สาขาและชั้นตามที่ขึ้นทะเบียนผู้ประกอบการงานก่อสร้างไว้กับกรมบัญชีกลาง',
  rowNoun: 'ชั้นผู้รับเหมา',
  maxRows: MAX_CONTRACTOR_REGISTRATIONS,
  fields: [
    { name: 'branch', label: 'สาขา', placeholder: 'เช่น งานก่อสร้างทาง', className: 'min-w-0 flex-1 basis-64' },
    {
      name: 'grade',
      label: 'ชั้น',
      className: 'w-32',
      initial: '6',
      options: CONTRACTOR_GRADES.map((grade) => ({ value: String(grade), th: getContractorGradeLabel(grade) })),
    },
  ],
  toDraft: ({ branch, grade }) => ({ branch, grade: String(grade) }),
  parseRow: (draft) => {
    const bad = findTextError(draft, ['branch'], 'branch', 'บอกสาขางาน')
    if (bad) return bad
    const grade = CONTRACTOR_GRADES.find((candidate) => String(candidate) === draft.grade)!
    return { ok: true, row: { branch: draft.branch!.trim(), grade } }
  },
}

const INTEGER_PATTERN = /^\d{1,5}$/

export const STAFF_GROUPS: QualificationRows<StaffGroup> = {
  title: 'บุคลากร',
  description: 'จำนวนคนตามตำแหน่งที่เอกสารมักเรียก ไม่ต้องใส่ชื่อคน วุฒิและปีให้ใส่ของคนที่น้อยที่สุดในแถวนั้น',
  rowNoun: 'บุคลากร',
  maxRows: MAX_STAFF_GROUPS,
  fields: [
    { name: 'position', label: 'ตำแหน่ง', placeholder: 'เช่น วิศวกรโยธา', className: 'min-w-0 flex-1 basis-56' },
    { name: 'count', label: 'จำนวน (คน)', placeholder: '2', inputMode: 'numeric', className: 'w-28' },
    {
      name: 'degree',
      label: 'วุฒิอย่างต่ำ',
      className: 'w-40',
      initial: 'none',
      options: ACADEMIC_DEGREES.map(({ code, th }) => ({ value: code, th })),
    },
    { name: 'years', label: 'ประสบการณ์ (ปี)', placeholder: '5', inputMode: 'numeric', className: 'w-36' },
  ],
  toDraft: ({ count, years, ...texts }) => ({ ...texts, count: String(count), years: String(years) }),
  parseRow: (draft) => {
    const bad = findTextError(draft, ['position'], 'position', 'บอกตำแหน่ง')
    if (bad) return bad
    const [count, years] = [draft.count!.trim(), draft.years!.trim() || '0']
    if (!INTEGER_PATTERN.test(count) || Number(count) < 1 || Number(count) > MAX_STAFF_GROUP_SIZE)
      return wrong('count', `ใส่จำนวนคน 1–${MAX_STAFF_GROUP_SIZE}`)
    if (!INTEGER_PATTERN.test(years) || Number(years) > MAX_EXPERIENCE_YEARS)
      return wrong('years', `ใส่จำนวนปี 0–${MAX_EXPERIENCE_YEARS}`)
    const degree = ACADEMIC_DEGREES.find(({ code }) => code === draft.degree)!.code
    return { ok: true, row: { position: draft.position!.trim(), count: Number(count), degree, years: Number(years) } }
  },
}
