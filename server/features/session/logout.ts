import type { FastifyRequest } from 'fastify'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import type { Sessions } from './sessions.ts'

/** Ends the session of the refresh token and of the bearer, if any is still alive. Never refuses (R11). */
export async function logout(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
  request: Pick<FastifyRequest, 'headers' | 'id' | 'ip' | 'log'>,
  refresh: string | undefined,
): Promise<void> {
  try {
    for (const { userId, organisationId } of await sessions.close(request, refresh)) {
      await recordAuditEvent(db, {
        kind: 'logout',
        at: now(),
        userId,
        organisationId,
        address: request.ip,
        requestId: request.id,
      })
    }
  } catch (error) {
    // The session has ended for this process; its end or the row of the trail could not be written, as with a full disk.
    request.log.error({ err: error }, 'logout not stored')
  }
}
