import { z } from 'zod/mini'
import { DOUBT_KINDS } from '../catalogue/doubt.ts'

/**
 * `GET /operation/loads`: the last 50, the newest first; the small loads of the feed in one night are one of them. `?night=`: those of a night, each by
 * itself, unreadable ones first. Moments are UTC ISO.
 */
export const operatedLoadsSchema = z.object({
  loads: z.array(
    z.object({
      /** Of several the newest. */
      id: z.number(),
      /** How many loads these are; of several the figures are sums, and `night` is the Bangkok day of their evening. */
      loads: z.number(),
      night: z.nullable(z.string()),
      source: z.string(),
      /** File name or address. */
      origin: z.string(),
      state: z.enum(['staging', 'publishing', 'published', 'failed']),
      started_at: z.string(),
      published_at: z.nullable(z.string()),
      read: z.number(),
      quarantined: z.number(),
      new_projects: z.number(),
      updated_projects: z.number(),
      /** Doubts of the rows taken, by kind. */
      doubts: z.optional(z.array(z.object({ kind: z.enum(DOUBT_KINDS), count: z.number() }))),
      failure: z.nullable(z.string()),
    }),
  ),
})
export type OperatedLoads = z.output<typeof operatedLoadsSchema>

/** `GET /operation/loads/{id}/rows`: the first 100 rows that could not be read, each with its first 300 signs. */
export const badRowsSchema = z.object({
  rows: z.array(z.object({ line: z.number(), reason: z.string(), raw: z.string() })),
})
