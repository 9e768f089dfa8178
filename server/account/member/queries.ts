import sql from 'sql-template-tag'
import { DEFAULT_MAX_MEMBERS } from '#contract/account/member.ts'
import type { UserRole } from '#contract/account/user.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredMember = {
  readonly id: number
  readonly name: string | null
  readonly email: string
  readonly role: UserRole
  readonly last_seen_at: string | null
  readonly is_disabled: boolean
}

const NAME = sql`nullif(concat_ws(' ', u.first_name, u.last_name), '')`

const member = sql`u.id, ${NAME} as name, u.email, u.role, u.last_seen_at, u.is_disabled from users u`

export async function listMembers(db: Db, organisationId: number): Promise<StoredMember[]> {
  return db.query<StoredMember>(sql`
    select ${member} where u.organisation_id = ${organisationId}::int
    order by u.is_disabled, coalesce(${NAME}, u.email), u.id`)
}

export async function findMember(db: Db, organisationId: number, id: number): Promise<StoredMember | undefined> {
  const [row] = await db.query<StoredMember>(
    sql`select ${member} where u.organisation_id = ${organisationId}::int and u.id = ${id}::int`,
  )
  return row
}

export type StoredInvitation = {
  readonly id: number
  readonly email: string
  readonly role: UserRole
  readonly invited_by: string | null
  readonly sent_at: string
  readonly expires_at: string
}

const invitation = sql`i.id, i.email, i.role, coalesce(${NAME}, u.email) as invited_by, i.sent_at, i.expires_at
  from invitations i left join users u on u.id = i.invited_by`
const IS_OPEN = sql`i.accepted_at is null and i.revoked_at is null`

export async function listInvitations(db: Db, organisationId: number): Promise<StoredInvitation[]> {
  return db.query<StoredInvitation>(sql`
    select ${invitation} where i.organisation_id = ${organisationId}::int and ${IS_OPEN} order by i.sent_at desc, i.id desc`)
}

export async function findInvitation(
  db: Db,
  organisationId: number,
  id: number,
): Promise<StoredInvitation | undefined> {
  const [row] = await db.query<StoredInvitation>(
    sql`select ${invitation} where i.organisation_id = ${organisationId}::int and i.id = ${id}::int and ${IS_OPEN}`,
  )
  return row
}

export type SeatCounts = { readonly most: number; readonly members: number; readonly invited: number }

export async function lockSeats(tx: Db, organisationId: number): Promise<void> {
  await tx.execute(sql`select from organisations where id = ${organisationId}::int for update`)
}

export async function countSeats(db: Db, organisationId: number, now: Date): Promise<SeatCounts> {
  const [seats] = await db.query<SeatCounts>(sql`
    select coalesce((o.customer_config ->> 'limit_members')::int, ${DEFAULT_MAX_MEMBERS}::int) as most,
      (select count(*)::int from users u where u.organisation_id = o.id and not u.is_disabled) as members,
      (select count(*)::int from invitations i where i.organisation_id = o.id and ${IS_OPEN} and i.expires_at > ${now.toISOString()}::timestamptz) as invited
    from organisations o where o.id = ${organisationId}::int`)
  return seats!
}

export type SentInvitationLink = { readonly tokenHash: string; readonly at: Date; readonly expiresAt: Date }
type NewInvitation = SentInvitationLink & {
  readonly organisationId: number
  readonly email: string
  readonly emailKey: string
  readonly role: UserRole
  readonly invitedBy: number
}

/** Stores an invitation. An open one for the same address is overwritten and its link stops working. */
export async function storeInvitation(tx: Db, row: NewInvitation): Promise<void> {
  await tx.execute(sql`
    insert into invitations (organisation_id, email, email_key, role, token_hash, invited_by, sent_at, expires_at)
    values (${row.organisationId}::int, ${row.email}, ${row.emailKey}, ${row.role}, ${row.tokenHash}, ${row.invitedBy}::int,
      ${row.at.toISOString()}::timestamptz, ${row.expiresAt.toISOString()}::timestamptz)
    on conflict (organisation_id, email_key) where accepted_at is null and revoked_at is null do update set
      role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at`)
}

