import type { Db } from '#server/db/db.ts'
import { hashPassword } from '#server/route/password-hash.ts'
import { emailKeyOf } from '#server/text/email-key.ts'
import { listOrganisations, listUsers, type OrganisationLine, replacePassword, type UserLine } from './queries.ts'

export type AdminRequest =
  | { readonly do: 'organisations' }
  | { readonly do: 'users'; readonly organisation?: string | undefined }
  | { readonly do: 'set-password'; readonly email: string; readonly password: string }

export type AdminAnswer =
  | { readonly organisations: readonly OrganisationLine[] }
  | { readonly users: readonly UserLine[] }
  | { readonly passwordOf: string }

/** The request cannot be done; the message says why. */
export class AdminRefusal extends Error {
  override readonly name = 'AdminRefusal'
}

// The rule of registration (specification, section 5), so that nobody gets a password they could not have chosen.
const PASSWORD_RULES: readonly (readonly [RegExp, string])[] = [
  [/^.{8,50}$/su, '8 to 50 characters'],
  [/[A-Z]/, 'a capital letter A-Z'],
  [/[a-z]/, 'a small letter a-z'],
  [/[0-9]/, 'a digit'],
  [/[@$!%*?&#]/, 'one of @ $ ! % * ? & #'],
]

/** What the operator may do from the command line. Rejects with `AdminRefusal` when it cannot be done. */
export async function runAdmin(db: Db, request: AdminRequest): Promise<AdminAnswer> {
  switch (request.do) {
    case 'organisations':
      return { organisations: await listOrganisations(db) }
    case 'users':
      return { users: await listUsers(db, request.organisation) }
    case 'set-password':
      return await setPassword(db, request.email, request.password)
  }
}

async function setPassword(db: Db, email: string, password: string): Promise<AdminAnswer> {
  const missing = PASSWORD_RULES.filter(([rule]) => !rule.test(password)).map(([, what]) => what)
  if (missing.length > 0) throw new AdminRefusal(`the password needs ${missing.join(', ')}`)
  const emailKey = emailKeyOf(email)
  if (!(await replacePassword(db, emailKey, await hashPassword(password))))
    throw new AdminRefusal(`nobody has the e-mail ${email}`)
  return { passwordOf: emailKey }
}
