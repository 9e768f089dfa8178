import type { AuditDetail } from '#server/account/usage-log/audit-event.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type AdminActor = {
  readonly address: string
  readonly requestId: string
  /** User id of the operator; undefined on the command line. */
  readonly operator?: number
}

export const COMMAND_LINE_ACTOR: AdminActor = { address: 'command line', requestId: '-' }

/**
 * Writes the audit row that every change by an operator requires (R59, R61). `about`: the affected organisation or
 * user.
 */
export async function recordAdminEvent(
  db: Db,
  { address, requestId, operator }: AdminActor,
  about: { organisationId?: number | undefined; userId?: number | undefined },
  detail: AuditDetail,
): Promise<void> {
  const event = { kind: 'changed_by_admin', at: new Date(), ...about, address, requestId } as const
  await recordAuditEvent(db, { ...event, detail: operator === undefined ? detail : { ...detail, operator } })
}
