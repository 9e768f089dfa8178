import sql, { type Sql } from 'sql-template-tag'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import { IS_AWARDED_SQL } from './bid-state-sql.ts'
import type { ReportScope } from './report-scope.ts'

/** SQL for new and changed projects. `m` is `report_matches`. */

export type DataLoadConditionFn = (load: Sql) => Sql
export const createDataLoadConditionFn =
  (loads: readonly number[]): DataLoadConditionFn =>
  (load) =>
    sql`${load} = any (${[...loads]}::bigint[])`

/** Condition for New (D3): the project was announced in one of these loads and is not awarded. */
export const announcedInDataLoadsCondition = (inLoads: DataLoadConditionFn) =>
  sql`(${inLoads(sql`m.first_load`)} and not ${IS_AWARDED_SQL})`

export const changedInDataLoadsCondition = (inLoads: DataLoadConditionFn) =>
  sql`(${inLoads(sql`m.changed_load`)} and m.changed_load <> m.first_load)`

/** By the number that SQL and the engine in memory use for a status; 0 is unused. */
export const CHANGE_STATUSES_BY_NUMBER = [undefined, 'new', 'updated', 'no_change'] as const

export const PROJECT_CHANGE_STATUS_NUMBER_SQL = sql`case
  when ${announcedInDataLoadsCondition(inLatestDataLoadsCondition)} then 1
  when ${changedInDataLoadsCondition(inLatestDataLoadsCondition)} then 2
  else 3 end`

export const changedSinceLastVisitCondition = ({ visit }: ReportScope): Sql => {
  if (!visit || visit.loads.length === 0) return sql`false`
  const inLoads = createDataLoadConditionFn(visit.loads)
  return sql`(${announcedInDataLoadsCondition(inLoads)} or coalesce(${changedInDataLoadsCondition(inLoads)}, false))`
}
