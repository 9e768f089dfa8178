import { z } from 'zod/mini'

const text = z.optional(z.nullable(z.string().check(z.maxLength(5_000))))

/**
 * Values of a pursuit that were on the screen of a patch's author; other fields are absent. Null if there was no
 * pursuit.
 */
export const pursuitSnapshotSchema = z.nullable(
  z.object({
    stage: text,
    owner: z.optional(z.nullable(z.number())),
    decision: text,
    reason: text,
    lost_reason: text,
    price: z.optional(z.nullable(z.number())),
    items: z.optional(z.record(z.string(), z.string())),
  }),
)
export type PursuitSnapshot = z.output<typeof pursuitSnapshotSchema>
