import type { SessionList } from '#contract/session-list.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import { endSessionsOfUser } from '#server/db/user-sessions.ts'
import { sessionsEndedMail } from '#server/mail/account-mails.ts'
import type { Actor } from '#server/route/actor.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { deviceWords } from './device-words.ts'
import type { Origin } from './login.ts'
import { endSession, findEmail, listSessions } from './queries-list.ts'

/** Where the actor is logged in, the present session first. */
export async function sessionsOf({ db, now }: RouteContext, actor: Actor): Promise<SessionList> {
  const lines = await listSessions(db, actor.userId, now())
  const sessions = lines.map(({ id, userAgent, address, createdAt, lastSeenAt }) => ({
    id,
    device: deviceWords(userAgent),
    address,
    created_at: createdAt,
    last_seen_at: lastSeenAt,
    current: id === actor.sessionId,
  }))
  return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) }
}

/** Ends one of the actor's sessions. Throws ProblemError `not_found` for somebody else's, an unknown and an ended one alike (R24). */
export async function endOneSession(
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
export async function endAllSessions({ db, now, mails }: RouteContext, actor: Actor, origin: Origin): Promise<void> {
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
