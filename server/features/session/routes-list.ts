import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { type SessionList, sessionListSchema } from '#contract/account/session-list.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import { sessionsEndedMail } from '#server/mail/account-mails.ts'
import type { Actor } from '#server/route/actor.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import type { Origin } from './login.ts'
import { endSession, findEmail, listSessions } from './queries.ts'
import { endSessionsOfUser } from './user-sessions.ts'

/** In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS)\//, 'Opera'],
  [/\bLine\//, 'LINE'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
/** Android and iPhones name Linux and Mac OS beside themselves. */
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Browser and system of a user agent, for the list of sessions: `Chrome บน Windows`. */
export function deviceText(userAgent: string | null): string {
  const named = (list: typeof BROWSERS) => list.find(([mark]) => mark.test(userAgent ?? ''))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (browser && system) return `${browser} บน ${system}`
  return browser ?? system ?? 'อุปกรณ์ที่ไม่รู้จัก'
}

/** Where the actor is logged in, the present session first. */
async function sessionsOf({ db, now }: RouteContext, actor: Actor): Promise<SessionList> {
  const lines = await listSessions(db, actor.userId, now())
  const sessions = lines.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    device: deviceText(userAgent),
    address,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    current: id === actor.sessionId,
  }))
  return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
}

/** Ends one of the actor's sessions. Throws ProblemError `not_found` for somebody else's, an unknown and an ended one alike (R24). */
async function endOneSession(
  { db, now }: RouteContext,
  actor: Actor,
  sessionId: string,
  origin: Origin,
): Promise<void> {
  if (!/^[\w-]{1,64}$/.test(sessionId) || !(await endSession(db, actor.userId, sessionId, now()))) {
    throw new ProblemError('not_found')
  }
  const { userId, organisationId } = actor
  await recordAuditEvent(db, { kind: 'session_ended', at: now(), userId, organisationId, ...origin })
}

/** Logs the actor out everywhere, here too, and tells them by mail (R12). */
async function endAllSessions({ db, now, mails }: RouteContext, actor: Actor, origin: Origin): Promise<void> {
  const { userId, organisationId } = actor
  const at = now()
  await db.transaction(async (tx) => {
    const count = await endSessionsOfUser(tx, userId, { at })
    await recordAuditEvent(tx, { kind: 'sessions_ended', at, userId, organisationId, ...origin, detail: { count } })
    const to = await findEmail(tx, userId)
    const content = sessionsEndedMail({ at, resetUrl: mails.link('/reset-password') })
    if (to !== undefined) await mails.queue(tx, { kind: 'sessions_ended', to, content, userId, organisationId }, at)
  })
}

const tags = ['session']
/** The demo's sessions belong to nobody (C6). */
const config = { demo: 'forbidden' } as const
const originOf = (request: FastifyRequest) => ({ address: request.ip, requestId: request.id })

/** GET /users/me/sessions, DELETE /users/me/sessions/{id}/, POST /users/me/sessions/end-all/ (R13). */
export function sessionListRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me/sessions',
    {
      config,
      schema: { tags, summary: 'Where the signed-in user is logged in', response: { 200: sessionListSchema } },
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
      await endOneSession(context, await context.actorOf(request), request.params.id, originOf(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/users/me/sessions/end-all',
    { config, schema: { tags, summary: 'Log out everywhere, here too', response: { 204: z.undefined() } } },
    async (request, reply) => {
      await endAllSessions(context, await context.actorOf(request), originOf(request))
      return reply.code(204).send()
    },
  )
}
