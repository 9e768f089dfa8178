import { z } from 'zod/mini'

/** `GET /organisations/starter-words?types=401,404`: words to begin with, by subtype (product 5.4, step 2). */
export const starterGroupSchema = z.object({
  business_type_id: z.number(),
  /** Name of the group that the words go into. */
  name: z.string(),
  include: z.array(z.string()),
  /** Words by meaning; offered, never ticked ahead. */
  ai_include: z.array(z.string()),
  /** Frequent false friends of these words. */
  exclude: z.array(z.string()),
})
export const starterWordsSchema = z.object({ groups: z.array(starterGroupSchema) })
export type StarterGroup = z.output<typeof starterGroupSchema>
