import { z } from 'zod/mini'
import type { Qualifications } from './qualification.ts'

/**
 * Qualifications that decide whether the organisation may bid (`contract/report/eligibility.ts`), in the order of the
 * short form.
 */
export const DECIDING_QUALIFICATIONS = [
  'bidder_kind',
  'net_worth',
  'paid_capital',
  'credit_line',
  'credit_letter_on',
  'has_anti_corruption_policy',
  'suspended_until',
] as const satisfies readonly (keyof Qualifications)[]
export type DecidingQualification = (typeof DECIDING_QUALIFICATIONS)[number]

const coverage = z.object({
  /**
   * Open projects whose verdict depends on the stored answer. `waiting`: open projects that get a verdict only once it
   * is given.
   */
  decided: z.number(),
  waiting: z.number(),
})

export const qualificationCoverageSchema = z.object({
  open: z.number(),
  decided: z.number(),
  answers: z.object({
    bidder_kind: coverage,
    net_worth: coverage,
    paid_capital: coverage,
    credit_line: coverage,
    credit_letter_on: coverage,
    has_anti_corruption_policy: coverage,
    suspended_until: coverage,
  } satisfies Record<DecidingQualification, typeof coverage>),
})
export type QualificationCoverage = z.output<typeof qualificationCoverageSchema>
