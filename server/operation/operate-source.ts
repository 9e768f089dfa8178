import { type IntakeAnswer, type IntakeRequest, runIntake } from '#server/catalogue/intake/commands.ts'
import { auditAdmin, type By } from '#server/operation/admin/admin-audit.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextSeal } from '#server/platform/engine/sealed-text.ts'

/**
 * Runs a source request from the command line or the screen and writes it to the audit trail (R61). The contact address
 * and the key are omitted there, since the trail contains no typed e-mail (R59). Rejects with `IntakeRefusal`.
 */
export async function operateSource(
  {
    db,
    by,
    now = new Date(),
    seal,
  }: { readonly db: Db; readonly by: By; readonly now?: Date; readonly seal?: TextSeal | undefined },
  request: IntakeRequest,
): Promise<IntakeAnswer> {
  const answer = await runIntake(db, request, now, seal)
  if (request.command === 'status') return answer
  const { contact: _, ...changes } = request.command === 'on' ? request.changes : {}
  await auditAdmin(db, by, {}, { did: `source-${request.command}`, source: request.source, ...changes })
  return answer
}
