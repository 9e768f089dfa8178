import { getRoleLabel, type UserRole } from '#contract/account/user.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { notifySuperUsersOfNewSuperUser } from '#server/account/member/notify-super-user-change.ts'
import { endStandingAccessAndNotify } from '#server/account/standing-access/end-standing-access-and-notify.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderRoleChangedMail } from '#server/platform/mail/notice-mails.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import {
  type AdminUserAccount,
  findUserByEmailKey,
  setUserDisabled,
  setUserMaxLabels,
  updateUserRole,
} from './admin-change-queries.ts'
import { type AdminRequest, AdminRequestRejectedError, type AdminResponse } from './admin-requests.ts'
import type { AdminContext } from './admin-users.ts'
import { isOperator } from './queries.ts'
import { recordAdminEvent } from './record-admin-event.ts'

type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

const BY_OPERATOR = 'ผู้ดูแลระบบตามงาน'

/**
 * Changes a user with the same effects as if their super user did it: ends the same access, sends the same emails and
 * adds the same row to the customer's log, plus the operator's row in the audit trail (R61).
 */
export async function changeUserAsOperator(
  context: AdminContext,
  request: Request<'set-user-disabled' | 'set-role' | 'set-max-labels'>,
): Promise<AdminResponse> {
  const key = toEmailKey(request.email)
  // An operator must not become a member of a customer, nor vice versa.
  if (request.do === 'set-role' && (await isOperator(context.db, key)))
    throw new AdminRequestRejectedError(
      `${request.email} is an operator and cannot get another role; use disable-user to close the account`,
    )
  return await context.db.transaction(async (db) => {
    const user = await findUserByEmailKey(db, key)
    if (!user) throw new AdminRequestRejectedError(`no user has the e-mail ${request.email}`, 'unknown')
    const summary = await change({ ...context, db }, user, request)
    await recordAdminEvent(db, context.by, user, { did: request.do, done: summary })
    return { done: `${user.email}: ${summary}` }
  })
}

async function change(
  context: AdminContext,
  user: AdminUserAccount,
  request: Request<'set-user-disabled' | 'set-role' | 'set-max-labels'>,
): Promise<string> {
  const { db, mails } = context
  const key = toEmailKey(user.email)
  const { userId, organisationId, email } = user
  const at = new Date()
  switch (request.do) {
    case 'set-max-labels':
      await setUserMaxLabels(db, key, request.most)
      return `at most ${request.most} labels`
    case 'set-user-disabled':
      await setUserDisabled(db, key, request.disabled)
      // End the user's access when an account is reopened too, because older versions closed accounts without doing so.
      if (request.disabled !== user.isDisabled) {
        await endStandingAccessAndNotify(db, mails, { userId, organisationId, email, occasion: 'closed', at })
        await recordChange(context, { ...user, isDisabled: request.disabled }, at)
      }
      return request.disabled ? 'disabled' : 'enabled'
    case 'set-role':
      await updateUserRole(db, key, request.role)
      if (request.role !== user.role) await changeRole(context, user, request.role, at)
      return `role ${request.role}`
  }
}

async function changeRole(context: AdminContext, user: AdminUserAccount, role: UserRole, at: Date): Promise<void> {
  const { db, mails } = context
  const { userId, organisationId, email, isDisabled } = user
  if (role !== 'super_user')
    await endStandingAccessAndNotify(db, mails, { userId, organisationId, email, occasion: 'demoted', at })
  await recordChange(context, { ...user, role }, at)
  if (isDisabled) return
  if (role === 'super_user')
    await notifySuperUsersOfNewSuperUser(db, mails, { what: 'promoted', organisationId, email, by: BY_OPERATOR, at })
  await notifyAccountOwner(db, mails, {
    ...{ kind: 'role_changed', userId, organisationId, to: email, at },
    content: (notMeUrl) => renderRoleChangedMail({ at, notMeUrl, role: getRoleLabel(role), by: BY_OPERATOR }),
  })
}

async function recordChange(
  { db, by: { address, requestId } }: { readonly db: Db } & Pick<AdminContext, 'by'>,
  { userId, organisationId, email, role, isDisabled }: AdminUserAccount,
  at: Date,
): Promise<void> {
  const detail = { email: maskEmail(email), role, is_disabled: isDisabled, by: BY_OPERATOR }
  await recordAuditEvent(db, { kind: 'member_changed', at, userId, organisationId, address, requestId, detail })
}
