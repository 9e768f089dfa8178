import { z } from 'zod/mini'

/** `GET /operation/overview`: counts of problems that need attention. */
export const operationOverviewSchema = z.object({
  /** UTC ISO. */
  checked_at: z.string(),
  /** Enabled sources that were refused, or whose latest night failed. */
  failed_sources: z.number(),
  /** Failed loads of the last 24 hours, and unreadable rows in the successful ones. */
  failed_loads: z.number(),
  unreadable_rows: z.number(),
  /** Jobs that are dead and restartable, or died in the last 24 hours. */
  dead_jobs: z.number(),
  /** Mails that failed and can be resent, or failed in the last 24 hours. */
  failed_mails: z.number(),
  /** Webhooks that were paused automatically in the last 24 hours. */
  paused_webhooks: z.number(),
  waiting_keywords: z.number(),
  /** Document facts disabled automatically because too many readings became unsure, until an operator switches them. */
  undone_facts: z.number(),
  /** 1 while the document store is unreachable; always 0 for files on the server itself. */
  missing_stores: z.number(),
})
export type OperationOverview = z.output<typeof operationOverviewSchema>
