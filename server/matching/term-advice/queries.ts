import sql from 'sql-template-tag'
import type { KeywordTermAddition, KeywordTermAdvice } from '#contract/matching/term-advice.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type KeywordTermAdviceRecipient = { readonly userId: number; readonly organisationId: number }

const RECEIVES_NOTIFICATIONS = sql`not u.is_disabled and not u.is_demo_visitor and not o.is_disabled
  and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}`

export async function findUsersWithManyHiddenProjects(
  tx: Db,
  since: string,
  minHides: number,
): Promise<KeywordTermAdviceRecipient[]> {
  return tx.query<KeywordTermAdviceRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId"
    from users u join organisations o on o.id = u.organisation_id
    where ${RECEIVES_NOTIFICATIONS} and (
      select count(*) from hidden_projects h where h.user_id = u.id and h.created_at >= ${since}::date) >= ${minHides}::int
    order by u.organisation_id, u.id`)
}

export async function findUsersWithWantedProjects(
  tx: Db,
  since: string,
  minProjects: number,
): Promise<KeywordTermAdviceRecipient[]> {
  return tx.query<KeywordTermAdviceRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId"
    from users u join organisations o on o.id = u.organisation_id
    where ${RECEIVES_NOTIFICATIONS} and (
      select count(*) from (
        select b.project_id from bookmarks b where b.user_id = u.id and b.created_at >= ${since}::date
        union select f.project_id from project_feedback f
          where f.user_id = u.id and f.verdict = 'relevant' and f.given_at >= ${since}::date
        union select s.project_id from pursuits s
          where s.organisation_id = u.organisation_id and s.decision = 'bid' and s.decided_at >= ${since}::date
      ) wanted) >= ${minProjects}::int
    order by u.organisation_id, u.id`)
}

/**
 * Returns undefined if the user was deleted or no longer receives notifications. `isInBell`: the user has this kind of
 * notification switched on.
 */
