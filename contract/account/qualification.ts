import { z } from 'zod/mini'
import { hasValidThaiIdCheckDigit, parseTaxId } from '../catalogue/natural-person.ts'
import { parseIsoDate } from '../thai/thai-date.ts'
import { MAX_REPORT_CARD_POINTS } from './report-card.ts'

/**
 * Bidder qualifications as declared by the organisation: private to it, and compared with the requirements in
 * documents.
 */

export const SME_CLASSES = [
  { code: 'none', th: 'ไม่ใช่ SMEs' },
  { code: 'micro', th: 'SMEs รายย่อย' },
  { code: 'small', th: 'SMEs ขนาดย่อม' },
  { code: 'medium', th: 'SMEs ขนาดกลาง' },
] as const

/** Which financial requirement applies to the bidder (`contract/report/eligibility.ts`). */
export const BIDDER_KINDS = [
  { code: 'company', th: 'นิติบุคคลที่ส่งงบแล้ว' },
  { code: 'new_company', th: 'นิติบุคคลใหม่ ยังไม่มีงบ' },
  { code: 'person', th: 'บุคคลธรรมดา' },
] as const
export type BidderKind = (typeof BIDDER_KINDS)[number]['code']

/** Contractor grades of the Comptroller General's Department, highest first; 0 is ชั้นพิเศษ. */
export const CONTRACTOR_GRADES = [0, 1, 2, 3, 4, 5, 6] as const
export const getContractorGradeLabel = (grade: number): string => (grade === 0 ? 'ชั้นพิเศษ' : `ชั้น ${grade}`)

/** Lowest first; a degree also satisfies requirements for any lower one. */
export const ACADEMIC_DEGREES = [
  { code: 'none', th: 'ไม่ระบุวุฒิ' },
  { code: 'vocational', th: 'ปวช.' },
  { code: 'high_vocational', th: 'ปวส.' },
  { code: 'bachelor', th: 'ปริญญาตรี' },
  { code: 'master', th: 'ปริญญาโท' },
  { code: 'doctor', th: 'ปริญญาเอก' },
] as const

export const MAX_PAST_WORKS = 100
export const MAX_CERTIFICATES = 50
export const MAX_CONTRACTOR_REGISTRATIONS = 20
export const MAX_STAFF_GROUPS = 50
export const MAX_STAFF_GROUP_SIZE = 10_000
export const MAX_EXPERIENCE_YEARS = 60
export const MAX_QUALIFICATION_TEXT_LENGTH = 200
const MAX_AMOUNT_BAHT = 10_000_000_000_000
const FIRST_YEAR = 2500
const LAST_YEAR = 2640

const text = (minLength: number, emptyMessage: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(minLength, emptyMessage),
      z.maxLength(MAX_QUALIFICATION_TEXT_LENGTH, `ยาวได้ไม่เกิน ${MAX_QUALIFICATION_TEXT_LENGTH} ตัวอักษร`),
    )
const baht = z.number().check(
  z.minimum(-MAX_AMOUNT_BAHT, 'จำนวนเงินเกินช่วงที่ใช้ได้'),
  z.maximum(MAX_AMOUNT_BAHT, 'จำนวนเงินสูงเกินไป'),
  z.refine((value) => Number.isSafeInteger(Math.round(value * 100)), 'จำนวนเงินสูงเกินไป'),
)
const positive = baht.check(z.positive('จำนวนเงินต้องมากกว่า 0'))

const pastWorkSchema = z.object({
  name: text(1, 'บอกว่าเป็นงานอะไร'),
  /**
   * Comma-separated keywords: `กล้องวงจรปิด, CCTV`. The work counts for a tender when its title or clause contains one
   * of them.
   */
  kinds: text(0, ''),
  agency: text(0, ''),
  baht: positive,
  year: z.int().check(z.minimum(FIRST_YEAR, 'ใส่ปี พ.ศ. เช่น 2567'), z.maximum(LAST_YEAR, 'ใส่ปี พ.ศ. เช่น 2567')),
})
export type PastWork = z.output<typeof pastWorkSchema>

const isoDay = (invalidMessage = 'วันที่ไม่ถูกต้อง') =>
  z.string().check(z.refine((day) => parseIsoDate(day) !== undefined, invalidMessage))

const certificateSchema = z.object({
  /** Name as written in tender documents: `ISO 9001:2015`, `ใบอนุญาตประกอบธุรกิจรักษาความปลอดภัย`. */
  name: text(1, 'บอกชื่อใบรับรอง'),
  number: text(0, ''),
  expires_on: z.nullable(isoDay('วันหมดอายุไม่ถูกต้อง')),
})
export type QualificationCertificate = z.output<typeof certificateSchema>

