import sql from 'sql-template-tag'
import type { CustomerConfig, KeywordListCode } from '#contract/account/organisation.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredKeyword = {
  readonly id: number
  readonly list: KeywordListCode
  readonly word: string
  readonly group_id: number | null
  readonly approved: boolean
  readonly in_documents?: boolean
}
export type KeywordGroup = { readonly id: number; readonly name: string }
export type KeywordListState = {
  readonly config: CustomerConfig
  readonly isWatchlistCompleted: boolean
  readonly keywords: readonly StoredKeyword[]
  readonly groups: readonly KeywordGroup[]
}

/**
 * Locks the organisation's row to serialise list changes. The lock is a statement of its own, because a query that
 * waited for the lock would continue with its old snapshot. It is not `for update`, which would block rows that
 * reference this one.
 */
export async function lockOrganisation(tx: Db, organisationId: number): Promise<void> {
  await tx.query(sql`select from organisations where id = ${organisationId}::int for no key update`)
}

export async function findKeywordLists(db: Db, organisationId: number): Promise<KeywordListState | undefined> {
  const rows = await db.query<KeywordListState>(sql`
    select o.customer_config as config, o.is_watchlist_completed as "isWatchlistCompleted",
      (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'list', k.list, 'word', k.word, 'group_id', k.group_id, 'approved', k.approved, 'in_documents', k.in_documents)
         order by k.id), '[]') from keywords k where k.organisation_id = o.id) as keywords,
      (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.id), '[]')
         from keyword_groups g where g.organisation_id = o.id) as groups
    from organisations o where o.id = ${organisationId}::int`)
  return rows[0]
}

export async function findBlacklistedWords(db: Db): Promise<Set<string>> {
  const rows = await db.query<{ key: string }>(sql`select word_key as key from keyword_blacklist`)
  return new Set(rows.map(({ key }) => key))
}

const UNIT_NAMES = sql`(select name from departments union all select sub_name from departments union all select name from agency_directory) n`

export async function findExactAgencyOrUnitNames(db: Db, words: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct n.name from ${UNIT_NAMES} where n.name = any (${[...words]}::text[]) and n.name <> ''`)
  return rows.map(({ name }) => name)
}

/**
 * Returns every department and unit name, most frequent spelling first. There are tens of thousands, so call this only
 * for words without an exact match.
 */
export async function findAllAgencyOrUnitNames(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select n.name from ${UNIT_NAMES} where n.name <> '' group by n.name order by count(*) desc, n.name`)
  return rows.map(({ name }) => name)
}

export async function findRecentProjectNames(db: Db, limit: number, timeoutMs: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`
      select name from projects where movement_on is not null
      order by movement_on desc, project_id desc limit ${limit}::int`,
    { timeoutMs },
  )
  return rows.map(({ name }) => name)
}

export async function findProjectNamesByMovementDate(
  db: Db,
  from: string,
  limit: number,
  timeoutMs: number,
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`
      select name_spaced as name from projects where movement_on >= ${from}::date
      order by movement_on desc, project_id desc limit ${limit}::int`,
    { timeoutMs },
  )
  return rows.map(({ name }) => name)
}
