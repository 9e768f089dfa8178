import { z } from 'zod/mini'
import { companyRefSchema } from './company.ts'

/**
 * The first watch list of a new company, learned from what it won. `POST /organisations/me/first-list` proposes,
 * `POST /organisations/me/first-list/proof` shows what the ticked part of a proposal finds. Neither stores anything.
 * Money is baht, dates ISO.
 */

export const MAX_FIRST_LIST_WORDS = 200
export const MAX_PROOF_PROJECTS = 20

export const firstListRequestSchema = z.object({
  /** A 13-digit tax id in any grouping, or the name of a company. */
  company: z.string().check(z.minLength(1), z.maxLength(300)),
})
export type FirstListRequest = z.output<typeof firstListRequestSchema>

const money = z.nullable(z.number())
const proposedWordSchema = z.object({
  word: z.string(),
  wins: z.number(),
  /** Projects per working day that the word finds within the proposed provinces and price band. */
  per_day: z.number(),
  is_ticked: z.boolean(),
})
export type ProposedWord = z.output<typeof proposedWordSchema>

const priceBandSchema = z.object({ min: money, max: money })
export type PriceBand = z.output<typeof priceBandSchema>

const firstListProposalSchema = z.object({
  wins: z.number(),
  /** Sum of the contracts; null if no amount is known. */
  value: money,
  from_date: z.nullable(z.string()),
  to_date: z.nullable(z.string()),
  /** What a list learned from the earlier wins finds of the later ones; null for fewer than five wins. */
  retrospect: z.nullable(z.object({ learned: z.number(), later: z.number(), found: z.number() })),
  words: z.array(proposedWordSchema),
  agencies: z.array(proposedWordSchema),
  provinces: z.array(z.object({ name: z.string(), wins: z.number(), is_ticked: z.boolean() })),
  is_nationwide: z.boolean(),
  band: priceBandSchema,
  won_band: priceBandSchema,
  rivals: z.array(z.object({ name: z.string(), tax_id: z.nullable(z.string()), met: z.number() })),
})
export type FirstListProposal = z.output<typeof firstListProposalSchema>

export const firstListSchema = z.object({
  company: z.nullable(companyRefSchema),
  /**
   * `similar`: companies with a similar name, when none has this name. `proposal` is null if the company is unknown or
   * has not won yet.
   */
  similar: z.array(companyRefSchema),
  proposal: z.nullable(firstListProposalSchema),
})
export type FirstListResponse = z.output<typeof firstListSchema>

const words = z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(MAX_FIRST_LIST_WORDS))
export const firstListProofRequestSchema = z.object({
  company_id: z.number().check(z.int(), z.positive()),
  words,
  agencies: words,
  /** Null: every province. */
  provinces: z.nullable(z.array(z.string().check(z.maxLength(60))).check(z.maxLength(77))),
  band: priceBandSchema,
})
export type FirstListProofRequest = z.output<typeof firstListProofRequestSchema>

/** The single change that would make the list find a missed win. */
const firstListFixSchema = z.object({ kind: z.enum(['word', 'agency', 'province', 'band']), value: z.string() })
export type FirstListFix = z.output<typeof firstListFixSchema>

const provenProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  province: z.nullable(z.string()),
  budget: money,
  date: z.nullable(z.string()),
  found_by: z.array(z.string()),
})
export type ProvenProject = z.output<typeof provenProjectSchema>

export const firstListProofSchema = z.object({
  found: z.array(provenProjectSchema),
  missed: z.array(z.object({ ...provenProjectSchema.shape, fixes: z.array(firstListFixSchema) })),
  open: z.object({ total: z.number(), results: z.array(provenProjectSchema) }),
  /** Mean of the last 30 days. */
  per_working_day: z.number(),
})
export type FirstListProof = z.output<typeof firstListProofSchema>
