import sql from 'sql-template-tag'
import type { ProjectSuggestion } from '#contract/report/report.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { hiddenProjectIdsSql } from '#server/report/pursuit-sql.ts'
import type { ReportScope } from './report-scope.ts'

export const MAX_PROJECT_SUGGESTIONS = 5

type StoredSuggestion = Omit<ProjectSuggestion, 'budget'> & { budget_satang: number | null }

export async function loadProjectSuggestionsById(
  db: Db,
  projectIds: readonly string[],
  scope: ReportScope,
): Promise<ProjectSuggestion[]> {
  const rows = await db.query<StoredSuggestion>(sql`
    select m.project_id, p.name, d.sub_name as dept_sub_name, p.budget_satang, m.is_archived,
      m.project_id in (${hiddenProjectIdsSql(scope.userId)}) as is_hidden
    from (
      select m.project_id, m.is_archived, m.movement_on from report_matches m
      where m.organisation_id = ${scope.organisationId}::int and m.project_id = any (${[...projectIds]}::text[])
      order by m.is_archived, m.movement_on desc nulls last, m.project_id limit ${MAX_PROJECT_SUGGESTIONS}::int
    ) m
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    order by m.is_archived, m.movement_on desc nulls last, m.project_id`)
  return rows.map(({ budget_satang, ...row }) => ({
    ...row,
    budget: budget_satang === null ? null : budget_satang / 100,
  }))
}
