import { randomBytes } from 'node:crypto'
import { brokenPasswordRules, NEW_PASSWORD_RULES, type PasswordRule } from '#contract/account/new-password.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/account/organisation.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { type Db, StatementError } from '#server/engine/db.ts'
import { insertOrganisation, insertUser } from '#server/features/organisation/new-account.ts'
import { trialOrganisation } from '#server/features/organisation/new-organisation.ts'
import { setNewPassword } from '#server/features/password/new-password.ts'
import { endSessionsOfUser } from '#server/features/session/user-sessions.ts'
import type { OutgoingMail } from '#server/route/outgoing-mail.ts'
import { hashPassword } from '#server/route/password-hash.ts'
import { emailKeyOf } from '#server/text/email.ts'
import { auditAdmin, COMMAND_LINE } from './admin-audit.ts'
import { runKeywordAdmin } from './admin-keywords.ts'
import { type AdminAnswer, AdminRefusal, type AdminRequest } from './admin-requests.ts'
import {
  findOrganisationDetails,
  findOrganisationId,
  listOrganisations,
  listUnsentMails,
  listUsers,
} from './queries.ts'
import {
  type ChangedUser,
  findUserByKey,
  setBudgetYears,
  setDisabled,
  setFlag,
  setLimit,
  setMaxLabels,
  setPackage,
  setRole,
  setUserDisabled,
} from './queries-change.ts'

export type AdminContext = { readonly db: Db; readonly mails: OutgoingMail }
type Request<Do extends AdminRequest['do']> = Extract<AdminRequest, { do: Do }>

/** What the operator may do from the command line; each change leaves an audit row. Rejects with `AdminRefusal` when it cannot be done. */
export async function runAdmin(context: AdminContext, request: AdminRequest): Promise<AdminAnswer> {
  const { db } = context
  switch (request.do) {
    case 'organisations':
      return { organisations: await listOrganisations(db) }
    case 'users':
      return { users: await listUsers(db, request.organisation) }
    case 'mails':
      return { mails: await listUnsentMails(db) }
    case 'show':
      return await show(db, request.organisation)
    case 'create-organisation':
      return await createOrganisation(db, request)
    case 'create-user':
      return await createUser(db, request)
    case 'set-password':
      return await setPassword(context, request)
    case 'set-user-disabled':
    case 'set-role':
    case 'set-max-labels':
      return await changeUser(db, request)
    case 'blacklist':
    case 'change-blacklist':
    case 'waiting':
    case 'judge-keyword':
    case 'set-window':
    case 'rematch':
      return await runKeywordAdmin(db, request)
    default:
      return await changeOrganisation(db, request)
  }
}

async function show(db: Db, code: string): Promise<AdminAnswer> {
  const details = await findOrganisationDetails(db, code)
  if (!details) throw new AdminRefusal(`there is no organisation ${code}`)
  return { details, users: await listUsers(db, code) }
}

async function createOrganisation(db: Db, request: Request<'create-organisation'>): Promise<AdminAnswer> {
  const { code, name } = request
  if (!/^[a-z0-9][a-z0-9-]{1,39}$/.test(code)) throw new AdminRefusal('a code is 2 to 40 of a-z, 0-9 and -')
  // Whoever has this code may be entered by anyone (C6).
  if (code === DEMO_ORGANISATION_CODE) throw new AdminRefusal(`the code ${code} is reserved`)
  if (name.trim().length < 5 || name.length > 200) throw new AdminRefusal('a name has 5 to 200 characters')
  const row = trialOrganisation({ code, name: name.trim() }, bangkokToday(new Date()))
  const id = await insertOrganisation(db, { ...row, package: request.package ?? row.package }).catch(
    asRefusal('that name'),
  )
  if (id === undefined) throw new AdminRefusal(`there is an organisation ${code} already`)
  await auditAdmin(db, { organisationId: id }, { did: request.do, code })
  return {
    done: `Organisation ${code} is made, package ${request.package ?? row.package}. Its first user: create-user ${code} EMAIL …`,
  }
}

