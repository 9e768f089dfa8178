import { z } from 'zod/mini'
import { attachmentSchema } from '../catalogue/attachment.ts'
import { projectFactSourceSchema } from '../catalogue/fact-source.ts'
import { fieldChangeSchema } from '../catalogue/field-change.ts'
import { dataFreshnessSchema } from '../catalogue/freshness.ts'
import { linkedProjectSchema } from '../catalogue/linked-project.ts'
import { possibleDuplicateProjectSchema } from '../catalogue/possible-duplicate-project.ts'
import { purchaseHistorySchema } from '../catalogue/purchase-history.ts'
import { reportRowSchema } from './report.ts'

/**
 * Responses of `GET /projects/{id}` and of the follow-up requests of its page. Money is in baht, dates are ISO, unknown
 * is null.
 */

/**
 * Query parameters for prefetching the next project of a list: `GET /projects/{id}?ahead=true` returns the same
 * response without recording a view.
 */
export const PROJECT_PREFETCH_PARAMS = { ahead: 'true' } as const

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/**
 * How much bid information is available (N14): every bidder with a price, bidders without (all) prices, only the
 * winner, or nothing.
 */
export const BIDDER_DATA_COVERAGES = ['full', 'names', 'winner', 'none'] as const

const bidderSchema = z.object({
  name: z.string(),
  tax_id: z.nullable(z.string()),
  price: money,
  is_winner: z.boolean(),
  is_sme: z.nullable(z.boolean()),
})
export type Bidder = z.output<typeof bidderSchema>

const projectAttachmentSchema = z.object({
  ...attachmentSchema.shape,
  first_seen_at: z.string(),
})

export const projectDetailSchema = z.object({
  /** The project as a row of the caller's report, in either scope and even if hidden. */
  row: reportRowSchema,
  fiscal_year: z.nullable(z.number()),
  contract_signed_date: date,
  district: z.nullable(z.string()),
  subdistrict: z.nullable(z.string()),
  source: z.string(),
  first_seen_at: z.string(),
  changed_at: z.string(),
  data_time: z.nullable(z.string()),
  freshness: z.optional(dataFreshnessSchema),
  fact_sources: z.array(projectFactSourceSchema),
  /**
   * Set if an e-GP document clearly states a deadline that differs from the one in `row`; neither overrides the other.
   */
  deadline_conflict: z.optional(z.object({ date: z.string(), page: z.number(), document: z.string() })),
  /**
   * Observed procurement steps, oldest first, with the source's URL; includes the project's procurement plan, if any.
   */
  announcements: z.array(z.object({ movement: z.string(), announced_date: z.string(), link: z.optional(z.string()) })),
  /** Every change of a tracked field, newest first (D3). */
  history: z.array(fieldChangeSchema),
  last_looked_at: z.nullable(z.string()),
  attachments: z.array(projectAttachmentSchema),
  bidders: z.array(bidderSchema),
  bidder_coverage: z.enum(BIDDER_DATA_COVERAGES),
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

export const linkedProjectsSchema = z.object({
  results: z.array(linkedProjectSchema),
  twins: z.optional(z.array(possibleDuplicateProjectSchema)),
  history: z.optional(purchaseHistorySchema),
})
