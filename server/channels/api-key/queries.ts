import sql from 'sql-template-tag'
import type { ApiKeyScope } from '#contract/account/api-key.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { OrganisationFeature } from '#server/platform/route/actor.ts'

export type StoredApiKey = {
  readonly id: number
  readonly name: string
  readonly scopes: ApiKeyScope[]
  readonly ending: string
  readonly made_by: string
  readonly is_owner_open: boolean
  readonly created_at: string
  readonly expires_at: string | null
  readonly used_at: string | null
}

export async function listApiKeys(db: Db, organisationId: number): Promise<StoredApiKey[]> {
  return db.query<StoredApiKey>(sql`
    select k.id, k.name, k.scopes, k.ending, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as made_by,
      not u.is_disabled as is_owner_open, k.created_at, k.expires_at, k.used_at
    from api_keys k join users u on u.id = k.made_by
    where k.organisation_id = ${organisationId}::int order by k.created_at desc, k.id desc`)
}

type NewKey = {
  readonly organisationId: number
  readonly userId: number
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly keyHash: string
  readonly ending: string
  readonly at: Date
  readonly expiresAt: Date | null
  readonly most: number
}

/**
 * Stores a key and returns its id, or undefined if the organisation is at its limit. Call in a transaction: the row
 * lock serialises concurrent calls.
 */
export async function storeApiKey(tx: Db, key: NewKey): Promise<number | undefined> {
  await tx.query(sql`select from organisations where id = ${key.organisationId}::int for update`)
  const [stored] = await tx.query<{ id: number }>(sql`
    insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at, expires_at)
    select ${key.organisationId}::int, ${key.userId}::int, ${key.name}, ${[...key.scopes]}::text[], ${key.keyHash}, ${key.ending},
      ${key.at.toISOString()}::timestamptz, ${key.expiresAt?.toISOString() ?? null}::timestamptz
    where (select count(*) from api_keys k where k.organisation_id = ${key.organisationId}::int) < ${key.most}::int
    returning id`)
  return stored?.id
}

export async function removeApiKey(tx: Db, organisationId: number, id: number): Promise<string | undefined> {
  const [removed] = await tx.query<{ name: string }>(
    sql`delete from api_keys where id = ${id}::int and organisation_id = ${organisationId}::int returning name`,
  )
  return removed?.name
}

export type LiveApiKey = {
  readonly id: number
  readonly organisationId: number
  readonly scopes: ApiKeyScope[]
  readonly features: OrganisationFeature[]
  readonly isUseDue: boolean
}

/**
 * Returns the key unless it has expired or its creator or organisation is disabled. `features` contains only those that
 * keys can read.
 */
export async function findLiveApiKey(db: Db, keyHash: string, now: Date): Promise<LiveApiKey | undefined> {
  const at = now.toISOString()
  const [key] = await db.query<LiveApiKey>(sql`
    select k.id, k.organisation_id as "organisationId", k.scopes,
      k.used_at is null or k.used_at <= ${at}::timestamptz - interval '1 minute' as "isUseDue",
      array_remove(array[
        case when not o.is_access_budget_year_only then 'report' end,
        case when o.is_company_compare and not o.is_access_budget_year_only then 'company_compare' end
      ], null) as features
    from api_keys k
    join users u on u.id = k.made_by and u.organisation_id = k.organisation_id
    join organisations o on o.id = k.organisation_id
    where k.key_hash = ${keyHash} and (k.expires_at is null or k.expires_at > ${at}::timestamptz)
      and not u.is_disabled and not o.is_disabled`)
  return key
}

export async function recordApiKeyUse(db: Db, id: number, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`
    update api_keys set used_at = ${at}::timestamptz
    where id = ${id}::int and (used_at is null or used_at <= ${at}::timestamptz - interval '1 minute')`)
}
