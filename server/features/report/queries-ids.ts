import sql from 'sql-template-tag'
import type { ReportIds } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { MAX_PROJECTS_PER_ACTION } from '#contract/user/bookmark.ts'
import type { Db } from '#server/engine/db.ts'
import { withDeepSearch } from './deep-search.ts'
import { allOf, conditionsOfMatches, filterConditions, matchesOf, reportCondition } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'
import { orderSql } from './sort-sql.ts'

/** The first ids of a search in its order, as many as one action may name, and how many it finds. Page and page size say nothing here. */
export async function loadIds(db: Db, search: ReportSearch, asked: ReportScope): Promise<ReportIds> {
  const scope = await withDeepSearch(db, [search], asked)
  const filters = allOf(conditionsOfMatches(filterConditions(search, scope)))
  const [found] = await db.query<ReportIds>(sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${orderSql(search)}) as place
      from ${matchesOf(search, scope)} where ${reportCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as total,
      array(select h.project_id from hits h where h.place <= ${MAX_PROJECTS_PER_ACTION}::int order by h.place) as ids`)
  return found!
}
