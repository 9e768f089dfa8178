import { z } from 'zod/mini'

export const operationOverviewSchema = z.object({
  checked_at: z.string(),
  failed_sources: z.number(),
  /** Failed loads of the last 24 hours; `unreadable_rows` counts rows of the successful ones. */
  failed_loads: z.number(),
  unreadable_rows: z.number(),
  dead_jobs: z.number(),
  failed_mails: z.number(),
  paused_webhooks: z.number(),
  waiting_keywords: z.number(),
  /**
   * Number of document facts that were disabled automatically because too many readings became unsure. They count until
   * an operator switches them.
   */
  undone_facts: z.number(),
  /**
   * 1 while the remote document store is unreachable, otherwise 0; always 0 if documents are stored on the server's own
   * disk.
   */
  missing_stores: z.number(),
})
export type OperationOverview = z.output<typeof operationOverviewSchema>
