import { randomBytes } from 'node:crypto'
import { findUnmetPasswordRules, NEW_PASSWORD_RULES, type PasswordRule } from '#contract/account/new-password.ts'
import { DEMO_ORGANISATION_CODE, OPERATOR_ORGANISATION_CODE, OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { buildTrialOrganisation } from '#server/account/organisation/build-trial-organisation.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import { setNewPassword } from '#server/account/password/set-new-password.ts'
import { lockUser, removeAllSecondFactors } from '#server/account/second-factor/queries.ts'
import { endStandingAccess } from '#server/account/standing-access/end-standing-access.ts'
import type { RecentProjectsCache } from '#server/matching/recent-projects.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { renderEmailChangedMail } from '#server/platform/mail/email-change-mails.ts'
import { renderSecondFactorChangedMail } from '#server/platform/mail/notice-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import { findUserByEmailKey, updateUserEmail as setEmailOf } from './admin-change-queries.ts'
import {
  type AdminRequest,
  AdminRequestRejectedError,
  type AdminResponse,
  createAlreadyTakenErrorHandler,
} from './admin-requests.ts'
import { findOrganisationId } from './queries.ts'
import { type AdminActor, recordAdminEvent } from './record-admin-event.ts'

/**
 * `restartable`: kinds of jobs that may be restarted; none by default. `recentProjects`: the server's cache; without
 * it, each request reads the projects from the database.
 */
export type AdminContext = {
  readonly db: Db
  readonly mails: OutgoingMailQueue
  readonly by: AdminActor
  readonly restartable?: readonly string[]
  readonly recentProjects?: RecentProjectsCache
}
type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

export async function createUser(context: AdminContext, request: Request<'create-user'>): Promise<AdminResponse> {
  const { organisation } = request
  if (organisation === DEMO_ORGANISATION_CODE)
    throw new AdminRequestRejectedError('the demo organisation has no users of its own')
  if (organisation === OPERATOR_ORGANISATION_CODE)
    throw new AdminRequestRejectedError('users of this organisation are operators: create-operator EMAIL …')
  const organisationId = await findOrganisationId(context.db, organisation)
  if (organisationId === undefined)
    throw new AdminRequestRejectedError(`there is no organisation ${organisation}`, 'unknown')
  return await addUser(context, organisationId, request)
}

/**
 * Creates an operator (R61). With the first one, also creates the organisation that operators belong to, which has no
 * data.
 */
export async function createOperator(
  context: AdminContext,
  request: Request<'create-operator'>,
): Promise<AdminResponse> {
  const name = 'ผู้ดูแลระบบตามงาน'
  const trial = buildTrialOrganisation({ code: OPERATOR_ORGANISATION_CODE, name }, getBangkokToday(new Date()))
  const row = {
    ...trial,
    package: '-',
    allow_access_budget_year: '',
    is_access_budget_year: false,
    is_company_compare: false,
    is_access_company_comparison: false,
    is_watchlist_completed: true,
  }
  const insertedId = await insertOrganisation(context.db, row)
  const organisationId = insertedId ?? (await findOrganisationId(context.db, OPERATOR_ORGANISATION_CODE))!
  return await addUser(context, organisationId, { ...request, role: OPERATOR_ROLE })
}

type NewPerson = Pick<Request<'create-operator'>, 'email' | 'firstName' | 'lastName'> & {
  readonly do: string
  readonly role: string
}

async function addUser({ db, by }: AdminContext, organisationId: number, request: NewPerson): Promise<AdminResponse> {
  const { email, firstName, lastName, role } = request
  assertAddress(email)
  const password = generatedPassword()
  const user = { organisationId, email, emailKey: toEmailKey(email), firstName, lastName, role }
  const passwordHash = await hashPassword(password)
  const userId = await insertUser(db, { ...user, passwordHash }).catch(
    createAlreadyTakenErrorHandler(`the e-mail ${email}`),
  )
  await recordAdminEvent(db, by, { organisationId, userId }, { did: request.do, role })
  return { createdUser: email, password }
}

/** Generates a password from 96 random bits; the prefix `Tn` and the suffix `7#` satisfy the password rules. */
const generatedPassword = () => `Tn${randomBytes(12).toString('base64url')}7#`

/**
 * English versions of the rules for new passwords. An operator cannot set a password that the user could not choose.
 */
const RULES: Readonly<Record<PasswordRule['code'], string>> = {
  length: '8 to 50 characters',
  upper: 'a capital letter A-Z',
  lower: 'a small letter a-z',
  digit: 'a digit',
  special: 'a special character such as - _ . @ #',
}

export async function setPasswordAsOperator(
  { db, mails, by }: AdminContext,
  request: Request<'set-password'>,
): Promise<AdminResponse> {
  const unmetRules = findUnmetPasswordRules(request.password, NEW_PASSWORD_RULES).map(({ code }) => RULES[code])
  if (unmetRules.length > 0) throw new AdminRequestRejectedError(`the password needs ${unmetRules.join(', ')}`)
  const emailKey = toEmailKey(request.email)
  const user = await findUserByEmailKey(db, emailKey)
  if (!user) throw new AdminRequestRejectedError(`no user has the e-mail ${request.email}`, 'unknown')
  const passwordHash = await hashPassword(request.password)
  const change = { userId: user.userId, passwordHash, at: new Date(), address: by.address, requestId: by.requestId }
  await db.transaction((tx) => setNewPassword(tx, mails, { ...change, kind: 'password_set_by_admin' }))
  return { done: `The password of ${emailKey} was changed; all sessions of the user have ended.` }
}

/**
 * Removes a second factor that its owner has lost, so the password alone opens the account. Ends all sessions, emails
 * the owner and writes an audit row (R68).
 */
export async function removeSecondFactorAsOperator(
  { db, mails, by }: AdminContext,
  request: Request<'remove-second-factor'>,
): Promise<AdminResponse> {
  const emailKey = toEmailKey(request.email)
  const user = await findUserByEmailKey(db, emailKey)
  if (!user) throw new AdminRequestRejectedError(`no user has the e-mail ${request.email}`, 'unknown')
  const { userId, organisationId } = user
  const at = new Date()
  const removed = await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const factors = await removeAllSecondFactors(tx, userId)
    if (factors === 0) return 0
    await endStandingAccess(tx, userId, { occasion: 'factor_removed', at })
    await recordAdminEvent(tx, by, { organisationId, userId }, { did: request.do, factors })
    const what = 'ผู้ดูแลระบบเอาการยืนยันสองขั้นออกทั้งหมด'
    await notifyAccountOwner(tx, mails, {
      ...{ kind: 'second_factor_changed', userId, organisationId, to: user.email, at },
      content: (notMeUrl) => renderSecondFactorChangedMail({ at, notMeUrl, what }),
    })
    return factors
  })
  if (removed === 0) throw new AdminRequestRejectedError(`${emailKey} has no second factor`)
  return { done: `${emailKey}: the second factor was removed; all sessions of the user have ended.` }
}

