import { z } from 'zod/mini'

/**
 * `GET /departments`: the master list of purchasing units. Without `q`: departments, the busiest first; with `department`: its units;
 * with `q`: departments and units whose names contain it (search form), 50 at most.
 */
export const departmentUnitSchema = z.object({
  /** What is stored as the keyword's word (D9): the unit's canonical name; a department's own name stands for all its units. */
  word: z.string(),
  department: z.string(),
  /** Empty for the department itself. */
  unit: z.string(),
  /** Group above the department in the tree: ministry or kind of body; null where the sources do not say. */
  ministry: z.nullable(z.string()),
  province: z.nullable(z.string()),
  /** Units below; 0 for a unit. */
  units: z.number(),
  /** Projects that are still active, and those announced in the last 30 days. */
  open: z.number(),
  recent: z.number(),
})
export type DepartmentUnit = z.output<typeof departmentUnitSchema>
export const departmentListSchema = z.object({ total: z.number(), results: z.array(departmentUnitSchema) })
export type DepartmentList = z.output<typeof departmentListSchema>
