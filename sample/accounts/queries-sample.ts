import sql, { bulk, type Sql } from 'sql-template-tag'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'

export type SampleKeyword = { list: KeywordListCode; word: string; group: string | null; approved: boolean }

export async function insertSampleKeywords(
  db: Db,
  organisationId: number,
  keywords: readonly SampleKeyword[],
): Promise<{ id: number; word: string }[]> {
  if (keywords.length === 0) return []
  const names = [...new Set(keywords.flatMap(({ group }) => group ?? []))]
  const groups = new Map<string, number>()
  if (names.length > 0) {
    const rows = await db.query<{ id: number; name: string }>(sql`
      insert into keyword_groups (organisation_id, name) values ${bulk(names.map((name) => [organisationId, name]))} returning id, name`)
    for (const { id, name } of rows) groups.set(name, id)
  }
  const rows = keywords.map(({ list, word, group, approved }) => [
    organisationId,
    list,
    word,
    toKeywordKey(word),
    group === null ? null : groups.get(group)!,
    approved,
  ])
  const stored = await db.query<{ id: number; word: string; list: KeywordListCode }>(
    sql`insert into keywords (organisation_id, list, word, word_key, group_id, approved) values ${bulk(rows)} returning id, word, list`,
  )
  return stored.filter(({ list }) => list === 'ai_include' || list === 'ai_exclude')
}

/**
 * Returns the users of an organisation as actors, oldest first; empty once its team has worked on a tender. Locks the
 * organisation until the transaction ends.
 */
export async function findUsersOfTeamWithoutPursuits(tx: Db, organisationCode: string): Promise<Actor[]> {
  await tx.query(sql`select from organisations where code = ${organisationCode} for update`)
  const users = await tx.query<Pick<Actor, 'userId' | 'organisationId' | 'role'>>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.role
    from users u join organisations o on o.id = u.organisation_id
    where o.code = ${organisationCode} and not u.is_demo_visitor
      and not exists (select from pursuit_events e where e.organisation_id = o.id) order by u.id`)
  return users.map((user) => ({ ...user, sessionId: '', isDemo: false, features: [] }))
}

/** `coming`: still open for bids. `ended`: bidding closed, no winner announced. `won by others`: a winner is known. */
export type PursuableProjectState = 'coming' | 'ended' | 'won by others'
/** Prices in baht, days as ISO dates. */
export type SamplePursuableProject = {
  readonly id: string
  readonly reference: number | null
  readonly winning: number | null
  /** Last day of bids, or the day the winner was announced. */
  readonly endedOn: string | null
}

const KINDS: Readonly<Record<PursuableProjectState, (today: string) => Sql>> = {
  // Projects of the last week are skipped, because a team would not have processed them yet. They remain for the user
  // to explore.
  coming: (today) =>
    sql`m.submission_ends_on > ${today}::date and m.winner_announced_on is null and not m.is_archived and m.movement_on < ${today}::date - 7`,
  ended: (today) =>
    sql`m.submission_ends_on between ${today}::date - 120 and ${today}::date - 4 and m.winner_announced_on is null and m.winner_satang is null`,
  'won by others': (today) =>
    sql`m.winner_announced_on between ${today}::date - 240 and ${today}::date - 10 and m.winner_satang > 0`,
}

/** Returns projects of the organisation's report that a team may have worked on, in an arbitrary but stable order. */
export async function findPursuableProjects(
  db: Db,
  organisationId: number,
  { kind, today, limit }: { readonly kind: PursuableProjectState; readonly today: string; readonly limit: number },
): Promise<SamplePursuableProject[]> {
  return await db.query<SamplePursuableProject>(sql`
    select m.project_id as id, coalesce(m.estimate_satang, m.budget_satang) / 100.0 as reference, m.winner_satang / 100.0 as winning,
      coalesce(m.winner_announced_on, m.submission_ends_on) as "endedOn"
    from report_matches m where m.organisation_id = ${organisationId}::int and ${KINDS[kind](today)} order by md5(m.project_id) limit ${limit}::int`)
}