const contractorRegistrationSchema = z.object({
  branch: text(1, 'บอกสาขางาน'),
  grade: z.literal(CONTRACTOR_GRADES),
})
export type ContractorRegistration = z.output<typeof contractorRegistrationSchema>

const staffGroupSchema = z.object({
  /** Position as written in tender documents: `วิศวกรโยธา`. Only head counts are stored, never names. */
  position: text(1, 'บอกตำแหน่ง'),
  count: z
    .int('ใส่จำนวนคนเป็นเลขจำนวนเต็ม')
    .check(z.minimum(1, 'ต้องมีอย่างน้อย 1 คน'), z.maximum(MAX_STAFF_GROUP_SIZE, `ไม่เกิน ${MAX_STAFF_GROUP_SIZE} คน`)),
  /** Lowest degree that every person in the group has. */
  degree: z.enum(ACADEMIC_DEGREES.map(({ code }) => code)),
  years: z
    .int('ใส่จำนวนปีเป็นเลขจำนวนเต็ม')
    .check(z.minimum(0, 'จำนวนปีไม่ถูกต้อง'), z.maximum(MAX_EXPERIENCE_YEARS, `ไม่เกิน ${MAX_EXPERIENCE_YEARS} ปี`)),
})
export type StaffGroup = z.output<typeof staffGroupSchema>

/** Id of the organisation's company. Ids of natural persons are neither accepted nor stored. */
const companyTaxId = z.string().check(
  z.refine((text) => {
    const id = parseTaxId(text)
    return id.kind === 'juristic' && id.id === text && hasValidThaiIdCheckDigit(text)
  }, 'ใส่เลขนิติบุคคล 13 หลักที่ขึ้นต้นด้วย 0 ระบบไม่เก็บเลขของบุคคล'),
)

/** `GET /qualifications`. Amounts are in baht; values that the organisation has not specified are null or empty. */
export const qualificationsSchema = z.object({
  /** Finds the company's wins for the order by fit, and its line in files of report cards. */
  tax_id: z.nullable(companyTaxId),
  capital: z.nullable(positive),
  /** From the latest financial statement; may be negative. `bond_line`: remaining bank guarantee facility. */
  net_worth: z.nullable(baht),
  bond_line: z.nullable(positive),
  sme: z.nullable(z.enum(SME_CLASSES.map(({ code }) => code))),
  bidder_kind: z.nullable(z.enum(BIDDER_KINDS.map(({ code }) => code))),
  paid_capital: z.nullable(positive),
  /** Credit line, or the deposit of a natural person, in baht, and the day of the bank's letter. */
  credit_line: z.nullable(positive),
  credit_letter_on: z.nullable(isoDay()),
  has_mit: z.nullable(z.boolean()),
  has_anti_corruption_policy: z.nullable(z.boolean()),
  suspended_until: z.nullable(isoDay()),
  report_card_points: z.nullable(
    z.int('ใส่แต้มเป็นเลขจำนวนเต็ม').check(z.minimum(0, 'แต้มต้องไม่ติดลบ'), z.maximum(MAX_REPORT_CARD_POINTS, 'แต้มสูงเกินไป')),
  ),
  classes: z
    .array(contractorRegistrationSchema)
    .check(z.maxLength(MAX_CONTRACTOR_REGISTRATIONS, `มีได้ไม่เกิน ${MAX_CONTRACTOR_REGISTRATIONS} รายการ`)),
  past_works: z.array(pastWorkSchema).check(z.maxLength(MAX_PAST_WORKS, `มีได้ไม่เกิน ${MAX_PAST_WORKS} รายการ`)),
  certificates: z.array(certificateSchema).check(z.maxLength(MAX_CERTIFICATES, `มีได้ไม่เกิน ${MAX_CERTIFICATES} รายการ`)),
  people: z.array(staffGroupSchema).check(z.maxLength(MAX_STAFF_GROUPS, `มีได้ไม่เกิน ${MAX_STAFF_GROUPS} รายการ`)),
})
export type Qualifications = z.output<typeof qualificationsSchema>

/** `PATCH /qualifications`, super users only. Absent fields stay unchanged; a sent list replaces the whole list. */
export const qualificationsPatchSchema = z.partial(qualificationsSchema)
export type QualificationsPatch = z.output<typeof qualificationsPatchSchema>

export const EMPTY_QUALIFICATIONS: Qualifications = {
  tax_id: null,
  capital: null,
  net_worth: null,
  bond_line: null,
  sme: null,
  bidder_kind: null,
  paid_capital: null,
  credit_line: null,
  credit_letter_on: null,
  has_mit: null,
  has_anti_corruption_policy: null,
  suspended_until: null,
  report_card_points: null,
  classes: [],
  past_works: [],
  certificates: [],
  people: [],
}
