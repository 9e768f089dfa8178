import sql from 'sql-template-tag'
import type { CustomerConfig } from '#contract/account/organisation.ts'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { OrganisationFlag } from '#contract/operation/operator-organisations.ts'
import { OPERATOR_ORGANISATION_CODE, OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type AdminKeywordBlacklistRow = { word: string; createdAt: string }

export async function listKeywordBlacklist(db: Db): Promise<AdminKeywordBlacklistRow[]> {
  return await db.query<AdminKeywordBlacklistRow>(
    sql`select word, created_at as "createdAt" from keyword_blacklist order by word_key`,
  )
}

export async function addToKeywordBlacklist(db: Db, word: string): Promise<boolean> {
  const key = toKeywordKey(word)
  return (
    (await db.execute(
      sql`insert into keyword_blacklist (word_key, word) values (${key}, ${word}) on conflict do nothing`,
    )) > 0
  )
}

export async function removeFromKeywordBlacklist(db: Db, word: string): Promise<boolean> {
  return (await db.execute(sql`delete from keyword_blacklist where word_key = ${toKeywordKey(word)}`)) > 0
}

export type AdminUnapprovedKeywordRow = {
  id: number
  organisation: string
  organisationName: string
  list: string
  word: string
  addedBy: string | null
  createdAt: string
}

/** Returns keywords that do not match until they are approved (D11), oldest first. */
export async function listUnapprovedKeywords(db: Db): Promise<AdminUnapprovedKeywordRow[]> {
  return await db.query<AdminUnapprovedKeywordRow>(sql`
    select k.id, o.code as organisation, o.name as "organisationName", k.list, k.word, u.email as "addedBy", k.created_at as "createdAt"
    from keywords k join organisations o on o.id = k.organisation_id left join users u on u.id = k.created_by
    where not k.approved order by k.created_at, k.id`)
}

type WaitingKeyword = { organisationId: number; organisation: string; list: string; word: string }

export async function lockUnapprovedKeyword(tx: Db, id: number): Promise<WaitingKeyword | undefined> {
  await tx.query(sql`
    select from organisations where id = (select organisation_id from keywords where id = ${id}::int) for no key update`)
  return await findUnapprovedKeyword(tx, id)
}

export async function findUnapprovedKeyword(db: Db, id: number): Promise<WaitingKeyword | undefined> {
  const rows = await db.query<WaitingKeyword>(sql`
    select k.organisation_id as "organisationId", o.code as organisation, k.list, k.word
    from keywords k join organisations o on o.id = k.organisation_id where k.id = ${id}::int and not k.approved`)
  return rows[0]
}

export async function approveKeyword(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`update keywords set approved = true where id = ${id}::int`)
}

export async function deleteUnapprovedKeyword(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`delete from keywords where id = ${id}::int`)
}

export async function setOrganisationWatchListLockWindow(
  db: Db,
  code: string,
  start: string,
  end: string,
): Promise<number | undefined> {
  const hours = JSON.stringify({ not_allow_start_time: start, not_allow_end_time: end })
  const rows = await db.query<{ id: number }>(sql`
    update organisations set customer_config = customer_config || ${hours}::jsonb where code = ${code} returning id`)
  return rows[0]?.id
}

export type AdminOrganisationRow = {
  code: string
  name: string
  package: string
  users: number
  words: number
  matches: number
  isDisabled: boolean
  flags: Record<OrganisationFlag, boolean>
  config: CustomerConfig
  /** Time of the last activity of any user of the organisation, UTC ISO; null if there was none. */
  lastUsedAt: string | null
}

const flags = sql`jsonb_build_object('budget-year', o.is_access_budget_year, 'budget-year-only', o.is_access_budget_year_only,
        'company-compare', o.is_company_compare, 'company-comparison', o.is_access_company_comparison) as flags`

/**
 * SQL expression: time of the user's last activity. Includes the last report visit, which is retained when sessions are
 * deleted.
 */
const lastUsed = sql`greatest(u.last_seen_at, (select max(s.last_seen_at) from sessions s where s.user_id = u.id))`

export async function listOrganisations(db: Db): Promise<AdminOrganisationRow[]> {
  return await db.query<AdminOrganisationRow>(sql`
    select o.code, o.name, o.package, o.is_disabled as "isDisabled", ${flags}, o.customer_config as config,
      (select max(${lastUsed}) from users u where u.organisation_id = o.id and not u.is_demo_visitor) as "lastUsedAt",
      (select count(*) from users u where u.organisation_id = o.id and not u.is_demo_visitor) as users,
      (select count(*) from keywords k where k.organisation_id = o.id) as words,
      (select count(*) from project_matches m where m.organisation_id = o.id) as matches
    from organisations o where o.code <> ${OPERATOR_ORGANISATION_CODE} order by o.id`)
}

export type AdminUserRow = {
  email: string
  name: string
  role: string
  organisation: string
  isDisabled: boolean
  isAccountDisabled: boolean
  lastUsedAt: string | null
}

export async function listUsers(db: Db, organisationCode: string | undefined): Promise<AdminUserRow[]> {
  const code = organisationCode ?? null
  return await db.query<AdminUserRow>(sql`
    select u.email, concat_ws(' ', u.first_name, u.last_name) as name, u.role, o.code as organisation,
      u.is_disabled or o.is_disabled as "isDisabled", u.is_disabled as "isAccountDisabled",
      ${lastUsed} as "lastUsedAt"
    from users u join organisations o on o.id = u.organisation_id
    where (${code}::text is null or o.code = ${code}::text) and not u.is_demo_visitor
    order by o.id, u.id`)
}

export async function isOperator(db: Db, emailKey: string): Promise<boolean> {
  return (await db.query(sql`select from users where email_key = ${emailKey} and role = ${OPERATOR_ROLE}`)).length > 0
}

export async function findOrganisationId(db: Db, code: string): Promise<number | undefined> {
  const rows = await db.query<{ id: number }>(sql`select id from organisations where code = ${code}`)
  return rows[0]?.id
}

export type AdminOrganisationDetails = {
  code: string
  name: string
  package: string
  isDisabled: boolean
  isWatchlistCompleted: boolean
  createdAt: string
  budgetYears: string
  flags: Record<OrganisationFlag, boolean>
  config: CustomerConfig
}

export async function findOrganisationDetails(db: Db, code: string): Promise<AdminOrganisationDetails | undefined> {
  const rows = await db.query<AdminOrganisationDetails>(sql`
    select o.code, o.name, o.package, o.is_disabled as "isDisabled", o.is_watchlist_completed as "isWatchlistCompleted",
      o.created_at as "createdAt", o.allow_access_budget_year as "budgetYears", o.customer_config as config, ${flags}
    from organisations o where o.code = ${code}`)
  return rows[0]
}
