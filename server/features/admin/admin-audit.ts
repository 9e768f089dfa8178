import type { Db } from '#server/engine/db.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import type { AuditDetail } from '#server/features/usage-log/audited-usage.ts'

export const COMMAND_LINE = { address: 'command line', requestId: '-' } as const

/** The row that every change by the operator leaves (R59). */
export async function auditAdmin(
  db: Db,
  about: { organisationId?: number; userId?: number },
  detail: AuditDetail,
): Promise<void> {
  await recordAuditEvent(db, { kind: 'changed_by_admin', at: new Date(), ...about, ...COMMAND_LINE, detail })
}
