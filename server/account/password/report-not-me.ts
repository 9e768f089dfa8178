import sql from 'sql-template-tag'
import { PASSWORD_RESET_LINK_LIFETIME_SECONDS } from '#contract/account/password.ts'
import type { IntrusionReportResult } from '#contract/account/second-factor.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import {
  consumeIntrusionReportLink,
  findIntrusionReportLink,
  type IntrusionReportLink,
} from '#server/account/account-notice/notify-account-owner.ts'
import { notifySuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { closeInvitedAccounts, type InvitedAccount } from '#server/account/standing-access/close-invited-accounts.ts'
import {
  endStandingAccess,
  formatStandingAccessCounts,
  pickOrganisationStandingAccessCounts,
  type StandingAccessCounts,
} from '#server/account/standing-access/end-standing-access.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderIntruderCreatedAccountsMail } from '#server/platform/mail/access-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import { insertPasswordReset } from './queries.ts'

/**
 * Stored in place of a password hash. It is not a valid hash, so password login is impossible until the owner sets a
 * new password.
 */
const NO_PASSWORD = 'none'

export async function getIntrusionReportLinkEmail(
  { db, now }: RouteContext,
  token: string,
): Promise<{ email: string }> {
  return { email: maskEmail(requireUsable(await findIntrusionReportLink(db, token, now())).email) }
}

/**
 * Handles the owner's report of an intruder. Ends every session, invalidates the password, and revokes access added
 * since the intruder's session began (kinds with `not_me` in `STANDING_ACCESS_KINDS`), including a changed e-mail address.
 * Closes accounts created by invitations of that time and reports them to the super users. Returns a link for a new
 * password.
 * @throws ProblemError for an invalid link; each link works once.
 */
export async function handleIntrusionReport(
  { db, now, mails }: RouteContext,
  token: string,
  origin: { readonly address: string; readonly requestId: string },
): Promise<IntrusionReportResult> {
  const at = now()
  const link = requireUsable(await findIntrusionReportLink(db, token, at))
  const { userId, organisationId, since } = link
  const reset = generateSecretToken()
  return db.transaction(async (tx) => {
    if (!(await consumeIntrusionReportLink(tx, token, at))) throw linkProblem('reset_link_used')
    await tx.execute(sql`update users set password_hash = ${NO_PASSWORD} where id = ${userId}::int`)
    const accounts = await closeInvitedAccounts(tx, userId, { since, at })
    const ended = await endStandingAccess(tx, userId, { occasion: 'not_me', at, since })
    const address = await restoreAddress(tx, userId, since)
    const expiresAt = new Date(at.getTime() + PASSWORD_RESET_LINK_LIFETIME_SECONDS * 1000)
    await insertPasswordReset(tx, { tokenHash: hashSecret(reset), userId, at, expiresAt })
    const detail = { ended, address, accounts: accounts.map(({ id }) => id) }
    await recordAuditEvent(tx, { kind: 'not_me', at, userId, organisationId, ...origin, detail })
    await notifyTeam(tx, mails, { link, at, ended, accounts })
    return {
      reset_token: reset,
      ended: formatStandingAccessCounts(ended, { all: true }),
      closed_accounts: accounts.map(({ name, email, role }) => ({ name, email, role })),
    }
  })
}

type IntruderReport = {
  readonly link: IntrusionReportLink
  readonly at: Date
  readonly ended: StandingAccessCounts
  readonly accounts: readonly InvitedAccount[]
}

async function notifyTeam(
  tx: Db,
  mails: OutgoingMailQueue,
  { link, at, ended, accounts }: IntruderReport,
): Promise<void> {
  const { organisationId, email } = link
  const revoked = formatStandingAccessCounts(pickOrganisationStandingAccessCounts(ended))
  if (revoked.length === 0 && accounts.length === 0) return
  const people = accounts.map(({ name, email: of, role }) => [`${name ?? of} (${of})`, getRoleLabel(role)] as const)
  const content = renderIntruderCreatedAccountsMail({
    at,
    email,
    ended: revoked,
    accounts: people,
    url: mails.link('/settings?tab=team'),
  })
  await notifySuperUsers(tx, mails, {
    kind: 'super_user_change',
    userId: undefined,
    organisationId,
    at,
    content: () => content,
  })
}

async function restoreAddress(tx: Db, userId: number, since: string): Promise<boolean> {
  const [before] = await tx.query<{ email: string }>(sql`
    select old_email as email from email_changes where user_id = ${userId}::int and done_at >= ${since}::timestamptz order by done_at limit 1`)
  if (!before) return false
  const key = toEmailKey(before.email)
  const updatedCount = await tx.execute(sql`
    update users set email = ${before.email}, email_key = ${key}
    where id = ${userId}::int and not exists (select from users o where o.email_key = ${key} and o.id <> ${userId}::int)`)
  return updatedCount === 1
}

function requireUsable(link: IntrusionReportLink | undefined): IntrusionReportLink {
  if (!link) throw linkProblem('reset_link_unknown')
  if (link.isUsed) throw linkProblem('reset_link_used')
  if (link.isOver) throw linkProblem('reset_link_expired')
  return link
}

const TEXTS = {
  reset_link_unknown: 'ลิงก์นี้ไม่ถูกต้อง ตรวจสอบว่าคัดลอกมาครบ ถ้าสงสัยว่าบัญชีถูกใช้โดยคนอื่น ตั้งรหัสผ่านใหม่ได้เลย',
  reset_link_used: 'ลิงก์นี้ใช้ไปแล้ว ทุกอุปกรณ์ออกจากระบบแล้ว ตั้งรหัสผ่านใหม่ได้เลย',
  reset_link_expired: 'ลิงก์นี้หมดอายุแล้ว ถ้าสงสัยว่าบัญชีถูกใช้โดยคนอื่น ตั้งรหัสผ่านใหม่ได้เลย',
} as const
const linkProblem = (code: keyof typeof TEXTS) => new ProblemError(code, { text: TEXTS[code] })
