import { DEMO_ORGANISATION_CODE } from '#contract/organisation.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { Origin } from './login.ts'
import { findDemoUser } from './queries.ts'
import { copyUserForVisitor, isDemoFull, removeEndedVisitors } from './queries-visitor.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

/**
 * Enters the demo organisation, as a user that exists for this visit only: what one visitor marks no other sees (C6). The key stands in
 * public links, so it can open nothing else (R22). Visitors who have left are cleared away in passing.
 * Throws ProblemError `refkey_unknown` for any other key, and when there is no demo; `unavailable` when it is full.
 */
export async function enterDemo(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
  refkey: string,
  origin: Origin,
): Promise<OpenedSession> {
  const model = refkey === DEMO_ORGANISATION_CODE ? await findDemoUser(db) : undefined
  if (!model) throw new ProblemError('refkey_unknown')
  await removeEndedVisitors(db, now())
  if (await isDemoFull(db)) throw new ProblemError('unavailable')
  const userId = await db.transaction((tx) => copyUserForVisitor(tx, model.userId, now()))
  const visitor = { userId, organisationId: model.organisationId }
  const session = await sessions.open({ ...visitor, isDemo: true })
  await recordAuditEvent(db, { kind: 'auto_login', at: now(), ...visitor, ...origin })
  return session
}