function assertAddress(email: string): void {
  if (!/^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(email))
    throw new AdminRequestRejectedError(`${email} is not an e-mail address`)
}

/**
 * Changes the email address of a user who lost access to the old mailbox (decision 0125 leaves this to the operator).
 * Emails both addresses and ends all sessions.
 */
export async function setEmailAsOperator(
  { db, mails, by }: AdminContext,
  request: Request<'set-email'>,
): Promise<AdminResponse> {
  const { to } = request
  assertAddress(to)
  const [oldKey, emailKey] = [toEmailKey(request.email), toEmailKey(to)]
  const user = await findUserByEmailKey(db, oldKey)
  if (!user) throw new AdminRequestRejectedError(`no user has the e-mail ${request.email}`, 'unknown')
  if (oldKey === emailKey) throw new AdminRequestRejectedError(`${emailKey} is already the address`)
  const { userId, organisationId, email: oldEmail } = user
  const at = new Date()
  await db
    .transaction(async (tx) => {
      await lockUser(tx, userId)
      await setEmailOf(tx, userId, to, emailKey)
      await endStandingAccess(tx, userId, { occasion: 'address', at })
      const detail = { did: request.do, before: maskEmail(oldEmail), after: maskEmail(to) }
      await recordAdminEvent(tx, by, { organisationId, userId }, detail)
      // Omit the "this was not me" link: an attacker in control of the lost mailbox could use it to restore the old address.
      const notice = { kind: 'email_changed', organisationId, userId }
      const content = renderEmailChangedMail({ at, newEmail: to })
      for (const address of [oldEmail, to]) await mails.queue(tx, { ...notice, to: address, content }, at)
    })
    .catch((error: unknown) => {
      if (error instanceof StatementError && error.code === '23505')
        throw new AdminRequestRejectedError(`another user already has the e-mail ${to}`)
      throw error
    })
  return { done: `${oldKey} is now ${emailKey}; both addresses are notified; all sessions of the user have ended.` }
}
