import { z } from 'zod/mini'

const money = z.nullable(z.number())
/** ISO date. */
const date = z.nullable(z.string())

/**
 * What ties another project to this one. `retender_of` / `retendered_as`: the cancelled purchase and its run under a new number (N8);
 * `yearly`: the same purchase of the same unit in another fiscal year (N9); `similar`: much the same name.
 */
export const LINK_KINDS = ['retender_of', 'retendered_as', 'yearly', 'similar'] as const

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
  /** As in a row of the report. */
  is_movement_undated: z.optional(z.boolean()),
  kind: z.enum(LINK_KINDS),
  /** 0 to 1: how much of the two names agrees. */
  likeness: z.number(),
  /** Whether the caller's report holds it, and so can open it. */
  in_report: z.boolean(),
})
export type LinkedProject = z.output<typeof linkedProjectSchema>
