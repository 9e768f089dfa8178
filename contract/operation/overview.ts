import { z } from 'zod/mini'

/** `GET /operation/overview`: how much of what needs a hand. */
export const operationOverviewSchema = z.object({
  /** UTC ISO. */
  checked_at: z.string(),
  /** Sources that are on and were refused, or whose newest night failed. */
  failed_sources: z.number(),
  /** Loads of the last day that failed, and rows of those that came that could not be read. */
  failed_loads: z.number(),
  unreadable_rows: z.number(),
  /** Jobs that were given up and can begin anew, or were given up within the last day. */
  dead_jobs: z.number(),
  /** Mails that failed and can be sent again, or failed within the last day. */
  failed_mails: z.number(),
  /** Webhooks of organisations that paused themselves within the last day. */
  paused_webhooks: z.number(),
  waiting_keywords: z.number(),
  /** Kinds of facts of documents whose values were no longer told because too many readings became unsure, until an operator switches them. */
  undone_facts: z.number(),
  /** 1 while the store of documents does not answer; files on the server itself always do. */
  missing_stores: z.number(),
})
export type OperationOverview = z.output<typeof operationOverviewSchema>
