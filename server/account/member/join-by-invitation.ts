import type { InvitationAcceptance, InvitationPreview } from '#contract/account/invitation.ts'
import { TERMS_OF_SERVICE_VERSION } from '#contract/account/registration.ts'
import { insertUser } from '#server/account/organisation/new-account.ts'
import { assertPasswordNotGuessable } from '#server/account/password/set-new-password.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { formatSeatLimitReachedText } from './member-invitations.ts'
import { notifySuperUsersOfNewSuperUser } from './notify-super-user-change.ts'
import {
  type AcceptedInvitation,
  acceptInvitation,
  countSeats,
  findAccountByEmail,
  findInvitationByToken,
  lockSeats,
  recordInvitedAccount,
  type StoredInvitationLink,
} from './queries.ts'

export async function getInvitationByToken({ db, now }: RouteContext, token: string): Promise<InvitationPreview> {
  const { organisation, email, role, invitedBy } = await requireUsable(db, token, now())
  return { organisation, email, role, invited_by: invitedBy }
}

/**
 * Creates the account of an invitation; only one of several parallel requests succeeds.
 * @throws ProblemError for an invalid link, at `new_password` for a guessable password, when the organisation is full,
 * or when the address now has an account.
 */
export async function joinByInvitation(
  { db, now, mails }: RouteContext,
  token: string,
  body: InvitationAcceptance,
  origin: RequestOrigin,
): Promise<{ readonly userId: number; readonly organisationId: number }> {
  const pending = await requireUsable(db, token, now())
  const { organisationId, email, emailKey, role } = pending
  const { first_name: firstName, last_name: lastName } = body
  const owner = { userId: 0, organisationId, email, firstName, lastName, organisationName: pending.organisation }
  assertPasswordNotGuessable(body.new_password, owner)
  const passwordHash = await hashPassword(body.new_password)
  const at = now()
  const userId = await db
    .transaction(async (tx) => {
      await lockSeats(tx, organisationId)
      const invitation = await acceptInvitation(tx, hashSecret(token), at)
      if (!invitation) throw linkProblem('invitation_used')
      const person = { organisationId, role, email, emailKey, passwordHash, firstName, lastName }
      return addInvitedUser(tx, mails, invitation, person, at)
    })
    .catch(rethrowDuplicateEmailAsEmailTaken)
  await recordAuditEvent(db, { kind: 'member_joined', at, userId, organisationId, ...origin, detail: { role } })
  return { userId, organisationId }
}

type InvitedUser = Omit<Parameters<typeof insertUser>[1], 'termsVersion' | 'termsAcceptedAt'>

/**
 * Creates the account of an invitation accepted in this transaction, with the seats locked. If the new member is a
 * super user, notifies the other super users.
 * @throws ProblemError when the organisation is full.
 */
export async function addInvitedUser(
  tx: Db,
  mails: OutgoingMailQueue,
  { id, invitedBy }: AcceptedInvitation,
  person: InvitedUser,
  at: Date,
): Promise<number> {
  const { organisationId, role, email } = person
  const { most: seatLimit, members } = await countSeats(tx, organisationId, at)
  if (members >= seatLimit) throw new ProblemError('bad_input', { text: formatSeatLimitReachedText(seatLimit) })
  if (role === 'super_user')
    await notifySuperUsersOfNewSuperUser(tx, mails, { what: 'joined', organisationId, email, by: invitedBy ?? '-', at })
  const userId = await insertUser(tx, {
    ...person,
    termsVersion: TERMS_OF_SERVICE_VERSION,
    termsAcceptedAt: at.toISOString(),
  })
  await recordInvitedAccount(tx, id, userId)
  return userId
}

export function rethrowDuplicateEmailAsEmailTaken(error: unknown): never {
  if (error instanceof StatementError && error.constraint === 'users_email_key_key') throw emailTaken()
  throw error
}

async function requireUsable(db: Db, token: string, now: Date): Promise<StoredInvitationLink> {
  const invitation = await findInvitationByToken(db, hashSecret(token), now)
  if (!invitation) throw linkProblem('invitation_unknown')
  if (invitation.isAccepted) throw linkProblem('invitation_used')
  if (invitation.isOver) throw linkProblem('invitation_over')
  if (await findAccountByEmail(db, invitation.emailKey, invitation.organisationId)) throw emailTaken()
  return invitation
}

const linkProblem = (code: 'invitation_unknown' | 'invitation_used' | 'invitation_over') => new ProblemError(code)

/** Revealing that the address has an account is safe, because only its owner received the link. */
const emailTaken = () => new ProblemError('invitation_email_taken')
