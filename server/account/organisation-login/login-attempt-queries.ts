import sql from 'sql-template-tag'
import type { LoginProvider } from '#contract/account/organisation-login.ts'
import type { UserRole } from '#contract/account/user.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { VerifiedLoginDomain } from './queries.ts'

export const LOGIN_ATTEMPT_LIFETIME_MS = 10 * 60_000

type Attempt = {
  readonly stateHash: string
  readonly browserHash: string
  readonly domainId: number
  readonly at: Date
}

const until = (at: Date) => new Date(at.getTime() + LOGIN_ATTEMPT_LIFETIME_MS).toISOString()

export async function insertLoginAttempt(db: Db, { stateHash, browserHash, domainId, at }: Attempt): Promise<void> {
  await db.execute(sql`delete from organisation_logins where expires_at <= ${at.toISOString()}::timestamptz`)
  await db.execute(sql`
    insert into organisation_logins (state_hash, browser_hash, domain_id, expires_at)
    values (${stateHash}, ${browserHash}, ${domainId}::int, ${until(at)}::timestamptz)`)
}

/** Consumes the attempt if this browser started it; only one of several parallel requests gets its domain. */
export async function consumeLoginAttempt(
  db: Db,
  stateHash: string,
  browserHash: string,
  at: Date,
): Promise<VerifiedLoginDomain | undefined> {
  const [domain] = await db.query<VerifiedLoginDomain>(sql`
    with taken as (
      delete from organisation_logins
      where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${at.toISOString()}::timestamptz
      returning domain_id
    )
    select d.id, d.organisation_id as "organisationId", d.domain, d.provider, d.token, d.issuer, d.rule, d.asks_own_factor as "asksOwnFactor",
      d.checked_at as "checkedAt", d.verified_at as "verifiedAt"
    from login_domains d join taken t on t.domain_id = d.id join organisations o on o.id = d.organisation_id
    where d.verified_at is not null and not o.is_disabled`)
  return domain
}

type JoinOffer = {
  readonly tokenHash: string
  readonly browserHash: string
  readonly invitationId: number
  readonly domainId: number
  readonly issuer: string
  readonly subject: string
  readonly at: Date
}

export async function insertJoinOffer(db: Db, join: JoinOffer): Promise<void> {
  await db.execute(sql`delete from organisation_joins where expires_at <= ${join.at.toISOString()}::timestamptz`)
  await db.execute(sql`
    insert into organisation_joins (token_hash, browser_hash, invitation_id, domain_id, issuer, subject, expires_at)
    values (${join.tokenHash}, ${join.browserHash}, ${join.invitationId}::int, ${join.domainId}::int, ${join.issuer}, ${join.subject},
      ${until(join.at)}::timestamptz)`)
}

export type ConsumedJoinOffer = {
  readonly invitationId: number
  readonly invitedBy: string | null
  readonly organisationId: number
  readonly email: string
  readonly emailKey: string
  readonly role: UserRole
  readonly provider: LoginProvider
  readonly asksOwnFactor: boolean
  readonly issuer: string
  readonly subject: string
}

/**
 * Locks the seats of the organisation that made the join offer. Call it before `consumeJoinOffer`: invitations lock the
 * seats first too, and two transactions that lock in opposite orders deadlock.
 */
export async function lockJoinOfferSeats(tx: Db, tokenHash: string, browserHash: string): Promise<void> {
  await tx.execute(sql`
    select from organisations where id = (
      select i.organisation_id from organisation_joins j join invitations i on i.id = j.invitation_id
      where j.token_hash = ${tokenHash} and j.browser_hash = ${browserHash}
    ) for update`)
}

/** Consumes the join offer if it was made to this browser, and accepts its invitation if still open. */
export async function consumeJoinOffer(
  tx: Db,
  tokenHash: string,
  browserHash: string,
  at: Date,
): Promise<ConsumedJoinOffer | undefined> {
  const now = at.toISOString()
  const [join] = await tx.query<ConsumedJoinOffer>(sql`
    with taken as (
      delete from organisation_joins
      where token_hash = ${tokenHash} and browser_hash = ${browserHash} and expires_at > ${now}::timestamptz
      returning invitation_id, domain_id, issuer, subject
    ), accepted as (
      update invitations i set accepted_at = ${now}::timestamptz from taken t
      where i.id = t.invitation_id and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}::timestamptz
      returning i.id, i.organisation_id, i.email, i.email_key, i.role, i.invited_by
    )
    select a.id as "invitationId", (select u.email from users u where u.id = a.invited_by) as "invitedBy", a.organisation_id as "organisationId", a.email, a.email_key as "emailKey", a.role, d.provider,
      d.asks_own_factor as "asksOwnFactor", t.issuer, t.subject
    from accepted a, taken t join login_domains d on d.id = t.domain_id join organisations o on o.id = d.organisation_id
    where d.verified_at is not null and not o.is_disabled`)
  return join
}
