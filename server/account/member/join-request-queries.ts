import sql from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type StoredJoinRequest = {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly requested_at: string
}

/** Returns undecided requests, oldest first, except from people who now have an account or a pending invitation. */
export async function listJoinRequests(db: Db, organisationId: number, now: Date): Promise<StoredJoinRequest[]> {
  const rows = await db.query<StoredJoinRequest>(sql`
    select r.id, r.name, r.email, r.requested_at from join_requests r
    where r.organisation_id = ${organisationId}::int and r.decided_at is null
      and not exists (select from users u where u.organisation_id = r.organisation_id and u.email_key = r.email_key)
      and not exists (
        select from invitations i where i.organisation_id = r.organisation_id and i.email_key = r.email_key and i.accepted_at is null
          and i.revoked_at is null and i.expires_at > ${now.toISOString()}::timestamptz)
    order by r.id`)
  return rows.map((row) => ({ ...row, requested_at: new Date(row.requested_at).toISOString() }))
}

export async function findJoinRequest(
  db: Db,
  organisationId: number,
  id: number,
): Promise<StoredJoinRequest | undefined> {
  const [row] = await db.query<StoredJoinRequest>(sql`
    select id, name, email, requested_at from join_requests
    where organisation_id = ${organisationId}::int and id = ${id}::int and decided_at is null`)
  return row
}

type Decision = { readonly isAccepted: boolean; readonly by: number; readonly at: Date }

export async function recordJoinRequestDecision(
  db: Db,
  organisationId: number,
  id: number,
  { isAccepted, by, at }: Decision,
): Promise<boolean> {
  const decided = await db.execute(sql`
    update join_requests set decided_at = ${at.toISOString()}::timestamptz, is_accepted = ${isAccepted}::boolean, decided_by = ${by}::int
    where organisation_id = ${organisationId}::int and id = ${id}::int and decided_at is null`)
  return decided === 1
}

/** Returns an open organisation by name; never the demo organisation, which has no members to join. */
export async function findOrganisationByName(
  db: Db,
  nameKey: string,
): Promise<{ readonly id: number; readonly name: string } | undefined> {
  const [row] = await db.query<{ id: number; name: string }>(sql`
    select id, name from organisations where name_key = ${nameKey} and not is_disabled and code <> ${DEMO_ORGANISATION_CODE}`)
  return row
}

type NewJoinRequest = {
  readonly organisationId: number
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly at: Date
  readonly deafSince: Date
}

/**
 * Stores a request and returns its id; undefined when one is open, was refused recently, or the address has an account
 * anywhere.
 */
export async function storeJoinRequest(tx: Db, row: NewJoinRequest): Promise<number | undefined> {
  const [stored] = await tx.query<{ id: number }>(sql`
    insert into join_requests (organisation_id, email, email_key, name, requested_at)
    select ${row.organisationId}::int, ${row.email}, ${row.emailKey}, ${row.name}, ${row.at.toISOString()}::timestamptz
    where not exists (select from users where email_key = ${row.emailKey})
      and not exists (
        select from join_requests r where r.organisation_id = ${row.organisationId}::int and r.email_key = ${row.emailKey}
          and not r.is_accepted and r.decided_at > ${row.deafSince.toISOString()}::timestamptz)
    on conflict do nothing returning id`)
  return stored?.id
}

export async function pruneJoinRequests(db: Db, before: Date): Promise<void> {
  await db.execute(sql`delete from join_requests where requested_at < ${before.toISOString()}::timestamptz`)
}