export async function findKeywordTermAdviceRecipient(
  db: Db,
  userId: number,
): Promise<(KeywordTermAdviceRecipient & { isInBell: boolean }) | undefined> {
  const [row] = await db.query<KeywordTermAdviceRecipient & { isInBell: boolean }>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", coalesce('term' = any (s.bell), true) as "isInBell"
    from users u join organisations o on o.id = u.organisation_id left join follow_settings s on s.user_id = u.id
    where u.id = ${userId}::int and ${RECEIVES_NOTIFICATIONS}`)
  return row
}

export type SingleKeywordMatch = {
  readonly project_id: string
  readonly name_search: string
  readonly keyword_id: number
  /** Day in Bangkok (ISO) on which the user hid the title; null if not hidden. */
  readonly hidden_on: string | null
  readonly is_wanted: boolean
  readonly is_excluded: boolean
}

const isWantedSql = (organisationId: number, keyword = sql`(w.reasons -> 0 ->> 'keyword')::int`) => sql`(
  exists (select from bookmarks b join users c on c.id = b.user_id where c.organisation_id = ${organisationId}::int and b.project_id = m.project_id)
  or exists (select from project_feedback f where f.organisation_id = ${organisationId}::int and f.project_id = m.project_id and f.verdict = 'relevant')
  or exists (select from pursuits s where s.organisation_id = ${organisationId}::int and s.project_id = m.project_id)
  or exists (select from lesson_answers a where a.keyword_id = ${keyword} and a.project_id = m.project_id and a.is_wanted))`

export async function findSingleKeywordMatches(
  db: Db,
  { userId, organisationId }: KeywordTermAdviceRecipient,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<SingleKeywordMatch[]> {
  return db.query<SingleKeywordMatch>(sql`
    select m.project_id, p.name_search, (w.reasons -> 0 ->> 'keyword')::int as keyword_id,
      to_char(h.created_at at time zone 'Asia/Bangkok', 'YYYY-MM-DD') as hidden_on, ${isWantedSql(organisationId)} as is_wanted, false as is_excluded
    from project_matches m
    join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id
    join projects p on p.project_id = m.project_id
    left join hidden_projects h on h.user_id = ${userId}::int and h.project_id = m.project_id
    where m.organisation_id = ${organisationId}::int and p.movement_on >= ${since}::date and jsonb_array_length(w.reasons) = 1
    order by p.movement_on desc, m.project_id desc limit ${limit}::int`)
}

export async function findExcludedProjects(
  db: Db,
  organisationId: number,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(sql`
    select e.project_id from match_exclusions e join projects p on p.project_id = e.project_id
    where e.organisation_id = ${organisationId}::int and p.movement_on >= ${since}::date
    order by p.movement_on desc, e.project_id desc limit ${limit}::int`)
  return rows.map(({ project_id }) => project_id)
}

export type JudgedProject = {
  readonly project_id: string
  readonly name_search: string
  readonly keyword_ids: readonly number[]
  readonly is_wanted: boolean
  readonly is_hidden: boolean
}

/**
 * Returns projects that the user starred, answered about or hid, and those that the team decided to bid for, newest
 * judgement first. Stars and hidden projects of colleagues are private.
 */
export async function findJudgedProjects(
  db: Db,
  { userId, organisationId }: KeywordTermAdviceRecipient,
  { since, limit }: { readonly since: string; readonly limit: number },
): Promise<JudgedProject[]> {
  return db.query<JudgedProject>(sql`
    with judged as (
      select project_id, created_at as judged_at, true as is_wanted from bookmarks where user_id = ${userId}::int
      union all
      select project_id, given_at, true from project_feedback where user_id = ${userId}::int and verdict = 'relevant'
      union all
      select project_id, decided_at, true from pursuits where organisation_id = ${organisationId}::int and decision = 'bid'
      union all
      select project_id, created_at, false from hidden_projects where user_id = ${userId}::int
    ), projects_judged as (
      select project_id, max(judged_at) as judged_at, bool_or(is_wanted) as is_wanted, not bool_and(is_wanted) as is_hidden
      from judged where judged_at >= ${since}::date group by project_id
    )
    select j.project_id, p.name_search, j.is_wanted, j.is_hidden,
      coalesce((select array_agg((r ->> 'keyword')::int) from jsonb_array_elements(w.reasons) r), '{}') as keyword_ids
    from projects_judged j
    join projects p on p.project_id = j.project_id
    left join project_matches m on m.organisation_id = ${organisationId}::int and m.project_id = j.project_id
    left join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id
    order by j.judged_at desc, j.project_id desc limit ${limit}::int`)
}

export async function findAiKeywords(db: Db, organisationId: number): Promise<{ id: number; word: string }[]> {
  return db.query<{ id: number; word: string }>(sql`
    select id, word from keywords
    where organisation_id = ${organisationId}::int and list = 'ai_include' and approved order by id`)
}

export type NewKeywordTermAddition = Pick<
  KeywordTermAddition,
  'keyword_id' | 'facet' | 'term' | 'wanted' | 'monthly' | 'likely_right'
> & { readonly term_key: string; readonly projects: readonly string[] }

export async function storeKeywordTermAdditions(
  tx: Db,
  { userId, organisationId }: KeywordTermAdviceRecipient,
  additions: readonly NewKeywordTermAddition[],
  at: Date,
): Promise<number> {
  return tx.execute(sql`
    insert into term_advice (user_id, organisation_id, keyword_id, facet, term_key, kind, shown, hidden, excluded, wanted, monthly, likely_right, projects, found_at)
    select ${userId}::int, ${organisationId}::int, k.id, r.facet, r.term_key, 'add', 0, 0, 0, r.wanted, r.monthly, r.likely_right, r.projects, ${at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(additions)}::jsonb)
      as r (keyword_id int, facet smallint, term_key text, wanted int, monthly real, likely_right real, projects text[])
    join keywords k on k.id = r.keyword_id and k.organisation_id = ${organisationId}::int
    on conflict do nothing`)
}

/**
 * Returns additions whose term does not act yet and that still have a wanted project. A term that was rejected in the
 * meantime is not offered again.
 */
export async function findOpenKeywordTermAdditions(
  db: Db,
  userId: number,
  titles: number,
): Promise<KeywordTermAddition[]> {
  return db.query<KeywordTermAddition>(sql`
    select a.keyword_id, a.facet, a.term_key as term, k.word, a.wanted, round(a.monthly::numeric, 1)::float8 as monthly,
      round(a.likely_right::numeric, 2)::float8 as likely_right, shown.titles
    from term_advice a
    join keywords k on k.id = a.keyword_id and k.list = 'ai_include'
    cross join lateral (
      select json_agg(json_build_object('project_id', o.project_id, 'name', o.name) order by o.place) as titles from (
        select p.project_id, p.name, u.place from unnest(a.projects) with ordinality u (project_id, place)
        join projects p on p.project_id = u.project_id
        where exists (select from bookmarks b where b.user_id = a.user_id and b.project_id = u.project_id)
          or exists (select from pursuits s where s.organisation_id = a.organisation_id and s.project_id = u.project_id and s.decision = 'bid')
          or exists (select from project_feedback f where f.user_id = a.user_id and f.project_id = u.project_id and f.verdict = 'relevant')
        order by u.place limit ${titles}::int
      ) o
    ) shown
    where a.user_id = ${userId}::int and a.kind = 'add' and a.refused_at is null and shown.titles is not null
      and not exists (
        select from keyword_terms t where t.keyword_id = a.keyword_id and t.facet = a.facet and t.term_key = a.term_key
          and t.state <> 'suggested')
    order by a.found_at desc, a.monthly * a.likely_right desc, a.keyword_id, a.term_key`)
}

export type NewKeywordTermAdvice = Pick<KeywordTermAdvice, 'keyword_id' | 'facet' | 'shown' | 'hidden' | 'excluded'> & {
  readonly term: string
  readonly term_key: string
  readonly projects: readonly string[]
  readonly chance: number
}

/** Returns previously reported terms as `keyword facet term_key`, whatever the user decided. */
export async function findReportedTermKeys(db: Db, userId: number): Promise<Set<string>> {
  const rows = await db.query<{ told: string }>(sql`
    select keyword_id || ' ' || facet || ' ' || term_key as told from term_advice where user_id = ${userId}::int`)
  return new Set(rows.map(({ told: key }) => key))
}

export async function storeKeywordTermAdvice(
  tx: Db,
  { userId, organisationId }: KeywordTermAdviceRecipient,
  advice: readonly NewKeywordTermAdvice[],
  at: Date,
): Promise<number> {
  return tx.execute(sql`
    insert into term_advice (user_id, organisation_id, keyword_id, facet, term_key, shown, hidden, excluded, projects, found_at)
    select ${userId}::int, ${organisationId}::int, k.id, r.facet, r.term_key, r.shown, r.hidden, r.excluded, r.projects, ${at.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(advice)}::jsonb)
      as r (keyword_id int, facet smallint, term_key text, shown int, hidden int, excluded int, projects text[])
    join keywords k on k.id = r.keyword_id and k.organisation_id = ${organisationId}::int
    on conflict do nothing`)
}

export async function findOpenKeywordTermAdvice(db: Db, userId: number, titles: number): Promise<KeywordTermAdvice[]> {
  return db.query<KeywordTermAdvice>(sql`
    select a.keyword_id, a.facet, t.term, k.word, a.shown, a.hidden, a.excluded, shown.titles
    from term_advice a
    join keywords k on k.id = a.keyword_id and k.list = 'ai_include'
    join keyword_terms t on t.keyword_id = a.keyword_id and t.facet = a.facet and t.term_key = a.term_key and t.state in ('auto', 'approved')
    cross join lateral (
      select json_agg(json_build_object('project_id', o.project_id, 'name', o.name) order by o.place) as titles from (
        select p.project_id, p.name, u.place from unnest(a.projects) with ordinality u (project_id, place)
        join projects p on p.project_id = u.project_id
        join hidden_projects h on h.user_id = a.user_id and h.project_id = u.project_id
        order by u.place limit ${titles}::int
      ) o
    ) shown
    where a.user_id = ${userId}::int and a.kind = 'remove' and a.refused_at is null and shown.titles is not null
    order by a.found_at desc, a.hidden desc, a.keyword_id, a.term_key`)
}

export async function declineKeywordTermAdvice(
  db: Db,
  userId: number,
  { keyword_id, facet, term_key }: Pick<NewKeywordTermAdvice, 'keyword_id' | 'facet' | 'term_key'>,
  refusedAt: Date | null,
): Promise<boolean> {
  const updatedCount = await db.execute(sql`
    update term_advice set refused_at = ${refusedAt?.toISOString() ?? null}::timestamptz
    where user_id = ${userId}::int and keyword_id = ${keyword_id}::int and facet = ${facet}::smallint and term_key = ${term_key}`)
  return updatedCount > 0
}

type AdviceNotification = { readonly day: string; readonly text: string; readonly count: number }

export async function notifyKeywordTermAdvice(
  tx: Db,
  { userId, organisationId }: KeywordTermAdviceRecipient,
  { day, text, count }: AdviceNotification,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    with told as (
      update users set notifications_click_read = true
      where id = ${userId}::int and not exists (
        select from notifications n where n.user_id = ${userId}::int and n.type = 'Term_advice' and n.version = ${day}
      )
      returning id
    )
    insert into notifications (user_id, organisation_id, type, version, file_name, change_count, created_at)
    select told.id, ${organisationId}::int, 'Term_advice', ${day}, ${text}, ${count}::int, ${at.toISOString()}::timestamptz
    from told
    on conflict do nothing`)
}
