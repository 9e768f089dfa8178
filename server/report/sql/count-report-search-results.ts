import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from '#server/report/change-status-sql.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { ReportSearchCount } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

export async function countReportSearchResults(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
): Promise<ReportSearchCount[]> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  // Text searches run separately, so that they do not force the other searches off the covering index.
  const readsText = (search: ReportSearch) =>
    buildReportFilterConditions(search, scope).some((condition) => condition.readsText)
  const groups = [searches.filter(readsText), searches.filter((search) => !readsText(search))]
  const countsByGroup = await Promise.all(groups.map((group) => countInOnePass(db, group, scope)))
  const countOf = new Map(
    groups.flatMap((group, i) => group.map((search, j) => [search, countsByGroup[i]![j]!] as const)),
  )
  return searches.map((search) => countOf.get(search)!)
}

async function countInOnePass(
  db: Db,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[]> {
  if (searches.length === 0) return []
  const columns = searches.map((_, i) => raw(`passes_${i}`))
  const passes = searches.map(
    (search, i) =>
      sql`(${reportSearchCondition(scope, search)} and ${joinFilterConditions(buildReportFilterConditions(search, scope))}) as ${columns[i]!}`,
  )
  const counts = columns.map(
    (column): Sql =>
      sql`json_build_object('total', count(*) filter (where t.${column}), 'new', count(*) filter (where t.${column} and t.change = 1))`,
  )
  const [row] = await db.query<{ counts: ReportSearchCount[] }>(sql`
    select json_build_array(${join(counts)}) as counts
    from (
      select ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${join(passes)}
      from report_matches m where m.organisation_id = ${scope.organisationId}::int
      offset 0 -- keeps each condition evaluated once a row
    ) t`)
  return row!.counts
}
