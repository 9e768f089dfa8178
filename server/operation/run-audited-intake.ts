import { type IntakeRequest, type IntakeResult, runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { type AdminActor, recordAdminEvent } from '#server/operation/admin/record-admin-event.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextCipher } from '#server/platform/engine/text-cipher.ts'

/**
 * Runs a source request from the command line or the screen and writes it to the audit trail (R61). Omits the contact
 * address and the key, because the trail must not contain typed email addresses (R59). Rejects with `IntakeRejectedError`.
 */
export async function runAuditedIntakeRequest(
  {
    db,
    by,
    now = new Date(),
    seal,
  }: { readonly db: Db; readonly by: AdminActor; readonly now?: Date; readonly seal?: TextCipher | undefined },
  request: IntakeRequest,
): Promise<IntakeResult> {
  const answer = await runIntake(db, request, now, seal)
  if (request.command === 'status') return answer
  const { contact: _, ...changes } = request.command === 'on' ? request.changes : {}
  await recordAdminEvent(db, by, {}, { did: `source-${request.command}`, source: request.source, ...changes })
  return answer
}
