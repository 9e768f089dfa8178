import { randomBytes } from 'node:crypto'
import { brokenPasswordRules, NEW_PASSWORD_RULES, type PasswordRule } from '#contract/account/new-password.ts'
import { DEMO_ORGANISATION_CODE, OPERATION_CODE, OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { tellOwner } from '#server/account/account-notice/tell-owner.ts'
import { insertOrganisation, insertUser } from '#server/account/organisation/new-account.ts'
import { trialOrganisation } from '#server/account/organisation/new-organisation.ts'
import { setNewPassword } from '#server/account/password/new-password.ts'
import { lockUser, removeAllFactors } from '#server/account/second-factor/queries.ts'
import { endAccess } from '#server/account/standing-access/end-access.ts'
import type { RecentProjectsCache } from '#server/matching/recent-projects.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { emailChangedMail } from '#server/platform/mail/email-change-mails.ts'
import { secondFactorMail } from '#server/platform/mail/notice-mails.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { emailKeyOf, hiddenEmail } from '#server/platform/text/email.ts'
import { auditAdmin, type By } from './admin-audit.ts'
import { findUserByKey, setEmail as setEmailOf } from './admin-change-queries.ts'
import { type AdminAnswer, AdminRefusal, type AdminRequest, asRefusal } from './admin-requests.ts'
import { findOrganisationId } from './queries.ts'

/**
 * `by`: recorded in the audit row of each change. `restartable`: kinds of jobs that may be restarted; defaults to none.
 * `recentProjects`: cache of the server; without it, projects are read per request.
 */
export type AdminContext = {
  readonly db: Db
  readonly mails: OutgoingMail
  readonly by: By
  readonly restartable?: readonly string[]
  readonly recentProjects?: RecentProjectsCache
}
type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

export async function createUser(context: AdminContext, request: Request<'create-user'>): Promise<AdminAnswer> {
  const { organisation } = request
  if (organisation === DEMO_ORGANISATION_CODE) throw new AdminRefusal('the demo has no users of its own')
  if (organisation === OPERATION_CODE) throw new AdminRefusal('its users are operators: create-operator EMAIL …')
  const organisationId = await findOrganisationId(context.db, organisation)
  if (organisationId === undefined) throw new AdminRefusal(`there is no organisation ${organisation}`, 'unknown')
  return await addUser(context, organisationId, request)
}

/** Creates an operator (R61), and with the first one the organisation without data to which operators belong. */
export async function createOperator(context: AdminContext, request: Request<'create-operator'>): Promise<AdminAnswer> {
  const name = 'ผู้ดูแลระบบตามงาน'
  const trial = trialOrganisation({ code: OPERATION_CODE, name }, bangkokToday(new Date()))
  const row = {
    ...trial,
    package: '-',
    allow_access_budget_year: '',
    is_access_budget_year: false,
    is_company_compare: false,
    is_access_company_comparison: false,
    is_watchlist_completed: true,
  }
  const made = await insertOrganisation(context.db, row)
  const organisationId = made ?? (await findOrganisationId(context.db, OPERATION_CODE))!
  return await addUser(context, organisationId, { ...request, role: OPERATOR_ROLE })
}

type NewPerson = Pick<Request<'create-operator'>, 'email' | 'firstName' | 'lastName'> & {
  readonly do: string
  readonly role: string
}

async function addUser({ db, by }: AdminContext, organisationId: number, request: NewPerson): Promise<AdminAnswer> {
  const { email, firstName, lastName, role } = request
  assertAddress(email)
  const password = generatedPassword()
  const user = { organisationId, email, emailKey: emailKeyOf(email), firstName, lastName, role }
  const passwordHash = await hashPassword(password)
  const userId = await insertUser(db, { ...user, passwordHash }).catch(asRefusal(`the e-mail ${email}`))
  await auditAdmin(db, by, { organisationId, userId }, { did: request.do, role })
  return { createdUser: email, password }
}

/** A generated first password: 96 random bits. The prefix `Tn` and the suffix `7#` satisfy the password rules. */
const generatedPassword = () => `Tn${randomBytes(12).toString('base64url')}7#`

/**
 * The rules for new passwords in the operator's language; operators cannot set a password that the user could not
 * choose.
 */
const RULES: Readonly<Record<PasswordRule['code'], string>> = {
  length: '8 to 50 characters',
  upper: 'a capital letter A-Z',
  lower: 'a small letter a-z',
  digit: 'a digit',
  special: 'a special character such as - _ . @ #',
}

export async function setPassword(
  { db, mails, by }: AdminContext,
  request: Request<'set-password'>,
): Promise<AdminAnswer> {
  const missing = brokenPasswordRules(request.password, NEW_PASSWORD_RULES).map(({ code }) => RULES[code])
  if (missing.length > 0) throw new AdminRefusal(`the password needs ${missing.join(', ')}`)
  const emailKey = emailKeyOf(request.email)
  const user = await findUserByKey(db, emailKey)
  if (!user) throw new AdminRefusal(`nobody has the e-mail ${request.email}`, 'unknown')
  const passwordHash = await hashPassword(request.password)
  const change = { userId: user.userId, passwordHash, at: new Date(), address: by.address, requestId: by.requestId }
  await db.transaction((tx) => setNewPassword(tx, mails, { ...change, kind: 'password_set_by_admin' }))
  return { done: `The password of ${emailKey} is set; all sessions of the user have ended.` }
}

/**
 * Removes a lost second factor completely, so the password alone opens the account. Ends all sessions, mails the owner
 * and writes an audit row (R68).
 */
export async function removeSecondFactor(
  { db, mails, by }: AdminContext,
  request: Request<'remove-second-factor'>,
): Promise<AdminAnswer> {
  const emailKey = emailKeyOf(request.email)
  const user = await findUserByKey(db, emailKey)
  if (!user) throw new AdminRefusal(`nobody has the e-mail ${request.email}`, 'unknown')
  const { userId, organisationId } = user
  const at = new Date()
  const removed = await db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const factors = await removeAllFactors(tx, userId)
    if (factors === 0) return 0
    await endAccess(tx, userId, { occasion: 'factor_removed', at })
    await auditAdmin(tx, by, { organisationId, userId }, { did: request.do, factors })
    const what = 'ผู้ดูแลระบบเอาการยืนยันสองขั้นออกทั้งหมด'
    await tellOwner(tx, mails, {
      ...{ kind: 'second_factor_changed', userId, organisationId, to: user.email, at },
      content: (notMeUrl) => secondFactorMail({ at, notMeUrl, what }),
    })
    return factors
  })
  if (removed === 0) throw new AdminRefusal(`${emailKey} has no second factor`)
  return { done: `${emailKey}: the second factor is removed; all sessions of the user have ended.` }
}

