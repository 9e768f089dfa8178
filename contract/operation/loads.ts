import { z } from 'zod/mini'
import { DATA_ISSUE_KINDS } from '../catalogue/data-issue.ts'

/**
 * `GET /operation/loads`: the last 50 loads, newest first; the small feed loads of a night are combined into one.
 * `?night=` lists the loads of a night individually, unreadable ones first. Times are UTC ISO.
 */
export const operatorDataLoadsSchema = z.object({
  loads: z.array(
    z.object({
      id: z.number(),
      /** Number of combined loads. Their figures are totals, and `night` is the Bangkok date of the evening. */
      loads: z.number(),
      night: z.nullable(z.string()),
      source: z.string(),
      origin: z.string(),
      state: z.enum(['staging', 'publishing', 'published', 'failed']),
      started_at: z.string(),
      published_at: z.nullable(z.string()),
      read: z.number(),
      quarantined: z.number(),
      new_projects: z.number(),
      updated_projects: z.number(),
      doubts: z.optional(z.array(z.object({ kind: z.enum(DATA_ISSUE_KINDS), count: z.number() }))),
      failure: z.nullable(z.string()),
    }),
  ),
})
export type OperatorDataLoads = z.output<typeof operatorDataLoadsSchema>

/** `GET /operation/loads/{id}/rows`: the first 100 unreadable rows, each truncated to 300 characters. */
export const unreadableDataLoadRowsSchema = z.object({
  rows: z.array(z.object({ line: z.number(), reason: z.string(), raw: z.string() })),
})
