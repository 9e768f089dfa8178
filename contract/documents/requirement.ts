import { z } from 'zod/mini'
import type { Qualifications } from '../account/qualification.ts'

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

/**
 * Whether the organisation meets a requirement. `ask`: the clause or the organisation's qualifications do not allow a
 * decision, so a person has to decide.
 */
export const REQUIREMENT_VERDICTS = { yes: 'ได้', no: 'ไม่ได้', ask: 'ต้องถาม' } as const
export type RequirementVerdict = keyof typeof REQUIREMENT_VERDICTS

const MISSING_SETTINGS = [
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
  can: z.enum(Object.keys(REQUIREMENT_VERDICTS) as [RequirementVerdict, ...RequirementVerdict[]]),
  reason: z.string(),
  /** The missing qualification setting that would allow a decision, or a better one; null if none is missing. */
  missing: z.nullable(z.enum(MISSING_SETTINGS)),
})
export type RequirementAnswer = z.output<typeof answerSchema>

const requirementSchema = z.object({
  kind: z.enum(Object.keys(REQUIREMENT_KINDS) as [RequirementKind, ...RequirementKind[]]),
  number: z.string(),
  text: z.string(),
  page: z.number(),
  sentence: z.string(),
  answer: answerSchema,
})
export type DocumentRequirement = z.output<typeof requirementSchema>

export const documentRequirementsSchema = z.object({ requirements: z.array(requirementSchema) })