function assertAddress(email: string): void {
  if (!/^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(email)) throw new AdminRefusal(`${email} is no e-mail address`)
}

/**
 * Changes the address of a user who lost the old mailbox (decision 0125 leaves that to the operator). Mails both
 * addresses and ends all sessions.
 */
export async function setEmail({ db, mails, by }: AdminContext, request: Request<'set-email'>): Promise<AdminAnswer> {
  const { to } = request
  assertAddress(to)
  const [before, emailKey] = [emailKeyOf(request.email), emailKeyOf(to)]
  const user = await findUserByKey(db, before)
  if (!user) throw new AdminRefusal(`nobody has the e-mail ${request.email}`, 'unknown')
  if (before === emailKey) throw new AdminRefusal(`${emailKey} is the address already`)
  const { userId, organisationId, email: old } = user
  const at = new Date()
  await db
    .transaction(async (tx) => {
      await lockUser(tx, userId)
      await setEmailOf(tx, userId, to, emailKey)
      await endAccess(tx, userId, { occasion: 'address', at })
      const detail = { did: request.do, before: hiddenEmail(old), after: hiddenEmail(to) }
      await auditAdmin(tx, by, { organisationId, userId }, detail)
      // Without the "this was not me" link: it would return the address to the new owner of the lost mailbox.
      const notice = { kind: 'email_changed', organisationId, userId }
      const content = emailChangedMail({ at, newEmail: to })
      for (const address of [old, to]) await mails.queue(tx, { ...notice, to: address, content }, at)
    })
    .catch((error: unknown) => {
      if (error instanceof StatementError && error.code === '23505')
        throw new AdminRefusal(`somebody has the e-mail ${to} already`)
      throw error
    })
  return { done: `${before} is now ${emailKey}; both addresses are told; all sessions of the user have ended.` }
}
