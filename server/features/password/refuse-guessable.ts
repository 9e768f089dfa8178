import { ProblemError } from '#server/route/problem.ts'
import { guessableReason } from '#server/text/guessable-password.ts'
import type { PasswordOwner } from './queries.ts'

/** Throws ProblemError at `new_password` when others would guess it from a list or from what is known of its owner (R2). */
export function refuseGuessable(password: string, owner: PasswordOwner): void {
  const known = [owner.email, owner.firstName, owner.lastName, owner.organisationName].filter((text) => text !== null)
  const reason = guessableReason(password, known)
  if (reason !== undefined) throw new ProblemError('bad_input', { text: reason, fields: { new_password: [reason] } })
}
