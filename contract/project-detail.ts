import { z } from 'zod/mini'
import { attachmentSchema, fieldChangeSchema, reportRowSchema } from './report.ts'

/** Answers of `GET /projects/{id}` and what it loads later. Money is baht, dates ISO, unknown is null. */

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** How much is known of who offered what: every bidder with a price, names without (all) prices, the winner alone, or nobody (N14). */
export const BIDDER_COVERAGES = ['full', 'names', 'winner', 'none'] as const

export const bidderSchema = z.object({
  name: z.string(),
  tax_id: z.nullable(z.string()),
  price: money,
  is_winner: z.boolean(),
  is_sme: z.nullable(z.boolean()),
})
export type Bidder = z.output<typeof bidderSchema>

export const projectDetailSchema = z.object({
  /** As the report shows it, for the caller's organisation. */
  row: reportRowSchema,
  fiscal_year: z.nullable(z.number()),
  contract_signed_date: date,
  district: z.nullable(z.string()),
  subdistrict: z.nullable(z.string()),
  source: z.string(),
  /** When the data was first and last seen to differ, UTC ISO. */
  first_seen_at: z.string(),
  changed_at: z.string(),
  /** Steps seen, oldest first. */
  announcements: z.array(z.object({ movement: z.string(), announced_date: z.string() })),
  /** Every change of a tracked field, newest first (D3). */
  history: z.array(fieldChangeSchema),
  /** Moment up to which the caller had looked before this visit; null on the first. Later changes are marked. */
  last_looked_at: z.nullable(z.string()),
  attachments: z.array(z.extend(attachmentSchema, { first_seen_at: z.string() })),
  bidders: z.array(bidderSchema),
  bidder_coverage: z.enum(BIDDER_COVERAGES),
  contracts: z.array(
    z.object({
      contract_no: z.string(),
      winner_name: z.nullable(z.string()),
      winner_tax_id: z.nullable(z.string()),
      amount: money,
      signed_date: date,
      end_date: date,
      status: z.nullable(z.string()),
    }),
  ),
})
export type ProjectDetail = z.output<typeof projectDetailSchema>

/**
 * `GET /projects/{id}/similar-prices`: discounts of decided projects that resemble this one, against the reference price only (D20: what has
 * none is counted apart, never averaged in). `scope` says in Thai what was compared; the narrowest of department, province group and country
 * that has at least ten is taken.
 */
export const similarPricesSchema = z.object({
  scope: z.string(),
  n: z.number(),
  without_reference: z.number(),
  /** Share below the reference price: 0.118 is 11.8 %; negative is above. */
  median: z.nullable(z.number()),
  p25: z.nullable(z.number()),
  p75: z.nullable(z.number()),
  /** Weighted by value. */
  weighted: z.nullable(z.number()),
  /** Counts by discount, in steps of 2.5 points from `from`; the first and last bin are open. */
  bins: z.array(z.object({ from: z.number(), count: z.number() })),
  /** Every discount, sorted, so that a target price finds its percentile; at most 1,000, evenly thinned. */
  discounts: z.array(z.number()),
  winners: z.array(z.object({ name: z.string(), wins: z.number(), median: z.nullable(z.number()) })),
  from_date: date,
  to_date: date,
})
export type SimilarPrices = z.output<typeof similarPricesSchema>

export const linkedProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  budget: money,
  winner_name: z.nullable(z.string()),
  winner_budget: money,
  status: z.string(),
  movement_date: date,
  /** `retender`: the cancelled purchase under a new number, or the other way round (N8); `yearly`: the same purchase in another fiscal year (N9); `similar`: much the same name. */
  kind: z.enum(['retender', 'yearly', 'similar']),
  /** 0 to 1: how much of the names agrees. */
  likeness: z.number(),
  in_report: z.boolean(),
})
/** `GET /projects/{id}/linked`. */
export const linkedProjectsSchema = z.object({ results: z.array(linkedProjectSchema) })
export type LinkedProject = z.output<typeof linkedProjectSchema>
