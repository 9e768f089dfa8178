import sql from 'sql-template-tag'
import type { LoginDomainPatch, LoginProvider, ProviderLoginPolicy } from '#contract/account/organisation-login.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredLoginDomain = {
  readonly id: number
  readonly organisationId: number
  readonly domain: string
  readonly provider: LoginProvider
  readonly token: string
  readonly issuer: string | null
  readonly rule: ProviderLoginPolicy
  readonly asksOwnFactor: boolean
  readonly checkedAt: string | null
  readonly verifiedAt: string | null
}

export type VerifiedLoginDomain = StoredLoginDomain & { readonly issuer: string }

const columns = sql`d.id, d.organisation_id as "organisationId", d.domain, d.provider, d.token, d.issuer, d.rule, d.asks_own_factor as "asksOwnFactor",
  d.checked_at as "checkedAt", d.verified_at as "verifiedAt"`

export async function listLoginDomains(db: Db, organisationId: number): Promise<StoredLoginDomain[]> {
  return db.query<StoredLoginDomain>(
    sql`select ${columns} from login_domains d where d.organisation_id = ${organisationId}::int order by d.domain`,
  )
}

export async function findLoginDomain(
  db: Db,
  organisationId: number,
  id: number,
): Promise<StoredLoginDomain | undefined> {
  const [domain] = await db.query<StoredLoginDomain>(
    sql`select ${columns} from login_domains d where d.organisation_id = ${organisationId}::int and d.id = ${id}::int`,
  )
  return domain
}

export async function findVerifiedLoginDomain(db: Db, domain: string): Promise<VerifiedLoginDomain | undefined> {
  const [provenDomain] = await db.query<VerifiedLoginDomain>(sql`
    select ${columns} from login_domains d join organisations o on o.id = d.organisation_id
    where d.domain = ${domain} and d.verified_at is not null and not o.is_disabled`)
  return provenDomain
}

/**
 * Stores a domain of an organisation. Returns false when the organisation already has the domain. Call with the
 * organisation locked.
 */
export async function insertLoginDomain(
  tx: Db,
  row: {
    readonly organisationId: number
    readonly domain: string
    readonly provider: LoginProvider
    readonly token: string
    readonly userId: number
    readonly at: Date
  },
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into login_domains (organisation_id, domain, provider, token, created_by, created_at)
    values (${row.organisationId}::int, ${row.domain}, ${row.provider}, ${row.token}, ${row.userId}::int, ${row.at.toISOString()}::timestamptz)
    on conflict (organisation_id, domain) do nothing`)
  return inserted === 1
}

export async function markLoginDomainChecked(db: Db, id: number, at: Date): Promise<void> {
  await db.execute(sql`update login_domains set checked_at = ${at.toISOString()}::timestamptz where id = ${id}::int`)
}

/** Rejects with StatementError 23505 when the domain belongs to another organisation. */
export async function markLoginDomainVerified(tx: Db, id: number, issuer: string, at: Date): Promise<void> {
  const now = at.toISOString()
  await tx.execute(sql`
    update login_domains set issuer = ${issuer}, checked_at = ${now}::timestamptz, verified_at = ${now}::timestamptz where id = ${id}::int`)
}

export async function updateLoginDomain(
  tx: Db,
  id: number,
  { rule, asks_own_factor }: LoginDomainPatch,
): Promise<void> {
  await tx.execute(sql`
    update login_domains set rule = coalesce(${rule ?? null}::text, rule),
      asks_own_factor = coalesce(${asks_own_factor ?? null}::boolean, asks_own_factor)
    where id = ${id}::int`)
}

export async function deleteLoginDomainRow(tx: Db, id: number): Promise<void> {
  await tx.execute(sql`delete from login_domains where id = ${id}::int`)
}

export type StoredLinkedIdentity = {
  readonly userId: number
  readonly name: string | null
  readonly email: string
  readonly issuer: string
  readonly usedAt: string
}

export async function listLinkedIdentities(db: Db, organisationId: number): Promise<StoredLinkedIdentity[]> {
  return db.query<StoredLinkedIdentity>(sql`
    select u.id as "userId", nullif(concat_ws(' ', u.first_name, u.last_name), '') as name, u.email, i.issuer, i.used_at as "usedAt"
    from login_identities i join users u on u.id = i.user_id
    where u.organisation_id = ${organisationId}::int order by i.used_at desc, u.id`)
}

export async function removeLinkedIdentities(tx: Db, organisationId: number, userId: number): Promise<boolean> {
  const removed = await tx.execute(sql`
    delete from login_identities i using users u
    where u.id = i.user_id and u.organisation_id = ${organisationId}::int and u.id = ${userId}::int`)
  return removed > 0
}

export async function hasIdentityFromIssuer(db: Db, userId: number, issuer: string): Promise<boolean> {
  const rows = await db.query(sql`select from login_identities where user_id = ${userId}::int and issuer = ${issuer}`)
  return rows.length > 0
}

export async function findUserByIdentity(db: Db, issuer: string, subject: string): Promise<number | undefined> {
  const [row] = await db.query<{ userId: number }>(
    sql`select user_id as "userId" from login_identities where issuer = ${issuer} and subject = ${subject}`,
  )
  return row?.userId
}

export async function recordIdentityUse(db: Db, issuer: string, subject: string, at: Date): Promise<void> {
  await db.execute(sql`
    update login_identities set used_at = ${at.toISOString()}::timestamptz where issuer = ${issuer} and subject = ${subject}`)
}

export async function linkIdentityToUser(
  tx: Db,
  { userId, issuer, subject, at }: { userId: number; issuer: string; subject: string; at: Date },
): Promise<boolean> {
  const now = at.toISOString()
  const bound = await tx.execute(sql`
    insert into login_identities (user_id, issuer, subject, created_at, used_at)
    values (${userId}::int, ${issuer}, ${subject}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict do nothing`)
  return bound === 1
}

export async function findOpenInvitation(
  db: Db,
  organisationId: number,
  emailKey: string,
  at: Date,
): Promise<{ readonly id: number; readonly organisation: string } | undefined> {
  const [invitation] = await db.query<{ id: number; organisation: string }>(sql`
    select i.id, o.name as organisation from invitations i join organisations o on o.id = i.organisation_id
    where i.organisation_id = ${organisationId}::int and i.email_key = ${emailKey} and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > ${at.toISOString()}::timestamptz`)
  return invitation
}
