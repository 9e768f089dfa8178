import { z } from 'zod/mini'
import type { Qualifications } from '../account/qualification.ts'

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

/** Whether the organisation can. `ask`: the clause or what the organisation said of itself does not decide it, and a person has to. */
export const REQUIREMENT_ANSWERS = { yes: 'ได้', no: 'ไม่ได้', ask: 'ต้องถาม' } as const
export type RequirementCan = keyof typeof REQUIREMENT_ANSWERS

const MISSING = [
  'capital',
  'net_worth',
  'bond_line',
  'sme',
  'classes',
  'past_works',
  'certificates',
  'people',
] as const satisfies readonly (keyof Qualifications)[]

const answerSchema = z.object({
  can: z.enum(Object.keys(REQUIREMENT_ANSWERS) as [RequirementCan, ...RequirementCan[]]),
  /** What the clause wants, as far as it was read, and what of ours stands against it. */
  reason: z.string(),
  /** The part of the settings that would decide it, or decide it better; null: none would. */
  missing: z.nullable(z.enum(MISSING)),
})
export type RequirementAnswer = z.output<typeof answerSchema>

const requirementSchema = z.object({
  kind: z.enum(Object.keys(REQUIREMENT_KINDS) as [RequirementKind, ...RequirementKind[]]),
  /** `4.10`; empty where the clause has none. */
  number: z.string(),
  /** The clause in one line, without its number. */
  text: z.string(),
  /** From 1, with its lines there as the reader marks them. */
  page: z.number(),
  sentence: z.string(),
  answer: answerSchema,
})
export type Requirement = z.output<typeof requirementSchema>

/** GET /documents/{id}/requirements: in the order of the document. */
export const documentRequirementsSchema = z.object({ requirements: z.array(requirementSchema) })
