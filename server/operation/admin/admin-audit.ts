import type { AuditDetail } from '#server/account/usage-log/audit-event.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Who changes something: the owner of the machine at its command line, or an operator who is signed in. */
export type By = {
  readonly address: string
  readonly requestId: string
  /** Id of the user whose role is operator. */
  readonly operator?: number
}

export const COMMAND_LINE: By = { address: 'command line', requestId: '-' }

/** The row that every change by the operator leaves (R59, R61). `about`: whose things were changed. */
export async function auditAdmin(
  db: Db,
  { address, requestId, operator }: By,
  about: { organisationId?: number | undefined; userId?: number | undefined },
  detail: AuditDetail,
): Promise<void> {
  const event = { kind: 'changed_by_admin', at: new Date(), ...about, address, requestId } as const
  await recordAuditEvent(db, { ...event, detail: operator === undefined ? detail : { ...detail, operator } })
}
