import { recordAuditEvent } from '#server/db/audit-events.ts'
import type { Db } from '#server/db/db.ts'
import type { Actor } from '#server/route/actor.ts'
import { requestMatching } from '#server/route/request-matching.ts'
import { addRescues, removeRescues } from './queries-ledger.ts'

type Rescue = {
  readonly actor: Actor
  readonly projectIds: readonly string[]
  /** False takes it back. */
  readonly rescued: boolean
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

/**
 * Lets projects into the report although an exclusion word keeps them out, or takes that back. What is so already, and what no exclusion of
 * the organisation keeps out, stays as it is. No change of the lists, so it is allowed at any hour (D13).
 */
export async function changeRescues(
  db: Db,
  { actor, projectIds, rescued, at, address, requestId }: Rescue,
): Promise<void> {
  const { organisationId, userId } = actor
  await db.transaction(async (tx) => {
    const projects = rescued
      ? await addRescues(tx, { organisationId, userId, projectIds, at })
      : await removeRescues(tx, organisationId, projectIds)
    if (projects.length === 0) return
    await requestMatching(tx, organisationId, { projects }, at)
    const detail = { rescued, projects }
    await recordAuditEvent(tx, { kind: 'rescues_changed', at, organisationId, userId, address, requestId, detail })
  })
}
