import { z } from 'zod/mini'

const money = z.nullable(z.number())
const date = z.nullable(z.string())

/**
 * Relation of another project to this one. `retender_of` / `retendered_as`: a cancelled purchase and its rerun under a
 * new number (N8); `yearly`: the same purchase by the same unit in another fiscal year (N9); `similar`: a similar name.
 */
export const PROJECT_LINK_KINDS = ['retender_of', 'retendered_as', 'yearly', 'similar'] as const

export const linkedProjectSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  fiscal_year: z.nullable(z.number()),
  budget: money,
  estimate_budget: money,
  winner_name: z.nullable(z.string()),
  winner_budget: money,
  status: z.string(),
  movement: z.string(),
  movement_date: date,
  is_movement_undated: z.optional(z.boolean()),
  kind: z.enum(PROJECT_LINK_KINDS),
  /** Similarity of the two project names, 0 to 1. */
  likeness: z.number(),
  in_report: z.boolean(),
})
export type LinkedProject = z.output<typeof linkedProjectSchema>
