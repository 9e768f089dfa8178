import { z } from 'zod/mini'

/**
 * `GET /organisations/me/matching`: progress of the matching triggered by a change of a watch list. Separate from the
 * impact module because the report needs this schema on its first load.
 */
export const matchingProgressSchema = z.object({
  state: z.enum(['idle', 'waiting', 'running', 'failed']),
  done: z.number(),
  total: z.number(),
  finished_at: z.nullable(z.string()),
})
export type MatchingProgress = z.output<typeof matchingProgressSchema>
