import sql, { join, raw } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

const IDS_PER_STATEMENT = 5_000

/**
 * Returns one list per search: the ids of these projects, in their given order, that the search finds in the report of
 * `requestScope`. Uses the report's conditions, so emails about a filter agree with the report.
 */
export async function loadProjectsPassingSearches(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][]> {
  if (searches.length === 0 || projectIds.length === 0) return searches.map(() => [])
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const columns = searches.map((_, i) => raw(`passes_${i}`))
  const passes = searches.map(
    (search, i) =>
      sql`(${reportSearchCondition(scope, search)} and ${joinFilterConditions(buildReportFilterConditions(search, scope))}) as ${columns[i]!}`,
  )
  const idColumns = columns.map(
    (column, i) =>
      sql`coalesce(array_agg(t.project_id order by t.place) filter (where t.${column}), '{}') as ${raw(`found_${i}`)}`,
  )
  const idsBySearch: string[][] = searches.map(() => [])
  for (const ids of splitIntoSlices(projectIds, IDS_PER_STATEMENT)) {
    const [row] = await db.query<Record<string, string[]>>(sql`
      select ${join(idColumns)}
      from (
        select m.project_id, w.place, ${join(passes)}
        from unnest(${ids}::text[]) with ordinality w (id, place)
        join report_matches m on m.organisation_id = ${scope.organisationId}::int and m.project_id = w.id
        offset 0 -- keeps each condition evaluated once a row
      ) t`)
    for (const [i, passing] of idsBySearch.entries()) passing.push(...row![`found_${i}`]!)
  }
  return idsBySearch
}
