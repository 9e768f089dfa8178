import { z } from 'zod/mini'

/** `GET /operation/loads`: the last 50, the newest first. Moments are UTC ISO. */
export const operatedLoadsSchema = z.object({
  loads: z.array(
    z.object({
      id: z.number(),
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
      failure: z.nullable(z.string()),
    }),
  ),
})
export type OperatedLoads = z.output<typeof operatedLoadsSchema>

/** `GET /operation/loads/{id}/rows`: the first 100 rows that could not be read, each with its first 300 signs. */
export const badRowsSchema = z.object({
  rows: z.array(z.object({ line: z.number(), reason: z.string(), raw: z.string() })),
})
