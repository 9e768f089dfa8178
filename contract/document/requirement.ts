import { z } from 'zod/mini'

/** What a tender wants of whoever bids, as its documents say it. */
export const REQUIREMENT_KINDS = {
  past_work: 'ผลงาน',
  class: 'ชั้นและทะเบียนผู้รับเหมา',
  capital: 'ทุนและฐานะการเงิน',
  certificate: 'มาตรฐานและใบรับรอง',
  licence: 'ใบอนุญาตและการแต่งตั้ง',
  people: 'บุคลากร',
  sme: 'ผู้ประกอบการ SMEs',
  bond: 'หลักประกัน',
  documents: 'เอกสารที่ต้องยื่น',
} as const
export type RequirementKind = keyof typeof REQUIREMENT_KINDS

const requirementSchema = z.object({
  kind: z.enum(Object.keys(REQUIREMENT_KINDS) as [RequirementKind, ...RequirementKind[]]),
  /** `4.10`; empty where the clause has none. */
  number: z.string(),
  /** The clause in one line, without its number. */
  text: z.string(),
  /** From 1, with its lines there as the reader marks them. */
  page: z.number(),
  sentence: z.string(),
})
export type Requirement = z.output<typeof requirementSchema>

/** GET /documents/{id}/requirements: in the order of the document. */
export const documentRequirementsSchema = z.object({ requirements: z.array(requirementSchema) })
