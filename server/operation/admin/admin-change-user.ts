import { roleLabel, type UserRole } from '#contract/account/user.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-owner.ts'
import { notifySuperUserChange } from '#server/account/member/notify-super-user-change.ts'
import { endAccessAndNotify } from '#server/account/standing-access/lose-access.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { roleChangedMail } from '#server/platform/mail/notice-mails.ts'
import { emailKeyOf, maskEmail } from '#server/platform/text/email.ts'
import { recordAdminEvent } from './admin-audit.ts'
import {
  type ChangedUser,
  findUserByKey,
  setMaxLabels,
  setUserDisabled,
  updateUserRole,
} from './admin-change-queries.ts'
import { type AdminAnswer, AdminRefusal, type AdminRequest } from './admin-requests.ts'
import type { AdminContext } from './admin-users.ts'
import { isOperator } from './queries.ts'

type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

const BY_OPERATOR = 'ผู้ดูแลระบบตามงาน'

/**
 * Changes a user with the same effects as if their super user did it: ends the same access, sends the same emails and
 * adds the same row to the customer's log, plus the operator's row in the audit trail (R61).
 */
export async function changeUser(
  context: AdminContext,
  request: Request<'set-user-disabled' | 'set-role' | 'set-max-labels'>,
): Promise<AdminAnswer> {
  const key = emailKeyOf(request.email)
  // An operator must not become a member of a customer, nor vice versa.
  if (request.do === 'set-role' && (await isOperator(context.db, key)))
    throw new AdminRefusal(
      `${request.email} is an operator and cannot get another role; use disable-user to close the account`,
    )
  return await context.db.transaction(async (db) => {
    const user = await findUserByKey(db, key)
    if (!user) throw new AdminRefusal(`no user has the e-mail ${request.email}`, 'unknown')
    const summary = await change({ ...context, db }, user, request)
    await recordAdminEvent(db, context.by, user, { did: request.do, done: summary })
    return { done: `${user.email}: ${summary}` }
  })
}

async function change(
  context: AdminContext,
  user: ChangedUser,
  request: Request<'set-user-disabled' | 'set-role' | 'set-max-labels'>,
): Promise<string> {
  const { db, mails } = context
  const key = emailKeyOf(user.email)
  const { userId, organisationId, email } = user
  const at = new Date()
  switch (request.do) {
    case 'set-max-labels':
      await setMaxLabels(db, key, request.most)
      return `at most ${request.most} labels`
    case 'set-user-disabled':
      await setUserDisabled(db, key, request.disabled)
      // Runs when an account is reopened too, because older versions closed accounts without ending their access.
      if (request.disabled !== user.isDisabled) {
        await endAccessAndNotify(db, mails, { userId, organisationId, email, occasion: 'closed', at })
        await recordChange(context, { ...user, isDisabled: request.disabled }, at)
      }
      return request.disabled ? 'disabled' : 'enabled'
    case 'set-role':
      await updateUserRole(db, key, request.role)
      if (request.role !== user.role) await changeRole(context, user, request.role, at)
      return `role ${request.role}`
  }
}

async function changeRole(context: AdminContext, user: ChangedUser, role: UserRole, at: Date): Promise<void> {
  const { db, mails } = context
  const { userId, organisationId, email, isDisabled } = user
  if (role !== 'super_user')
    await endAccessAndNotify(db, mails, { userId, organisationId, email, occasion: 'demoted', at })
  await recordChange(context, { ...user, role }, at)
  if (isDisabled) return
  if (role === 'super_user')
    await notifySuperUserChange(db, mails, { what: 'promoted', organisationId, email, by: BY_OPERATOR, at })
  await notifyAccountOwner(db, mails, {
    ...{ kind: 'role_changed', userId, organisationId, to: email, at },
    content: (notMeUrl) => roleChangedMail({ at, notMeUrl, role: roleLabel(role), by: BY_OPERATOR }),
  })
}

async function recordChange(
  { db, by: { address, requestId } }: { readonly db: Db } & Pick<AdminContext, 'by'>,
  { userId, organisationId, email, role, isDisabled }: ChangedUser,
  at: Date,
): Promise<void> {
  const detail = { email: maskEmail(email), role, is_disabled: isDisabled, by: BY_OPERATOR }
  await recordAuditEvent(db, { kind: 'member_changed', at, userId, organisationId, address, requestId, detail })
}