export async function revokeInvitation(db: Db, organisationId: number, id: number, now: Date): Promise<boolean> {
  const revoked = await db.execute(sql`
    update invitations i set revoked_at = ${now.toISOString()}::timestamptz
    where i.id = ${id}::int and i.organisation_id = ${organisationId}::int and ${IS_OPEN}`)
  return revoked === 1
}

export type StoredInvitationLink = {
  readonly organisationId: number
  readonly organisation: string
  readonly email: string
  readonly emailKey: string
  readonly role: UserRole
  readonly invitedBy: string | null
  readonly isAccepted: boolean
  readonly isOver: boolean
}

/**
 * Returns the invitation even if it was used or has expired. Read-only, because mail scanners open links before people
 * do (R21).
 */
export async function findInvitationByToken(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<StoredInvitationLink | undefined> {
  const rows = await db.query<StoredInvitationLink>(sql`
    select o.id as "organisationId", o.name as organisation, i.email, i.email_key as "emailKey", i.role, coalesce(${NAME}, u.email) as "invitedBy",
      i.accepted_at is not null as "isAccepted", i.revoked_at is not null or i.expires_at <= ${now.toISOString()}::timestamptz as "isOver"
    from invitations i join organisations o on o.id = i.organisation_id left join users u on u.id = i.invited_by
    where i.token_hash = ${tokenHash} and not o.is_disabled`)
  return rows[0]
}

export type AcceptedInvitation = { readonly id: number; readonly invitedBy: string | null }

export async function acceptInvitation(tx: Db, tokenHash: string, now: Date): Promise<AcceptedInvitation | undefined> {
  const at = now.toISOString()
  const [accepted] = await tx.query<AcceptedInvitation>(sql`
    update invitations i set accepted_at = ${at}::timestamptz
    where i.token_hash = ${tokenHash} and ${IS_OPEN} and i.expires_at > ${at}::timestamptz
    returning i.id, (select u.email from users u where u.id = i.invited_by) as "invitedBy"`)
  return accepted
}

export async function recordInvitedAccount(tx: Db, invitationId: number, userId: number): Promise<void> {
  await tx.execute(sql`update invitations set accepted_by = ${userId}::int where id = ${invitationId}::int`)
}

export async function findAccountByEmail(
  db: Db,
  emailKey: string,
  organisationId: number,
): Promise<{ readonly isHere: boolean; readonly isDisabled: boolean } | undefined> {
  const rows = await db.query<{ isHere: boolean; isDisabled: boolean }>(sql`
    select u.organisation_id = ${organisationId}::int as "isHere", u.is_disabled as "isDisabled" from users u where u.email_key = ${emailKey}`)
  return rows[0]
}

export async function countSuperUsers(db: Db, organisationId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from users u where u.organisation_id = ${organisationId}::int and u.role = 'super_user' and not u.is_disabled`)
  return row!.count
}

/** Changes a member. Call as table owner, because tenants may change only their own row. */
export async function updateMember(
  tx: Db,
  organisationId: number,
  id: number,
  { role, isDisabled }: { readonly role: UserRole; readonly isDisabled: boolean },
): Promise<void> {
  await tx.execute(sql`
    update users set role = ${role}, is_disabled = ${isDisabled}::boolean where id = ${id}::int and organisation_id = ${organisationId}::int`)
}

export async function findInviter(db: Db, userId: number): Promise<{ name: string; organisation: string }> {
  const [row] = await db.query<{ name: string; organisation: string }>(sql`
    select coalesce(${NAME}, u.email) as name, o.name as organisation from users u join organisations o on o.id = u.organisation_id where u.id = ${userId}::int`)
  return row!
}
