import sql, { join, raw } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { announcedInDataLoadsCondition, createDataLoadConditionFn } from '#server/report/change-status-sql.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { AnnouncedProjectOptions, AnnouncedProjects, ReportTabCounts } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

type AnnouncedRow = { readonly ids: string[]; readonly counts: readonly ReportTabCounts[] }

/** Returns the same as `findAnnouncedProjectsFromMemory`. */
export async function loadAnnouncedProjects(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  { loads, limit }: AnnouncedProjectOptions,
): Promise<AnnouncedProjects> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const columns = searches.map((_, i) => raw(`passes_${i}`))
  const passes = searches.map(
    (search, i) =>
      sql`(${reportSearchCondition(scope, search)} and ${joinFilterConditions(buildReportFilterConditions(search, scope))}) as ${columns[i]!}`,
  )
  const isFound = sql`(${join(columns, ' or ')})`
  // The last list is that of all searches together.
  const lists = [...columns.map((column) => sql`${column}`), isFound]
  const firstIds = lists.map(
    (isListed) => sql`(
      select t.project_id from announced t where ${isListed} order by t.movement_on desc nulls last, t.project_id limit ${limit}::int)`,
  )
  const counts = lists.map(
    (isListed) => sql`(
      select json_build_object('active', count(*) filter (where not t.is_archived), 'archived', count(*) filter (where t.is_archived))
      from announced t where ${isListed})`,
  )
  const [row] = await db.query<AnnouncedRow>(sql`
    with announced as materialized (
      select m.project_id, m.movement_on, m.is_archived, ${join(passes)}
      from report_matches m
      where m.organisation_id = ${scope.organisationId}::int and ${announcedInDataLoadsCondition(createDataLoadConditionFn(loads))}
    )
    select array(select f.project_id from (${join(firstIds, ' union ')}) f) as ids, json_build_array(${join(counts)}) as counts`)
  const { ids, counts: tabCounts } = row!
  return { ids, bySearch: tabCounts.slice(0, -1), together: tabCounts.at(-1)! }
}
