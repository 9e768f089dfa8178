import sql from 'sql-template-tag'
import { MAX_KEYWORD_TRAINING_ANSWERS } from '#contract/matching/keyword-training.ts'
import type { Db } from '#server/platform/engine/db.ts'

type AnswersToStore = {
  readonly organisationId: number
  readonly keywordId: number
  readonly userId: number
  readonly at: Date
  readonly answers: readonly { readonly project_id: string; readonly is_wanted: boolean | null }[]
}

/**
 * Stores the latest answer for each project, ignoring projects that no longer exist; null withdraws an answer. Beyond
 * `MAX_KEYWORD_TRAINING_ANSWERS` the oldest are deleted. Call under the organisation lock.
 */
export async function storeKeywordTrainingAnswers(
  tx: Db,
  { organisationId, keywordId, userId, at, answers }: AnswersToStore,
): Promise<void> {
  const lastAnswers = new Map(answers.map(({ project_id, is_wanted }) => [project_id, is_wanted]))
  const withdrawnIds = [...lastAnswers].filter(([, is_wanted]) => is_wanted === null).map(([id]) => id)
  const remainingAnswers = [...lastAnswers].flatMap(([project_id, is_wanted], place) =>
    is_wanted === null ? [] : [{ project_id, is_wanted, place }],
  )
  await tx.execute(sql`
    delete from lesson_answers
    where organisation_id = ${organisationId}::int and keyword_id = ${keywordId}::int and project_id = any (${withdrawnIds}::text[])`)
  // Timestamps are one microsecond apart, which preserves the order of the answers.
  await tx.execute(sql`
    insert into lesson_answers (organisation_id, keyword_id, project_id, is_wanted, answered_by, answered_at)
    select ${organisationId}::int, ${keywordId}::int, p.project_id, r.is_wanted, ${userId}::int,
      ${at.toISOString()}::timestamptz + r.place * interval '1 microsecond'
    from jsonb_to_recordset(${JSON.stringify(remainingAnswers)}::jsonb) as r (project_id text, is_wanted boolean, place int)
    join projects p on p.project_id = r.project_id
    on conflict (keyword_id, project_id) do update
      set is_wanted = excluded.is_wanted, answered_by = excluded.answered_by, answered_at = excluded.answered_at`)
  await tx.execute(sql`
    delete from lesson_answers where organisation_id = ${organisationId}::int and keyword_id = ${keywordId}::int and project_id in (
      select project_id from lesson_answers
      where organisation_id = ${organisationId}::int and keyword_id = ${keywordId}::int
      order by answered_at desc, project_id desc offset ${MAX_KEYWORD_TRAINING_ANSWERS}::int)`)
}
