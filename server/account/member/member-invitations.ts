import { INVITATION_LIFETIME_DAYS } from '#contract/account/invitation.ts'
import type { InvitationRequest } from '#contract/account/member.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderInvitationMail } from '#server/platform/mail/account-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import { notifySuperUsersOfNewSuperUser } from './notify-super-user-change.ts'
import {
  countSeats,
  findAccountByEmail,
  findInvitation,
  findInviter,
  lockSeats,
  revokeInvitation,
  storeInvitation,
} from './queries.ts'

const DAY_MS = 86_400_000
const PER_ADDRESS: ActionRateLimit = { action: 'invite-mail', maxUses: 3, windowSeconds: 24 * 60 * 60, gapSeconds: 60 }
const PER_ORGANISATION: ActionRateLimit = { action: 'invite', maxUses: 50, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }

/**
 * Emails an invitation link and invalidates an earlier link to the address. Does not reveal whether the address has an
 * account elsewhere; only the recipient learns that.
 * @throws ProblemError at `email` for an existing member, a full organisation, or too many invitations.
 */
export async function sendMemberInvitation(
  context: RouteContext,
  actor: Actor,
  { email, role }: InvitationRequest,
  origin: RequestOrigin,
): Promise<void> {
  const { db, now, mails } = context
  const { organisationId, userId, sessionId } = actor
  const at = now()
  const emailKey = toEmailKey(email)
  // Rate limits are stored outside the tenant, and the address may belong to another organisation.
  await runWithoutTenant(async () => {
    const account = await findAccountByEmail(db, emailKey, organisationId)
    if (account?.isHere) throw atEmail(account.isDisabled ? 'บัญชีนี้ถูกปิดอยู่ เปิดใช้งานอีกครั้งได้จากรายชื่อ' : 'คนนี้อยู่ในทีมแล้ว')
    const wait =
      (await consumeActionRateLimit(db, PER_ADDRESS, `${organisationId}:${emailKey}`, at)) ||
      (await consumeActionRateLimit(db, PER_ORGANISATION, String(organisationId), at))
    if (wait > 0) {
      const text = `ส่งคำเชิญถึงอีเมลนี้บ่อยเกินไป ส่งอีกครั้งได้ในอีก ${formatWaitTime(wait)}`
      throw new ProblemError('too_many_requests', { text, retryAfterSeconds: wait })
    }
    const inviter = await findInviter(db, userId)
    const token = generateSecretToken()
    const expiresAt = new Date(at.getTime() + INVITATION_LIFETIME_DAYS * DAY_MS)
    const url = mails.link(`/invitation/${token}`)
    const content = renderInvitationMail({ ...inviter, url, days: INVITATION_LIFETIME_DAYS })
    await db.transaction(async (tx) => {
      const link = { tokenHash: hashSecret(token), at, expiresAt }
      await lockSeats(tx, organisationId)
      await storeInvitation(tx, { ...link, organisationId, email, emailKey, role, invitedBy: userId })
      // Count after storing the invitation, so that re-inviting an address takes no second seat.
      const { most: seatLimit, members, invited } = await countSeats(tx, organisationId, at)
      if (members + invited > seatLimit) throw atEmail(formatSeatLimitReachedText(seatLimit))
      await mails.queue(tx, { kind: 'invitation', to: email, content, notAfter: expiresAt, organisationId }, at)
      const detail = { email: maskEmail(email), role }
      await recordAuditEvent(tx, { kind: 'member_invited', at, userId, organisationId, ...origin, detail })
      if (role === 'super_user')
        await notifySuperUsersOfNewSuperUser(tx, mails, {
          what: 'invited',
          organisationId,
          email,
          userId,
          sessionId,
          at,
        })
    })
  })
}

export async function renewInvitation(
  context: RouteContext,
  actor: Actor,
  id: number,
  origin: RequestOrigin,
): Promise<void> {
  const invitation = await findInvitation(context.db, actor.organisationId, id)
  if (!invitation) throw new ProblemError('not_found')
  await sendMemberInvitation(context, actor, { email: invitation.email, role: invitation.role }, origin)
}

export async function revokeMemberInvitation(
  { db, now }: RouteContext,
  actor: Actor,
  id: number,
  origin: RequestOrigin,
): Promise<void> {
  const { organisationId, userId } = actor
  const at = now()
  const invitation = await findInvitation(db, organisationId, id)
  if (!invitation || !(await revokeInvitation(db, organisationId, id, at))) throw new ProblemError('not_found')
  const detail = { email: maskEmail(invitation.email) }
  await recordAuditEvent(db, { kind: 'invitation_revoked', at, userId, organisationId, ...origin, detail })
}

export const formatSeatLimitReachedText = (seatLimit: number) =>
  `แพ็กเกจนี้มีสมาชิกได้ไม่เกิน ${seatLimit} คน นับคำเชิญที่รอตอบรับด้วย ปิดบัญชีที่ไม่ใช้หรือติดต่อทีมงานเพื่อเพิ่มจำนวน`

const atEmail = (text: string) => new ProblemError('bad_input', { text, fields: { email: [text] } })
