import sql from 'sql-template-tag'
import {
  NO_FEEDBACK,
  PROJECT_FEEDBACK_VERDICTS,
  type ProjectFeedbackAction,
  type ProjectFeedbackVerdict,
} from '#contract/report/project-feedback.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { patchUser } from '#server/report/user/patch-user.ts'

type Feedback = { readonly userId: number; readonly projectId: string; readonly action: ProjectFeedbackAction }

/**
 * Stores or removes an answer about a project and returns the action that restores what was there before. `irrelevant`
 * also hides the project from the user, and every other action shows it again if only the answer had hidden it.
 */
export async function giveProjectFeedback(
  tx: Db,
  { userId, projectId, action }: Feedback,
  at: Date,
): Promise<ProjectFeedbackAction> {
  // Two buttons pressed at once must not both see the same previous answer.
  const [user] = await tx.query<{ organisationId: number }>(sql`
    select organisation_id as "organisationId" from users where id = ${userId}::int for no key update`)
  const { organisationId } = user!
  const [stored] = await tx.query<{
    verdict: ProjectFeedbackVerdict | null
    hasHidden: boolean
    isHidden: boolean
  }>(sql`
    select f.verdict, coalesce(f.is_hidden_by_answer, false) as "hasHidden",
      exists (select from hidden_projects h where h.user_id = ${userId}::int and h.project_id = ${projectId}) as "isHidden"
    from (select) one left join project_feedback f on f.user_id = ${userId}::int and f.project_id = ${projectId}`)
  const { verdict: previous, hasHidden, isHidden } = stored!
  const hides = action === 'irrelevant'
  const hide = (mark: 'add' | 'remove') =>
    patchUser(
      tx,
      { userId, isDemo: false },
      { hide_action: { action: mark, project_id: projectId } },
      { isMinimal: true, at },
    )
  if (hides && !isHidden) await hide('add')
  if (!hides && hasHidden && isHidden) await hide('remove')
  if (action === NO_FEEDBACK)
    await tx.execute(sql`delete from project_feedback where user_id = ${userId}::int and project_id = ${projectId}`)
  else
    await tx.execute(sql`
      insert into project_feedback (user_id, organisation_id, project_id, verdict, is_hidden_by_answer, given_at)
      values (${userId}::int, ${organisationId}::int, ${projectId}, ${action}, ${hides && (hasHidden || !isHidden)}::boolean, ${at.toISOString()}::timestamptz)
      on conflict (user_id, project_id) do update set verdict = excluded.verdict, is_hidden_by_answer = excluded.is_hidden_by_answer, given_at = excluded.given_at`)
  await recordUsageEvents(tx, [
    {
      ...{ organisationId, userId, at, type: 'feedback', description: describeAction(action) },
      info: [{ name: 'โครงการ', value: projectId }],
    },
  ])
  return previous ?? NO_FEEDBACK
}

function describeAction(action: ProjectFeedbackAction): string {
  const verdict = PROJECT_FEEDBACK_VERDICTS.find(({ code }) => code === action)
  return verdict === undefined ? 'ลบคำตอบของโครงการ' : `ตอบว่า${verdict.th}`
}
