import sql from 'sql-template-tag'
import type { ProjectSuggestion } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/engine/db.ts'
import { allOf, filterConditions, hiddenOf } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'

type StoredSuggestion = Omit<ProjectSuggestion, 'budget'> & { budget_satang: number | null }

/** Ids of the first projects that a search finds in the organisation's report, in either tab and hidden or not: the open ones first, of each tab the newest movement. */
export async function findSuggested(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(sql`
    select m.project_id from report_matches m
    where m.organisation_id = ${scope.organisationId}::int and ${allOf(filterConditions(search, scope))}
    order by m.is_archived, m.movement_on desc nulls last, m.project_id limit ${limit}::int`)
  return rows.map(({ project_id }) => project_id)
}

/** Projects as suggestions, in the order of the ids. */
export async function loadSuggestions(db: Db, ids: readonly string[], userId: number): Promise<ProjectSuggestion[]> {
  const rows = await db.query<StoredSuggestion>(sql`
    select p.project_id, p.name, d.sub_name as dept_sub_name, p.budget_satang, p.is_archived, p.project_id in (${hiddenOf(userId)}) as is_hidden
    from unnest(${[...ids]}::text[]) with ordinality picked (project_id, place)
    join projects p on p.project_id = picked.project_id
    join departments d on d.id = p.department_id
    order by picked.place`)
  return rows.map(({ budget_satang, ...row }) => ({
    ...row,
    budget: budget_satang === null ? null : budget_satang / 100,
  }))
}
