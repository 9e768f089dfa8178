import { z } from 'zod/mini'

/** `GET /organisations/me/matching`: how far the matching that a change of the lists asked for has come. Apart from the impact of words: the report's first load needs it. */
export const matchingProgressSchema = z.object({
  state: z.enum(['idle', 'waiting', 'running', 'failed']),
  /** Projects evaluated so far. 0 of 0 while the matching waits. */
  done: z.number(),
  total: z.number(),
  /** Moment of the last finished one, UTC ISO. */
  finished_at: z.nullable(z.string()),
})
export type MatchingProgress = z.output<typeof matchingProgressSchema>
