import type { FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { REMEMBERED_DEVICE_LIFETIME_DAYS } from '#contract/account/second-factor.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'

/** Identifies the browser but grants no access; it only complements a correct password. httpOnly. */
const DEVICE_COOKIE = 'tamngan-device'
/** The maximum lifetime that browsers accept for a cookie. */
const COOKIE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60
const DAY_MS = 86_400_000
const MAX_DEVICES = 50

export function getDeviceToken(request: Pick<FastifyRequest, 'cookies'>): string | undefined {
  const token = request.cookies[DEVICE_COOKIE]
  return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
}

export function setDeviceCookie(reply: FastifyReply, token: string, secure: boolean): void {
  const options = {
    path: '/api/v2/auth',
    sameSite: 'strict',
    secure,
    httpOnly: true,
    maxAge: COOKIE_MAX_AGE_SECONDS,
  } as const
  reply.setCookie(DEVICE_COOKIE, token, options)
}

export async function isDeviceKnownForEmail(db: Db, emailKey: string, token: string | undefined): Promise<boolean> {
  if (token === undefined) return false
  const rows = await db.query(sql`
    select from known_devices d join users u on u.id = d.user_id
    where u.email_key = ${emailKey} and d.token_hash = ${hashSecret(token)}`)
  return rows.length > 0
}

export async function isDeviceRemembered(
  db: Db,
  userId: number,
  token: string | undefined,
  now: Date,
): Promise<boolean> {
  if (token === undefined) return false
  const rows = await db.query(sql`
    select from known_devices where user_id = ${userId}::int and token_hash = ${hashSecret(token)}
      and trusted_until > ${now.toISOString()}::timestamptz`)
  return rows.length > 0
}

type DeviceLogin = {
  readonly userId: number
  readonly token: string | undefined
  readonly userAgent: string | null
  readonly address: string
  readonly now: Date
  readonly remember: boolean
}

/**
 * Records a login from this browser. Returns its token, new if needed, and whether the browser is new. Without a token
 * (private window), the browser counts as seen if the same user agent and address were used within 30 days, or, before
 * the user's first token, if an earlier session used it. That avoids repeated emails about the user's own computer.
 */
export async function recordDevice(
  tx: Db,
  login: DeviceLogin,
): Promise<{ readonly token: string; readonly isNew: boolean }> {
  const { userId, userAgent, address, remember } = login
  const at = login.now.toISOString()
  const until = remember ? new Date(login.now.getTime() + REMEMBERED_DEVICE_LIFETIME_DAYS * DAY_MS).toISOString() : null
  if (login.token !== undefined) {
    const updatedCount = await tx.execute(sql`
      update known_devices set used_at = ${at}::timestamptz, user_agent = ${userAgent}, address = ${address},
        trusted_until = coalesce(${until}::timestamptz, trusted_until)
      where user_id = ${userId}::int and token_hash = ${hashSecret(login.token)}`)
    if (updatedCount === 1) return { token: login.token, isNew: false }
  }
  const [previousUse] = await tx.query<{ isKnown: boolean }>(sql`
    select exists (
        select from known_devices d where d.user_id = ${userId}::int and d.user_agent is not distinct from ${userAgent}
          and d.address = ${address} and d.used_at > ${at}::timestamptz - make_interval(days => ${REMEMBERED_DEVICE_LIFETIME_DAYS}::int))
      or not exists (select from known_devices d where d.user_id = ${userId}::int)
        and exists (select from sessions s where s.user_id = ${userId}::int and s.user_agent is not distinct from ${userAgent}) as "isKnown"`)
  const token = login.token ?? generateSecretToken()
  await tx.execute(sql`
    insert into known_devices (user_id, token_hash, user_agent, address, created_at, used_at, trusted_until)
    values (${userId}::int, ${hashSecret(token)}, ${userAgent}, ${address}, ${at}::timestamptz, ${at}::timestamptz, ${until}::timestamptz)
    on conflict (user_id, token_hash) do update set used_at = excluded.used_at`)
  await tx.execute(sql`
    delete from known_devices where id in (
      select id from known_devices where user_id = ${userId}::int order by used_at desc, id desc offset ${MAX_DEVICES}::int)`)
  return { token, isNew: previousUse?.isKnown !== true }
}

export type StoredRememberedDevice = {
  readonly id: number
  readonly userAgent: string | null
  readonly address: string | null
  readonly usedAt: string
  readonly trustedUntil: string
}

export async function listRememberedDevices(db: Db, userId: number, now: Date): Promise<StoredRememberedDevice[]> {
  return db.query<StoredRememberedDevice>(sql`
    select id, user_agent as "userAgent", address, used_at as "usedAt", trusted_until as "trustedUntil"
    from known_devices where user_id = ${userId}::int and trusted_until > ${now.toISOString()}::timestamptz
    order by used_at desc, id desc`)
}

export async function revokeRememberedDevice(db: Db, userId: number, id: number): Promise<boolean> {
  const updatedCount = await db.execute(sql`
    update known_devices set trusted_until = null where id = ${id}::int and user_id = ${userId}::int and trusted_until is not null`)
  return updatedCount === 1
}
