import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import { type RememberedDeviceList, rememberedDevicesSchema } from '#contract/account/second-factor.ts'
import { type SessionList, sessionListSchema } from '#contract/account/session-list.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderSessionsEndedMail } from '#server/platform/mail/notice-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { listRememberedDevices, revokeRememberedDevice } from './devices.ts'
import { formatDevice } from './format-device.ts'
import { endSession, findUserEmail, listSessions } from './queries.ts'
import type { LoginOrigin } from './second-step.ts'

/**
 * Ends every session of a user and returns how many were alive. Use this only for logging out everywhere; closing or
 * taking over an account must end more (see the folder standing-access).
 */
async function endSessionsOfUser(tx: Db, userId: number, { at }: { at: Date }): Promise<number> {
  return tx.execute(sql`
    update sessions set revoked_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and revoked_at is null`)
}

/** Ends the trust in all browsers of a user, so that each needs the second factor again. Call as table owner. */
async function endTrustOfUser(tx: Db, userId: number): Promise<void> {
  await tx.execute(sql`update known_devices set trusted_until = null where user_id = ${userId}::int`)
}

async function sessionsOf({ db, now }: RouteContext, actor: Actor): Promise<SessionList> {
  const lines = await listSessions(db, actor.userId, now())
  const sessions = lines.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    device: formatDevice(userAgent),
    address,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    current: id === actor.sessionId,
  }))
  return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
}

/**
 * Ends one session of the actor.
 * @throws ProblemError `not_found`, the same for another user's, an unknown and an ended session (R24).
 */
async function endOneSession(
  { db, now }: RouteContext,
  actor: Actor,
  sessionId: string,
  origin: LoginOrigin,
): Promise<void> {
  if (!/^[\w-]{1,64}$/.test(sessionId) || !(await endSession(db, actor.userId, sessionId, now()))) {
    throw new ProblemError('not_found')
  }
  const { userId, organisationId } = actor
  await recordAuditEvent(db, { kind: 'session_ended', at: now(), userId, organisationId, ...origin })
}

async function endAllSessions({ db, now, mails }: RouteContext, actor: Actor, origin: LoginOrigin): Promise<void> {
  const { userId, organisationId } = actor
  const at = now()
  const endAll = async (tx: Db) => {
    const count = await endSessionsOfUser(tx, userId, { at })
    await endTrustOfUser(tx, userId)
    await recordAuditEvent(tx, { kind: 'sessions_ended', at, userId, organisationId, ...origin, detail: { count } })
    const to = await findUserEmail(tx, userId)
    const content = renderSessionsEndedMail({ at, resetUrl: mails.link('/reset-password') })
    if (to !== undefined) await mails.queue(tx, { kind: 'sessions_ended', to, content, userId, organisationId }, at)
  }
  await runWithoutTenant(() => db.transaction(endAll))
}

async function trustedDevicesOf({ db, now }: RouteContext, { userId }: Actor): Promise<RememberedDeviceList> {
  const devices = await runWithoutTenant(() => listRememberedDevices(db, userId, now()))
  return {
    devices: devices.map(({ id, userAgent, address, usedAt, trustedUntil }) => ({
      ...{ id, device: formatDevice(userAgent), address },
      used_at: new Date(usedAt).toISOString(),
      trusted_until: new Date(trustedUntil).toISOString(),
    })),
  }
}

/**
 * Makes that browser require the second factor again.
 * @throws ProblemError `not_found` for a browser that is not the actor's (R24).
 */
async function forgetDevice({ db, now }: RouteContext, actor: Actor, id: string, origin: LoginOrigin): Promise<void> {
  const { userId, organisationId } = actor
  const wasTrusted = await runWithoutTenant(() => revokeRememberedDevice(db, userId, parseRowId(id)))
  if (!wasTrusted) throw new ProblemError('not_found')
  await recordAuditEvent(db, { kind: 'device_forgotten', at: now(), userId, organisationId, ...origin })
}

const tags = ['session']
const config = { demo: 'forbidden', setUp: true, operator: true } as const
/** Sessions and remembered browsers of the user (R13). */
export function sessionListRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me/sessions',
    {
      config,
      schema: { tags, summary: 'List the sessions of the signed-in user', response: { 200: sessionListSchema } },
    },
    async (request) => sessionsOf(context, await context.actorOf(request)),
  )
  app.delete(
    '/users/me/sessions/:id',
    {
      config,
      schema: {
        tags,
        summary: 'End one session of the signed-in user',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await endOneSession(context, await context.actorOf(request), request.params.id, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/users/me/sessions/end-all',
    {
      config,
      schema: { tags, summary: 'Log out everywhere, including this session', response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await endAllSessions(context, await context.actorOf(request), getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
  app.get(
    '/users/me/devices',
    {
      config,
      schema: {
        tags,
        summary: 'List browsers that skip the second factor',
        response: { 200: rememberedDevicesSchema },
      },
    },
    async (request) => trustedDevicesOf(context, await context.actorOf(request)),
  )
  app.delete(
    '/users/me/devices/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Forget a browser, so that it needs the second factor again',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await forgetDevice(context, await context.actorOf(request), request.params.id, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
}
