import { z } from 'zod/mini'
import { linkedProjectSchema } from './linked-project.ts'

/**
 * Why another project may be the same work (N17). `again`: one was cancelled and the other is its rerun; `same`: same
 * name and amount, announced close together; `lot`: same name except for the part ("ช่วงที่ 2"); `sister`: another unit
 * of the agency announced the same work.
 */
export const TWIN_KINDS = ['again', 'same', 'lot', 'sister'] as const
export type TwinKind = (typeof TWIN_KINDS)[number]

export const twinProjectSchema = z.extend(linkedProjectSchema, {
  reason: z.object({
    kind: z.enum(TWIN_KINDS),
    /** 0 to 1: similarity of the names, ignoring part numbers. */
    likeness: z.number(),
    /** 0 to 1: difference of the budgets relative to the larger one; null when one is unknown. */
    budget_share: z.nullable(z.number()),
    days: z.nullable(z.number()),
  }),
})
export type TwinProject = z.output<typeof twinProjectSchema>
