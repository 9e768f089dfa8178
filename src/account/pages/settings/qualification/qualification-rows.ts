import type { ComponentProps } from 'react'
import { z } from 'zod/mini'
import {
  ACADEMIC_DEGREES,
  CONTRACTOR_GRADES,
  type ContractorRegistration,
  getContractorGradeLabel,
  MAX_CERTIFICATES,
  MAX_CONTRACTOR_REGISTRATIONS,
  MAX_EXPERIENCE_YEARS,
  MAX_PAST_WORKS,
  MAX_STAFF_GROUP_SIZE,
  MAX_STAFF_GROUPS,
  type PastWork,
  type QualificationCertificate,
  qualificationsSchema,
  type StaffGroup,
} from '#contract/account/qualification.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatBaht, parseThaiMoney } from '#contract/thai/thai-number.ts'
import type { EditableRowDraft, EditableRowsForm } from '#src/account/pages/settings/form/editable-rows-form.tsx'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'

export type QualificationRows<Row> = Omit<ComponentProps<typeof EditableRowsForm<Row>>, 'rows' | 'onSave'> & {
  readonly title: string
  readonly description: string
  readonly toDraft: (row: Row) => EditableRowDraft
}

const { past_works, certificates, classes, people } = qualificationsSchema.shape

const amountSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const money = parseThaiMoney(text)
    if (money.ok && money.baht > 0) return money.baht
    const message = money.ok ? 'จำนวนเงินต้องมากกว่า 0' : money.message
    context.issues.push({ code: 'custom', input: text, message })
    return z.NEVER
  }),
)

/** Schema of a typed whole number; an empty field is 0. */
const wholeNumber = (least: number, most: number, message: string) =>
  z.pipe(
    z.string().check(z.trim(), z.regex(/^\d{0,5}$/, message)),
    z.pipe(z.transform(Number), z.number().check(z.minimum(least, message), z.maximum(most, message))),
  )

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
  schema: z.extend(past_works.def.element, {
    baht: amountSchema,
    year: wholeNumber(2500, 2640, 'ใส่ปี พ.ศ. เช่น 2567'),
  }),
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
  schema: z.extend(certificates.def.element, { expires_on: thaiDateSchema }),
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
  schema: z.extend(classes.def.element, {
    grade: z.pipe(z.string(), z.pipe(z.transform(Number), classes.def.element.shape.grade)),
  }),
}

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
  schema: z.extend(people.def.element, {
    count: wholeNumber(1, MAX_STAFF_GROUP_SIZE, `ใส่จำนวนคน 1–${MAX_STAFF_GROUP_SIZE}`),
    years: wholeNumber(0, MAX_EXPERIENCE_YEARS, `ใส่จำนวนปี 0–${MAX_EXPERIENCE_YEARS}`),
  }),
}
