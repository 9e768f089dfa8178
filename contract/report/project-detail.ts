import { z } from 'zod/mini'
import { attachmentSchema } from '../catalogue/attachment.ts'
import { factSourceSchema } from '../catalogue/fact-source.ts'
import { fieldChangeSchema } from '../catalogue/field-change.ts'
import { freshnessSchema } from '../catalogue/freshness.ts'
import { linkedProjectSchema } from '../catalogue/linked-project.ts'
import { purchaseHistorySchema } from '../catalogue/purchase-history.ts'
import { twinProjectSchema } from '../catalogue/twin-project.ts'
import { reportRowSchema } from './report.ts'

/** Answers of `GET /projects/{id}` and of what its page loads later. Money is baht, dates ISO, unknown is null. */

/** `GET /projects/{id}?ahead=true` asks before anybody looks (the next project of a list): the same answer, and no look is recorded. */
export const AHEAD = { ahead: 'true' } as const

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/** How much is known of who offered what (N14): every bidder with a price, names without (all) prices, the winner alone, or nobody. */
export const BIDDER_COVERAGES = ['full', 'names', 'winner', 'none'] as const

export const bidderSchema = z.object({
  name: z.string(),
  tax_id: z.nullable(z.string()),
  price: money,
  is_winner: z.boolean(),
  is_sme: z.nullable(z.boolean()),
})
export type Bidder = z.output<typeof bidderSchema>

export const projectAttachmentSchema = z.object({
  ...attachmentSchema.shape,
  /** When a load first brought it, UTC ISO. */
  first_seen_at: z.string(),
})

export const projectDetailSchema = z.object({
  /** As the caller's report shows it, whichever tab it stands in and whether hidden or not. */
  row: reportRowSchema,
  fiscal_year: z.nullable(z.number()),
  contract_signed_date: date,
  district: z.nullable(z.string()),
  subdistrict: z.nullable(z.string()),
  /** Where the data comes from, as the feed names it. */
  source: z.string(),
  /** Loads that first brought it and last changed it, UTC ISO. */
  first_seen_at: z.string(),
  changed_at: z.string(),
  /** When the newest load was published, UTC ISO: up to when all of this is true. */
  data_time: z.nullable(z.string()),
  /** Of its agency, where the feed is asked about that. */
  freshness: z.optional(freshnessSchema),
  /** Of the facts that are known and whose source is kept. */
  fact_sources: z.array(factSourceSchema),
  /** A document of e-GP surely says another last day than `row`; neither replaces the other. */
  deadline_conflict: z.optional(z.object({ date: z.string(), page: z.number(), document: z.string() })),
  /** Steps seen, oldest first, with the address that the source gave; the plan that it came of, if one is known, is a step too. */
  announcements: z.array(z.object({ movement: z.string(), announced_date: z.string(), link: z.optional(z.string()) })),
  /** Every change of a tracked field, newest first (D3). */
  history: z.array(fieldChangeSchema),
  /** When the caller had last looked before this visit, UTC ISO; null on the first. What was seen later is marked. */
  last_looked_at: z.nullable(z.string()),
  attachments: z.array(projectAttachmentSchema),
  /** Winners first, then by price. */
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

/** `GET /projects/{id}/linked`: the surest first. */
export const linkedProjectsSchema = z.object({
  results: z.array(linkedProjectSchema),
  /** What may be the same work, the surest first. */
  twins: z.optional(z.array(twinProjectSchema)),
  /** When the unit announces this kind of work, and who had it before. */
  history: z.optional(purchaseHistorySchema),
})
