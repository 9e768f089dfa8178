import sql from 'sql-template-tag'
import { RESET_LIFE_SECONDS } from '#contract/account/password.ts'
import type { NotMeDone } from '#contract/account/second-factor.ts'
import { roleLabel } from '#contract/account/user.ts'
import { type FoundNotMe, findNotMe, spendNotMe } from '#server/account/account-notice/tell-owner.ts'
import { tellSuperUsers } from '#server/account/account-notice/tell-super-users.ts'
import {
  type AccessCounts,
  accessTexts,
  endAccess,
  organisationsAccess,
} from '#server/account/standing-access/end-access.ts'
import { closeInvitedAccounts, type InvitedAccount } from '#server/account/standing-access/invited-accounts.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { intruderMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { newSecretToken, secretHash } from '#server/platform/route/secret-token.ts'
import { emailKeyOf, hiddenEmail } from '#server/platform/text/email.ts'
import { insertReset } from './queries.ts'

/** No password matches this hash, so login is impossible until the owner sets a new one. */
const NO_PASSWORD = 'none'

/**
 * Returns the masked address of the link's account.
 * @throws ProblemError explaining why the link does not work.
 */
export async function lookAtNotMe({ db, now }: RouteContext, token: string): Promise<{ email: string }> {
  return { email: hiddenEmail(usable(await findNotMe(db, token, now())).email) }
}

/**
 * Handles the owner's report of an intruder. Ends every session, invalidates the password, and revokes access added
 * since the intruder's session began (`not_me` of the registry), including a changed e-mail address. Closes accounts
 * created by invitations of that time and reports them to the super users. Returns a link for a new password.
 * @throws ProblemError for an invalid link; each link works once.
 */
export async function reportNotMe(
  { db, now, mails }: RouteContext,
  token: string,
  origin: { readonly address: string; readonly requestId: string },
): Promise<NotMeDone> {
  const at = now()
  const found = usable(await findNotMe(db, token, at))
  const { userId, organisationId, since } = found
  const reset = newSecretToken()
  return db.transaction(async (tx) => {
    if (!(await spendNotMe(tx, token, at))) throw linkProblem('reset_link_used')
    await tx.execute(sql`update users set password_hash = ${NO_PASSWORD} where id = ${userId}::int`)
    const accounts = await closeInvitedAccounts(tx, userId, { since, at })
    const ended = await endAccess(tx, userId, { occasion: 'not_me', at, since })
    const address = await takeAddressBack(tx, userId, since)
    const expiresAt = new Date(at.getTime() + RESET_LIFE_SECONDS * 1000)
    await insertReset(tx, { tokenHash: secretHash(reset), userId, at, expiresAt })
    const detail = { ended, address, accounts: accounts.map(({ id }) => id) }
    await recordAuditEvent(tx, { kind: 'not_me', at, userId, organisationId, ...origin, detail })
    await tellTeam(tx, mails, { found, at, ended, accounts })
    return {
      reset_token: reset,
      ended: accessTexts(ended, { all: true }),
      closed_accounts: accounts.map(({ name, email, role }) => ({ name, email, role })),
    }
  })
}

type Reported = {
  readonly found: FoundNotMe
  readonly at: Date
  readonly ended: AccessCounts
  readonly accounts: readonly InvitedAccount[]
}

/**
 * Notifies super users when the intruder could reach the organisation's data, listing the accounts that the intruder
 * invited.
 */
async function tellTeam(tx: Db, mails: OutgoingMail, { found, at, ended, accounts }: Reported): Promise<void> {
  const { organisationId, email } = found
  const lost = accessTexts(organisationsAccess(ended))
  if (lost.length === 0 && accounts.length === 0) return
  const people = accounts.map(({ name, email: of, role }) => [`${name ?? of} (${of})`, roleLabel(role)] as const)
  const content = intruderMail({ at, email, ended: lost, accounts: people, url: mails.link('/settings?tab=team') })
  await tellSuperUsers(tx, mails, {
    kind: 'super_user_change',
    userId: undefined,
    organisationId,
    at,
    content: () => content,
  })
}

/** Restores the e-mail address from before the first change since then. Returns false when there was no change. */
async function takeAddressBack(tx: Db, userId: number, since: string): Promise<boolean> {
  const [before] = await tx.query<{ email: string }>(sql`
    select old_email as email from email_changes where user_id = ${userId}::int and done_at >= ${since}::timestamptz order by done_at limit 1`)
  if (!before) return false
  const key = emailKeyOf(before.email)
  const taken = await tx.execute(sql`
    update users set email = ${before.email}, email_key = ${key}
    where id = ${userId}::int and not exists (select from users o where o.email_key = ${key} and o.id <> ${userId}::int)`)
  return taken === 1
}

function usable(found: FoundNotMe | undefined): FoundNotMe {
  if (!found) throw linkProblem('reset_link_unknown')
  if (found.isUsed) throw linkProblem('reset_link_used')
  if (found.isOver) throw linkProblem('reset_link_expired')
  return found
}

const TEXTS = {
  reset_link_unknown: 'ลิงก์นี้ไม่ถูกต้อง ตรวจสอบว่าคัดลอกมาครบ ถ้าสงสัยว่าบัญชีถูกใช้โดยคนอื่น ตั้งรหัสผ่านใหม่ได้เลย',
  reset_link_used: 'ลิงก์นี้ใช้ไปแล้ว ทุกอุปกรณ์ออกจากระบบแล้ว ตั้งรหัสผ่านใหม่ได้เลย',
  reset_link_expired: 'ลิงก์นี้หมดอายุแล้ว ถ้าสงสัยว่าบัญชีถูกใช้โดยคนอื่น ตั้งรหัสผ่านใหม่ได้เลย',
} as const
const linkProblem = (code: keyof typeof TEXTS) => new ProblemError(code, { text: TEXTS[code] })
