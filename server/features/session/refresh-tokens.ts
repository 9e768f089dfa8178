import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { Origin } from './login.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

/**
 * New tokens for a refresh token. Throws ProblemError `session_invalid` when it opens nothing any more; one that was exchanged
 * before is somebody's copy, so the session ends and the trail says so (R9).
 */
export async function refreshTokens(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
  refresh: string,
  origin: Origin,
): Promise<OpenedSession> {
  const outcome = await sessions.refresh(refresh)
  if (outcome.kind === 'exchanged') return outcome.session
  if (outcome.kind === 'reused') {
    const { userId, organisationId } = outcome.ended
    await recordAuditEvent(db, { kind: 'refresh_reuse', at: now(), userId, organisationId, ...origin })
  }
  throw new ProblemError('session_invalid')
}
