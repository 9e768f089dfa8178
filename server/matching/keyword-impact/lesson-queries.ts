import sql from 'sql-template-tag'
import { MAX_KEYWORD_TRAINING_MARKS } from '#contract/matching/keyword-training.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredKeywordTrainingAnswer = {
  readonly project_id: string
  readonly is_wanted: boolean
  readonly name: string
  readonly name_search: string
}

export async function findKeywordTrainingAnswers(
  db: Db,
  organisationId: number,
  keywordId: number,
): Promise<StoredKeywordTrainingAnswer[]> {
  return db.query<StoredKeywordTrainingAnswer>(sql`
    select a.project_id, a.is_wanted, p.name, p.name_search
    from lesson_answers a join projects p on p.project_id = a.project_id
    where a.organisation_id = ${organisationId}::int and a.keyword_id = ${keywordId}::int
    order by a.answered_at desc, a.project_id desc`)
}

type Marker = { readonly organisationId: number; readonly userId: number }

/**
 * Returns the projects that this keyword alone matches and that the user starred, hid or answered about, newest first.
 * Excludes projects that the user has already answered in a lesson. A star outweighs an answer, and an answer a hide.
 */
export async function findStarredOrHiddenProjects(
  db: Db,
  { organisationId, userId }: Marker,
  keywordId: number,
): Promise<Pick<StoredKeywordTrainingAnswer, 'project_id' | 'name' | 'is_wanted'>[]> {
  return db.query(sql`
    select marked.project_id, p.name, marked.is_wanted
    from (
      select b.project_id, b.created_at, true as is_wanted from bookmarks b where b.user_id = ${userId}::int
      union all
      select f.project_id, f.given_at, f.verdict = 'relevant' from project_feedback f
      where f.user_id = ${userId}::int and f.verdict in ('relevant', 'irrelevant')
        and not exists (select from bookmarks b where b.user_id = f.user_id and b.project_id = f.project_id)
      union all
      select h.project_id, h.created_at, false from hidden_projects h
      where h.user_id = ${userId}::int and not exists (select from bookmarks b where b.user_id = h.user_id and b.project_id = h.project_id)
        and not exists (select from project_feedback f where f.user_id = h.user_id and f.project_id = h.project_id and f.verdict in ('relevant', 'irrelevant'))
    ) marked
    join project_matches m on m.organisation_id = ${organisationId}::int and m.project_id = marked.project_id
    join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id
    join projects p on p.project_id = m.project_id
    where jsonb_array_length(w.reasons) = 1 and (w.reasons -> 0 ->> 'keyword')::int = ${keywordId}::int
      and not exists (select from lesson_answers a where a.keyword_id = ${keywordId}::int and a.project_id = m.project_id)
    order by marked.created_at desc, marked.project_id desc limit ${MAX_KEYWORD_TRAINING_MARKS}::int`)
}

export async function findProjectNames(
  db: Db,
  ids: readonly string[],
): Promise<Pick<StoredKeywordTrainingAnswer, 'project_id' | 'name' | 'name_search'>[]> {
  return db.query(sql`
    select project_id, name, name_search from projects
    where project_id = any (${[...ids]}::text[])`)
}
