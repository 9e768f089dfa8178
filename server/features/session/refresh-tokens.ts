import { recordAuditEvent } from '#server/db/audit-events.ts'
import { sessionCopiedMail } from '#server/mail/account-mails.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import type { Origin } from './login.ts'
import { findEmail } from './queries-list.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

/**
 * New tokens for a refresh token. Throws ProblemError `session_invalid` when it opens nothing any more; one that was exchanged
 * before is somebody's copy, so the session ends, the trail says so and the user gets a mail (R9).
 */
export async function refreshTokens(
  { db, sessions, now, mails }: Pick<RouteContext, 'db' | 'now' | 'mails'> & { readonly sessions: Sessions },
  refresh: string,
  origin: Origin,
): Promise<OpenedSession> {
  const outcome = await sessions.refresh(refresh)
  if (outcome.kind === 'exchanged') return outcome.session
  if (outcome.kind === 'reused') {
    const { userId, organisationId } = outcome.ended
    const at = now()
    await recordAuditEvent(db, { kind: 'refresh_reuse', at, userId, organisationId, ...origin })
    const to = await findEmail(db, userId)
    const content = sessionCopiedMail({ at, resetUrl: mails.link('/reset-password') })
    if (to !== undefined) await mails.queue(db, { kind: 'refresh_reuse', to, content, userId, organisationId }, at)
  }
  throw new ProblemError('session_invalid')
}
