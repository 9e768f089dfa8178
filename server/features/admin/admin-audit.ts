import type { Db } from '#server/engine/db.ts'
import { type AuditDetail, recordAuditEvent } from '#server/features/usage-log/audit-events.ts'

export const COMMAND_LINE = { address: 'command line', requestId: '-' } as const

/** The row that every change by the operator leaves (R59). */
export async function auditAdmin(
  db: Db,
  about: { organisationId?: number; userId?: number },
  detail: AuditDetail,
): Promise<void> {
  await recordAuditEvent(db, { kind: 'changed_by_admin', at: new Date(), ...about, ...COMMAND_LINE, detail })
}
