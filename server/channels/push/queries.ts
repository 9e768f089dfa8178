import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type BrowserPushSubscription, MAX_PUSH_DEVICES } from '#contract/channels/push.ts'
import { disableNotificationChannel, enableNotificationChannel } from '#server/channels/channel/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'

type Owner = { readonly userId: number; readonly organisationId: number }

export type ListedPushDevice = {
  readonly id: string
  readonly userAgent: string | null
  readonly createdAt: string
  readonly notifiedAt: string | null
  readonly refusedAt: string | null
  readonly refusal: string | null
}

export async function listPushDevices(db: Db, userId: number): Promise<ListedPushDevice[]> {
  return db.query<ListedPushDevice>(sql`
    select d.id, d.user_agent as "userAgent", d.created_at as "createdAt", d.told_at as "notifiedAt", d.refused_at as "refusedAt", d.refusal
    from push_devices d join sessions s on s.id = d.session_id
    where d.user_id = ${userId}::int and s.revoked_at is null order by d.created_at desc, d.id`)
}

export type AddedPushDevice = { readonly id: string; readonly secret: string }

/**
 * Stores a browser under the session that enabled push, and opens the channel. A browser already registered by any user
 * is moved, because knowing the endpoint shows that it is the same browser. Call as superuser in a transaction: the row
 * may belong to another tenant.
 */
export async function registerPushDevice(
  tx: Db,
  { userId, organisationId, sessionId }: Owner & { readonly sessionId: string },
  { endpoint, keys }: BrowserPushSubscription,
  { userAgent, at }: { readonly userAgent: string | undefined; readonly at: Date },
): Promise<AddedPushDevice> {
  await tx.query(sql`select from users where id = ${userId}::int for update`)
  const added = { id: randomUUID(), secret: generateSecretToken() }
  const [existing] = await tx.query<{ user_id: number }>(
    sql`select user_id from push_devices where endpoint_hash = ${hashSecret(endpoint)} for update`,
  )
  await tx.execute(sql`
    insert into push_devices (id, user_id, organisation_id, session_id, endpoint, endpoint_hash, p256dh, auth, secret_hash, user_agent, created_at)
    values (${added.id}, ${userId}::int, ${organisationId}::int, ${sessionId}, ${endpoint}, ${hashSecret(endpoint)}, ${keys.p256dh}, ${keys.auth},
      ${hashSecret(added.secret)}, ${userAgent?.slice(0, 300) ?? null}, ${at.toISOString()}::timestamptz)
    on conflict (endpoint_hash) do update set id = excluded.id, user_id = excluded.user_id, organisation_id = excluded.organisation_id,
      session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, secret_hash = excluded.secret_hash,
      user_agent = excluded.user_agent, created_at = excluded.created_at, told_at = null, last_batch = null, failures = 0, refused_at = null, refusal = null`)
  if (existing && existing.user_id !== userId) await closeChannelIfEmpty(tx, existing.user_id)
  await tx.execute(sql`
    delete from push_devices where id in (
      select id from push_devices where user_id = ${userId}::int
      order by coalesce(told_at, created_at) desc, id offset ${MAX_PUSH_DEVICES}::int)`)
  await enableNotificationChannel(tx, { userId, organisationId }, 'push')
  return added
}

/**
 * Updates the endpoint of the browser with this secret. Call as superuser: the service worker has no session. Returns
 * whether the secret is known.
 */
export async function renewPushDevice(
  tx: Db,
  secret: string,
  { endpoint, keys }: BrowserPushSubscription,
): Promise<boolean> {
  const hash = hashSecret(endpoint)
  const hasSecret = sql`secret_hash = ${hashSecret(secret)}`
  const [device] = await tx.query<{ id: string }>(sql`
    select d.id from push_devices d join sessions s on s.id = d.session_id where d.${hasSecret} and s.revoked_at is null for update of d`)
  if (!device) return false
  await tx.execute(sql`delete from push_devices where endpoint_hash = ${hash} and id <> ${device.id}`)
  await tx.execute(sql`
    update push_devices set endpoint = ${endpoint}, endpoint_hash = ${hash}, p256dh = ${keys.p256dh}, auth = ${keys.auth}, failures = 0, refused_at = null, refusal = null where id = ${device.id}`)
  return true
}

/**
 * Removes a browser, and closes the channel if it was the user's last one. Returns whether the browser was the user's.
 */
export async function removeUserPushDevice(tx: Db, userId: number, id: string): Promise<boolean> {
  const removed = await tx.execute(sql`delete from push_devices where user_id = ${userId}::int and id = ${id}`)
  await closeChannelIfEmpty(tx, userId)
  return removed > 0
}

async function closeChannelIfEmpty(tx: Db, userId: number): Promise<void> {
  const [remaining] = await tx.query(sql`select 1 from push_devices where user_id = ${userId}::int limit 1`)
  if (!remaining) await disableNotificationChannel(tx, userId, 'push')
}

export type PushTargetDevice = {
  readonly id: string
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly lastBatch: string | null
  readonly failures: number
  readonly refusedAt: string | null
  readonly refusal: string | null
}

export async function findPushTargetDevices(db: Db, userId: number): Promise<PushTargetDevice[]> {
  return db.query<PushTargetDevice>(sql`
    select d.id, d.endpoint, d.p256dh, d.auth, d.last_batch as "lastBatch", d.failures, d.refused_at as "refusedAt", d.refusal
    from push_devices d join sessions s on s.id = d.session_id
    where d.user_id = ${userId}::int and s.revoked_at is null order by d.created_at, d.id`)
}

export async function pruneEndedPushDevices(db: Db, userId: number): Promise<void> {
  await db.execute(sql`
    delete from push_devices d using sessions s where s.id = d.session_id and s.revoked_at is not null and d.user_id = ${userId}::int`)
}

export async function recordPushDelivery(db: Db, id: string, batch: string | undefined, at: Date): Promise<void> {
  const delivered = sql`told_at = ${at.toISOString()}::timestamptz, failures = 0, refused_at = null, refusal = null`
  await db.execute(
    batch === undefined
      ? sql`update push_devices set ${delivered} where id = ${id}`
      : sql`update push_devices set ${delivered}, last_batch = ${batch}::uuid where id = ${id}`,
  )
}

export async function recordPushFailure(db: Db, id: string): Promise<void> {
  await db.execute(sql`update push_devices set failures = failures + 1 where id = ${id}`)
}

export async function recordPushRefusal(db: Db, id: string, refusal: string, at: Date): Promise<void> {
  await db.execute(sql`
    update push_devices set failures = failures + 1, refused_at = ${at.toISOString()}::timestamptz, refusal = ${refusal} where id = ${id}`)
}

export async function deletePushDevice(db: Db, id: string): Promise<void> {
  await db.execute(sql`delete from push_devices where id = ${id}`)
}
