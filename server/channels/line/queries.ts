import sql from 'sql-template-tag'
import { IS_NOTIFIABLE_USER_SQL } from '#server/account/notification/queries.ts'
import { disableNotificationChannel, enableNotificationChannel } from '#server/channels/channel/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type LinkedLineUser = { readonly userId: number; readonly organisationId: number }
type Owner = LinkedLineUser

/**
 * Returns the user of a LINE account if they may still receive report content. `hashes` are those of the LINE id under
 * each secret.
 */
export async function findLinkedLineUser(db: Db, hashes: readonly string[]): Promise<LinkedLineUser | undefined> {
  const [row] = await db.query<LinkedLineUser>(sql`
    select u.id as "userId", u.organisation_id as "organisationId"
    from line_links l join users u on u.id = l.user_id join organisations o on o.id = u.organisation_id
    where l.line_hash = any (${[...hashes]}::text[]) and ${IS_NOTIFIABLE_USER_SQL}`)
  return row
}

export async function findSealedLineId(db: Db, userId: number): Promise<string | undefined> {
  const [row] = await db.query<{ sealed: string }>(
    sql`select line_sealed as sealed from line_links where user_id = ${userId}::int`,
  )
  return row?.sealed
}

export async function loadLineConnection(
  db: Db,
  userId: number,
  now: Date,
): Promise<{ connectedAt: string | null; nameSealed: string | null; isWaiting: boolean }> {
  const [row] = await db.query<{ connectedAt: string | null; nameSealed: string | null; isWaiting: boolean }>(sql`
    select l.connected_at as "connectedAt", l.name_sealed as "nameSealed",
      exists (select from line_connects c where c.user_id = ${userId}::int and c.expires_at > ${now.toISOString()}::timestamptz) as "isWaiting"
    from (select 1) one left join line_links l on l.user_id = ${userId}::int`)
  return row!
}

export async function storeLineConnectCode(
  tx: Db,
  { userId, organisationId }: Owner,
  codeHash: string,
  expiresAt: Date,
): Promise<void> {
  await tx.execute(sql`delete from line_connects where user_id = ${userId}::int`)
  await tx.execute(sql`
    insert into line_connects (user_id, organisation_id, code_hash, expires_at)
    values (${userId}::int, ${organisationId}::int, ${codeHash}, ${expiresAt.toISOString()}::timestamptz)`)
}

/**
 * Consumes a code for one LINE account and stores the nonce that LINE will return. The same event may consume it again
 * with another nonce, in case its worker died. Returns the code's user with email address; undefined if the code is
 * unknown, expired or used.
 */
export async function consumeLineConnectCode(
  tx: Db,
  code: {
    readonly codeHash: string
    readonly eventId: string
    readonly lineHash: string
    readonly nonceHash: string
  },
  now: Date,
): Promise<{ email: string } | undefined> {
  const [row] = await tx.query<{ email: string }>(sql`
    update line_connects c set event_id = ${code.eventId}, line_hash = ${code.lineHash}, nonce_hash = ${code.nonceHash}
    from users u join organisations o on o.id = u.organisation_id
    where c.code_hash = ${code.codeHash} and c.expires_at > ${now.toISOString()}::timestamptz and u.id = c.user_id and ${IS_NOTIFIABLE_USER_SQL}
      and (c.event_id is null or c.event_id = ${code.eventId})
    returning u.email`)
  return row
}

export type LineConnectionOutcome = LinkedLineUser & { readonly kind: 'connected' | 'other' }

/**
 * Completes a connection after LINE confirmed the person of the nonce. Returns `other` if the LINE account belongs to
 * another user, who keeps it, or undefined if the nonce is unknown, expired, used or for another person.
 */
export async function completeLineConnection(
  tx: Db,
  link: {
    readonly nonceHash: string
    readonly hashes: readonly string[]
    readonly lineHash: string
    readonly sealed: string
    readonly nameSealed: string | null
  },
  now: Date,
): Promise<LineConnectionOutcome | undefined> {
  const at = now.toISOString()
  const [owner] = await tx.query<LinkedLineUser>(sql`
    delete from line_connects c using users u, organisations o
    where c.nonce_hash = ${link.nonceHash} and c.line_hash = any (${[...link.hashes]}::text[]) and c.expires_at > ${at}::timestamptz
      and u.id = c.user_id and o.id = u.organisation_id and ${IS_NOTIFIABLE_USER_SQL}
    returning u.id as "userId", u.organisation_id as "organisationId"`)
  if (!owner) return undefined
  const stored = await tx.execute(sql`
    insert into line_links (user_id, organisation_id, line_hash, line_sealed, name_sealed, connected_at)
    select ${owner.userId}::int, ${owner.organisationId}::int, ${link.lineHash}, ${link.sealed}, ${link.nameSealed}, ${at}::timestamptz
    where not exists (select from line_links l where l.line_hash = any (${[...link.hashes]}::text[]) and l.user_id <> ${owner.userId}::int)
    on conflict (user_id) do update set line_hash = excluded.line_hash, line_sealed = excluded.line_sealed, name_sealed = excluded.name_sealed,
      connected_at = excluded.connected_at`)
  if (stored === 0) return { ...owner, kind: 'other' }
  await enableNotificationChannel(tx, owner, 'line')
  return { ...owner, kind: 'connected' }
}

export async function disconnectLineUser(tx: Db, userId: number): Promise<boolean> {
  await tx.execute(sql`delete from line_connects where user_id = ${userId}::int`)
  const deleted = await tx.execute(sql`delete from line_links where user_id = ${userId}::int`)
  await disableNotificationChannel(tx, userId, 'line')
  return deleted > 0
}

export async function disconnectLineAccount(tx: Db, hashes: readonly string[]): Promise<LinkedLineUser | undefined> {
  const [user] = await tx.query<LinkedLineUser>(sql`
    delete from line_links where line_hash = any (${[...hashes]}::text[]) returning user_id as "userId", organisation_id as "organisationId"`)
  if (user) await disableNotificationChannel(tx, user.userId, 'line')
  return user
}

/** Consumes a button token. Also returns true when the same event is repeated. */
export async function recordLineButtonPress(
  tx: Db,
  tokenHash: string,
  eventId: string,
  expiresAt: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into line_presses (token_hash, event_id, expires_at) values (${tokenHash}, ${eventId}, ${expiresAt.toISOString()}::timestamptz)
    on conflict (token_hash) do update set event_id = line_presses.event_id where line_presses.event_id = ${eventId}
    returning token_hash`)
  return rows.length > 0
}
