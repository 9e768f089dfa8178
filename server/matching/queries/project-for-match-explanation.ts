import sql from 'sql-template-tag'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import type { MatchingProgress } from '#contract/matching/matching-progress.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { PROJECT_MATCH_JOB_TYPE } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Returns the progress of matching after a list change. With several jobs, running takes precedence over waiting
 * (including retries), and waiting over failed. Returns idle if there are no jobs.
 */
export async function loadMatchingProgress(db: Db, organisationId: number): Promise<MatchingProgress> {
  const [row] = await db.query<MatchingProgress>(sql`
    select
      case
        when bool_or(state = 'running') then 'running'
        when bool_or(state = 'waiting') then 'waiting'
        when bool_or(state = 'dead') then 'failed'
        else 'idle'
      end as state,
      coalesce(max((progress ->> 'done')::int) filter (where state = 'running'), 0) as done,
      coalesce(max((progress ->> 'total')::int) filter (where state = 'running'), 0) as total,
      max(finished_at) filter (where state = 'done') as finished_at
    from jobs where kind = ${PROJECT_MATCH_JOB_TYPE.kind} and key = ${String(organisationId)}`)
  return row!
}

export type ProjectForMatchExplanation = ProjectToMatch & {
  readonly name: string
  readonly is_archived: boolean
  readonly is_movement_undated: boolean
  readonly is_hidden: boolean
  readonly is_stored: boolean
  readonly rescued_from: { readonly list: KeywordListCode; readonly word: string } | null
}

export async function loadProjectForMatchExplanation(
  db: Db,
  projectId: string,
  { organisationId, userId }: { organisationId: number; userId: number },
): Promise<ProjectForMatchExplanation | undefined> {
  const [project] = await db.query<ProjectForMatchExplanation>(sql`
    select p.project_id, p.name, p.name_search, p.name_spaced, p.project_province, p.budget_satang, p.movement_on, p.is_movement_undated, p.is_archived,
      d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province,
      exists (select from hidden_projects h where h.user_id = ${userId}::int and h.project_id = p.project_id) as is_hidden,
      exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id) as is_stored,
      (select json_build_object('list', r.list, 'word', r.word) from match_rescues r
        where r.organisation_id = ${organisationId}::int and r.project_id = p.project_id) as rescued_from
    from projects p join departments d on d.id = p.department_id where p.project_id = ${projectId}::text`)
  return project
}
