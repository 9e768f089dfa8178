import { z } from 'zod/mini'
import { linkedProjectSchema } from './linked-project.ts'

/**
 * Why another project may be the same work (N17). `again`: one of the two was cancelled and the other is its next run; `same`: one name, one sum, announced close together; `lot`:
 * one name but for its part ("ช่วงที่ 2"); `sister`: another unit of the agency announced the same.
 */
export const TWIN_KINDS = ['again', 'same', 'lot', 'sister'] as const
export type TwinKind = (typeof TWIN_KINDS)[number]

export const twinProjectSchema = z.extend(linkedProjectSchema, {
  reason: z.object({
    kind: z.enum(TWIN_KINDS),
    /** 0 to 1: how much of the two names agrees, without what tells parts apart. */
    likeness: z.number(),
    /** 0 to 1: by how much the budgets differ, of the larger; null where one is unknown. */
    budget_share: z.nullable(z.number()),
    /** Days between the announcements; null where one has no day. */
    days: z.nullable(z.number()),
  }),
})
export type TwinProject = z.output<typeof twinProjectSchema>
