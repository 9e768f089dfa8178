import type { MemberPatch, Team } from '#contract/account/member.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { findTeamSecondFactors } from '#server/account/second-factor/queries.ts'
import { endStandingAccessAndNotify } from '#server/account/standing-access/end-standing-access-and-notify.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderRoleChangedMail } from '#server/platform/mail/notice-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { maskEmail } from '#server/platform/text/email.ts'
import { listJoinRequests } from './join-request-queries.ts'
import { formatSeatLimitReachedText } from './member-invitations.ts'
import { notifySuperUsersOfNewSuperUser } from './notify-super-user-change.ts'
import {
  countSeats,
  countSuperUsers,
  findInviter,
  findMember,
  listInvitations,
  listMembers,
  lockSeats,
  updateMember,
} from './queries.ts'

export async function loadTeam({ db, now }: RouteContext, { organisationId, userId }: Actor): Promise<Team> {
  const at = now()
  const members = await listMembers(db, organisationId)
  const invitations = await listInvitations(db, organisationId)
  const requests = await listJoinRequests(db, organisationId, at)
  const { most: seatLimit } = await countSeats(db, organisationId, at)
  const factors = await runWithoutTenant(() => findTeamSecondFactors(db, organisationId))
  return {
    members: members.map((member) => ({
      ...member,
      is_me: member.id === userId,
      has_second_factor: factors.users.includes(member.id),
    })),
    invitations: invitations.map((invitation) => ({ ...invitation, is_over: new Date(invitation.expires_at) <= at })),
    requests,
    most: seatLimit,
    requires_second_factor: factors.isRequired,
  }
}

/**
 * Board operations for the open pursuits of a leaving member. Call `lock` before any other lock, as in every pursuit
 * update.
 */
export type OpenPursuitOperations = {
  lock(tx: Db, organisationId: number): Promise<unknown>
  handOver(
    tx: Db,
    change: { organisationId: number; from: number; to: number | null; by: number; at: Date },
  ): Promise<unknown>
}
export type MemberContext = RouteContext & { readonly openPursuits: OpenPursuitOperations }

/**
 * Changes a member's role, or closes or reopens the account. Closing ends sessions and all other standing access at
 * once (R8) and hands over open pursuits; demotion ends access reserved to super users.
 * @throws ProblemError `not_found` for a non-member; 400 when no super user or seat would be left, or the successor is
 * not an open member.
 */
export async function changeMember(
  { db, now, mails, openPursuits }: MemberContext,
  actor: Actor,
  id: number,
  change: MemberPatch,
  origin: RequestOrigin,
): Promise<void> {
  const { organisationId, userId, sessionId } = actor
  const at = now()
  await runWithoutTenant(() =>
    db.transaction(async (tx) => {
      await openPursuits.lock(tx, organisationId)
      await lockSeats(tx, organisationId)
      const seats = await countSeats(tx, organisationId, at)
      const member = await findMember(tx, organisationId, id)
      if (!member) throw new ProblemError('not_found')
      const role = change.role ?? member.role
      const isDisabled = change.is_disabled ?? member.is_disabled
      if (role === member.role && isDisabled === member.is_disabled) return
      if (member.is_disabled && !isDisabled && seats.members + seats.invited >= seats.most)
        throw refused(formatSeatLimitReachedText(seats.most))
      await updateMember(tx, organisationId, id, { role, isDisabled })
      if ((await countSuperUsers(tx, organisationId)) === 0) throw refused(LAST_SUPER_USER)
      const isDemoted = member.role === 'super_user' && role !== 'super_user'
      // Reopening also ends access, because an older version closed accounts without doing so.
      if (isDisabled !== member.is_disabled || isDemoted) {
        const occasion = isDisabled !== member.is_disabled ? 'closed' : 'demoted'
        await endStandingAccessAndNotify(tx, mails, { userId: id, organisationId, email: member.email, occasion, at })
      }
      if (isDisabled) {
        const to = change.hand_over_to ?? null
        const heir = to === null ? undefined : await findMember(tx, organisationId, to)
        if (to !== null && (!heir || heir.is_disabled || to === id)) throw refused('ไม่มีคนนี้ในทีม')
        await openPursuits.handOver(tx, { organisationId, from: id, to, by: userId, at })
      }
      const detail = { email: maskEmail(member.email), role, is_disabled: isDisabled }
      await recordAuditEvent(tx, { kind: 'member_changed', at, userId, organisationId, ...origin, detail })
      if (role === member.role || isDisabled) return
      if (role === 'super_user')
        await notifySuperUsersOfNewSuperUser(tx, mails, {
          what: 'promoted',
          organisationId,
          email: member.email,
          userId,
          sessionId,
          at,
        })
      const { name: by } = await findInviter(tx, userId)
      await notifyAccountOwner(tx, mails, {
        ...{ kind: 'role_changed', userId: id, organisationId, to: member.email, at },
        content: (notMeUrl) => renderRoleChangedMail({ at, notMeUrl, role: getRoleLabel(role), by }),
      })
    }),
  )
}

export async function closeOwnAccount(context: MemberContext, actor: Actor, origin: RequestOrigin): Promise<void> {
  await changeMember(context, actor, actor.userId, { is_disabled: true }, origin)
}

const LAST_SUPER_USER = 'องค์กรต้องมีผู้ดูแลอย่างน้อยหนึ่งคน ให้สิทธิ์ผู้ดูแลกับคนอื่นก่อน'
const refused = (text: string) => new ProblemError('bad_input', { text })
