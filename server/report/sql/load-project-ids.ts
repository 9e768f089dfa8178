import sql from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_DATA_LOAD_COLUMNS_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  removeSemanticSearchCondition,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { ReportIdOptions, ReportIds } from '#server/report/report-queries.ts'
import { reportOrderSql } from '#server/report/report-rows-sql.ts'
import type { ReportScope } from '#server/report/report-scope.ts'

export async function loadProjectIds(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
  { limit, ...timeout }: ReportIdOptions,
): Promise<ReportIds['lists'][number] & Pick<ReportIds, 'load' | 'dataTime'>> {
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  // Ids are sent as one string: parsing an array of 200,000 would block the event loop for 100 ms.
  const [list] = await db.query<Pick<ReportIds, 'load' | 'dataTime'> & { ids: string | null; total: number }>(
    sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${reportOrderSql(search, scope)}) as place
      from ${reportMatchesFromClauseSql(search, scope)} where ${reportSearchCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as total, ${LATEST_DATA_LOAD_COLUMNS_SQL},
      (select string_agg(h.project_id, chr(10) order by h.place) from hits h where h.place <= ${limit}::int) as ids`,
    timeout,
  )
  return { ...list!, ids: list!.ids === null ? [] : list!.ids.split('\n') }
}
