import { z } from 'zod/mini'

/**
 * `GET /departments`: the master list of purchasing units. Without `q`: departments, the busiest first; with `ministry`: those under it
 * (empty text: those of which it is not known); with `department`: its units; with `q`: departments and units whose names contain it
 * (search form), 50 at most.
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
  /** Units of this very name, this one included, over all departments: watching the name watches all of them. 0 for a department. */
  same_name: z.number(),
  /** Projects that are still active, and those announced in the last 30 days. */
  open: z.number(),
  recent: z.number(),
})
export type DepartmentUnit = z.output<typeof departmentUnitSchema>
/** Ministry or kind of body above departments; `name` is empty for the departments of which it is not known. */
export const ministrySchema = z.object({
  name: z.string(),
  departments: z.number(),
  open: z.number(),
  recent: z.number(),
})
export type Ministry = z.output<typeof ministrySchema>
export const departmentListSchema = z.object({
  /** Of what was asked for; `results` may hold fewer. */
  total: z.number(),
  results: z.array(departmentUnitSchema),
  /** Top level of the tree, answered when nothing is asked for; empty where no directory of agencies was imported. */
  ministries: z.array(ministrySchema),
})
export type DepartmentList = z.output<typeof departmentListSchema>
