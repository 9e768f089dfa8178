import { z } from 'zod/mini'

/**
 * `GET /departments`: the master list of purchasing units. Without `q`: departments, busiest first; with `ministry`:
 * its departments (empty text: those without a ministry); with `department`: its units; with `q`: departments and units
 * whose normalised names contain it, at most 50.
 */
const departmentUnitSchema = z.object({
  /**
   * Keyword to store when this row is selected (D9): the unit's canonical name. The name of a department covers all of
   * its units.
   */
  word: z.string(),
  department: z.string(),
  unit: z.string(),
  /** Parent of the department in the tree: its ministry or type of agency; null when the sources do not state it. */
  ministry: z.nullable(z.string()),
  province: z.nullable(z.string()),
  units: z.number(),
  /**
   * Number of units with exactly this name in all departments, including this one. Watching the name watches all of
   * them. 0 for a department.
   */
  same_name: z.number(),
  open: z.number(),
  recent: z.number(),
})
export type DepartmentUnit = z.output<typeof departmentUnitSchema>
const ministrySchema = z.object({
  name: z.string(),
  departments: z.number(),
  open: z.number(),
  recent: z.number(),
})
export type Ministry = z.output<typeof ministrySchema>
export const departmentListSchema = z.object({
  total: z.number(),
  results: z.array(departmentUnitSchema),
  /** Top level of the tree. Returned only for an unfiltered request; empty when no agency directory was imported. */
  ministries: z.array(ministrySchema),
})
export type DepartmentList = z.output<typeof departmentListSchema>