async function createUser(db: Db, request: Request<'create-user'>): Promise<AdminAnswer> {
  const { organisation, email, firstName, lastName, role } = request
  const organisationId = await findOrganisationId(db, organisation)
  if (organisationId === undefined) throw new AdminRefusal(`there is no organisation ${organisation}`)
  if (organisation === DEMO_ORGANISATION_CODE) throw new AdminRefusal('the demo has no users of its own')
  if (!/^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(email)) throw new AdminRefusal(`${email} is no e-mail address`)
  const password = generatedPassword()
  const user = { organisationId, email, emailKey: emailKeyOf(email), firstName, lastName, role }
  const passwordHash = await hashPassword(password)
  const userId = await insertUser(db, { ...user, passwordHash }).catch(asRefusal(`the e-mail ${email}`))
  await auditAdmin(db, { organisationId, userId }, { did: request.do, role })
  return { createdUser: email, password }
}

/** Fulfils every rule by its ends; 96 random bits between them. */
const generatedPassword = () => `Tn${randomBytes(12).toString('base64url')}7#`

async function changeOrganisation(
  db: Db,
  request: Request<'set-organisation-disabled' | 'set-package' | 'set-flag' | 'set-limit' | 'set-budget-years'>,
): Promise<AdminAnswer> {
  const { organisation: code } = request
  const { id, done } = await (async (): Promise<{ id: number | undefined; done: string }> => {
    switch (request.do) {
      case 'set-organisation-disabled':
        return { id: await setDisabled(db, code, request.disabled), done: request.disabled ? 'disabled' : 'enabled' }
      case 'set-package':
        return { id: await setPackage(db, code, request.package), done: `package ${request.package}` }
      case 'set-flag':
        return {
          id: await setFlag(db, code, request.flag, request.on),
          done: `${request.flag} ${request.on ? 'on' : 'off'}`,
        }
      case 'set-limit':
        return {
          id: await setLimit(db, code, request.limit, request.most),
          done: `at most ${request.most} words in ${request.limit}`,
        }
      case 'set-budget-years':
        return {
          id: await setBudgetYears(db, code, request.years),
          done: `budget years ${request.years.join(', ') || 'none'}`,
        }
    }
  })()
  if (id === undefined) throw new AdminRefusal(`there is no organisation ${code}`)
  await auditAdmin(db, { organisationId: id }, { did: request.do, done })
  return { done: `${code}: ${done}` }
}

async function changeUser(
  db: Db,
  request: Request<'set-user-disabled' | 'set-role' | 'set-max-labels'>,
): Promise<AdminAnswer> {
  const key = emailKeyOf(request.email)
  const [user, done] = await (async (): Promise<[ChangedUser | undefined, string]> => {
    switch (request.do) {
      case 'set-user-disabled':
        return [await setUserDisabled(db, key, request.disabled), request.disabled ? 'disabled' : 'enabled']
      case 'set-role':
        return [await setRole(db, key, request.role), `role ${request.role}`]
      case 'set-max-labels':
        return [await setMaxLabels(db, key, request.most), `at most ${request.most} labels`]
    }
  })()
  if (!user) throw new AdminRefusal(`nobody has the e-mail ${request.email}`)
  // Enabled again later, old sessions must not come back to life.
  if (request.do === 'set-user-disabled' && request.disabled) {
    await endSessionsOfUser(db, user.userId, { at: new Date() })
  }
  await auditAdmin(db, user, { did: request.do, done })
  return { done: `${user.email}: ${done}` }
}

/** The table of new passwords in the operator's language, so that nobody gets a password they could not have chosen. */
const RULES: Readonly<Record<PasswordRule['code'], string>> = {
  length: '8 to 50 characters',
  upper: 'a capital letter A-Z',
  lower: 'a small letter a-z',
  digit: 'a digit',
  special: 'a special character such as - _ . @ #',
}

async function setPassword({ db, mails }: AdminContext, request: Request<'set-password'>): Promise<AdminAnswer> {
  const missing = brokenPasswordRules(request.password, NEW_PASSWORD_RULES).map(({ code }) => RULES[code])
  if (missing.length > 0) throw new AdminRefusal(`the password needs ${missing.join(', ')}`)
  const emailKey = emailKeyOf(request.email)
  const user = await findUserByKey(db, emailKey)
  if (!user) throw new AdminRefusal(`nobody has the e-mail ${request.email}`)
  const passwordHash = await hashPassword(request.password)
  const change = { userId: user.userId, passwordHash, at: new Date(), ...COMMAND_LINE }
  await db.transaction((tx) => setNewPassword(tx, mails, { ...change, kind: 'password_set_by_admin' }))
  return { done: `The password of ${emailKey} is set; all sessions of the user have ended.` }
}

function asRefusal(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof StatementError && error.code === '23505') throw new AdminRefusal(`${what} is taken`)
    throw error
  }
}
