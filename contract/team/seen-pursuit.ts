import { z } from 'zod/mini'

const text = z.optional(z.nullable(z.string().check(z.maxLength(5_000))))

/** What the author saw; a field that the screen did not show is absent. Null: there was no pursuit. */
export const seenPursuitSchema = z.nullable(
  z.object({
    stage: text,
    owner: z.optional(z.nullable(z.number())),
    decision: text,
    reason: text,
    lost_reason: text,
    price: z.optional(z.nullable(z.number())),
    /** Texts of items of the checklist by their ids. */
    items: z.optional(z.record(z.string(), z.string())),
  }),
)
export type SeenPursuit = z.output<typeof seenPursuitSchema>
