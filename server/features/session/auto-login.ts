import { DEMO_ORGANISATION_CODE } from '#contract/organisation.ts'
import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { Origin } from './login.ts'
import { findDemoUser } from './queries.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

/**
 * Enters the demo organisation. The key stands in public links, so it can open nothing else (R22).
 * Throws ProblemError `refkey_unknown` for any other key, and when there is no demo.
 */
export async function enterDemo(
  { db, sessions, now }: { readonly db: Db; readonly sessions: Sessions; now(): Date },
  refkey: string,
  origin: Origin,
): Promise<OpenedSession> {
  const user = refkey === DEMO_ORGANISATION_CODE ? await findDemoUser(db) : undefined
  if (!user) throw new ProblemError('refkey_unknown')
  const session = await sessions.open({ ...user, isDemo: true })
  await recordAuditEvent(db, { kind: 'auto_login', at: now(), ...user, ...origin })
  return session
}
