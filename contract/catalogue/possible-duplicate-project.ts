import { z } from 'zod/mini'
import { linkedProjectSchema } from './linked-project.ts'

/**
 * Why another project may be the same work (N17). `again`: one project was cancelled and the other is its rerun;
 * `same`: same name and amount, announced close together; `lot`: the names differ only in the part number ("ช่วงที่
 * 2"); `sister`: another unit of the agency announced the same work.
 */
const POSSIBLE_DUPLICATE_KINDS = ['again', 'same', 'lot', 'sister'] as const
export type PossibleDuplicateKind = (typeof POSSIBLE_DUPLICATE_KINDS)[number]

export const possibleDuplicateProjectSchema = z.extend(linkedProjectSchema, {
  reason: z.object({
    kind: z.enum(POSSIBLE_DUPLICATE_KINDS),
    /**
     * `likeness`: similarity of the two project names, ignoring part numbers. `budget_share`: difference of the budgets
     * relative to the larger one, null when either is unknown. Both 0 to 1.
     */
    likeness: z.number(),
    budget_share: z.nullable(z.number()),
    days: z.nullable(z.number()),
  }),
})
export type PossibleDuplicateProject = z.output<typeof possibleDuplicateProjectSchema>
