import { EMAIL_CHANGE_LIFETIME_HOURS, type EmailChangeLink } from '#contract/account/email-change.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { isEmailTaken } from '#server/account/registration/queries.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import {
  renderConfirmNewEmailMail,
  renderConfirmOldEmailMail,
  renderEmailChangedMail,
} from '#server/platform/mail/email-change-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import { maskEmail, toEmailKey } from '#server/platform/text/email.ts'
import {
  applyEmailChange,
  confirmEmailChangeAddress,
  findEmailChangeByToken,
  findUserEmailAndKey,
  insertEmailChange,
  lockPendingEmailChange,
  markEmailChangeCancelled,
  type StoredEmailChange,
} from './queries.ts'

const HOUR_MS = 3_600_000
const PER_USER: ActionRateLimit = { action: 'email-change', maxUses: 5, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }
const PER_ADDRESS: ActionRateLimit = {
  action: 'email-change-mail',
  maxUses: 3,
  windowSeconds: 24 * 60 * 60,
  gapSeconds: 0,
}

/**
 * Sends confirmation emails to both addresses. Never reveals whether the new address has an account: in that case no
 * email is sent there and the change never completes (R20). Call as table owner.
 * @throws ProblemError at `email` for the current address or after too many requests.
 */
export async function beginEmailChange(
  { db, now, mails }: RouteContext,
  { userId, organisationId }: Actor,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  const at = now()
  const emailKey = toEmailKey(email)
  const present = await findUserEmailAndKey(db, userId)
  if (!present) throw new ProblemError('session_invalid')
  if (present.emailKey === emailKey) throw atEmail('อีเมลนี้คืออีเมลที่ใช้อยู่')
  const wait =
    (await consumeActionRateLimit(db, PER_USER, String(userId), at)) ||
    (await consumeActionRateLimit(db, PER_ADDRESS, emailKey, at))
  if (wait > 0)
    throw new ProblemError('too_many_requests', {
      text: `ขอเปลี่ยนอีเมลบ่อยเกินไป ขอใหม่ได้ในอีก ${formatWaitTime(wait)}`,
      retryAfterSeconds: wait,
    })
  const [oldToken, newToken] = [generateSecretToken(), generateSecretToken()]
  const expiresAt = new Date(at.getTime() + EMAIL_CHANGE_LIFETIME_HOURS * HOUR_MS)
  await db.transaction(async (tx) => {
    await insertEmailChange(tx, {
      ...{ userId, oldEmail: present.email, newEmail: email, newEmailKey: emailKey, at, expiresAt },
      ...{ oldTokenHash: hashSecret(oldToken), newTokenHash: hashSecret(newToken) },
    })
    const mail = { kind: 'email_change', notAfter: expiresAt, organisationId, userId }
    const facts = { oldEmail: present.email, newEmail: email, hours: EMAIL_CHANGE_LIFETIME_HOURS, at }
    const old = renderConfirmOldEmailMail({ ...facts, url: mails.link(`/email-change/${oldToken}`) })
    await mails.queue(tx, { ...mail, to: present.email, content: old }, at)
    if (!(await isEmailTaken(tx, emailKey))) {
      const content = renderConfirmNewEmailMail({ ...facts, url: mails.link(`/email-change/${newToken}`) })
      await mails.queue(tx, { ...mail, to: email, content }, at)
    }
    const detail = { email: maskEmail(email) }
    const event = { kind: 'email_change_begun', at, userId, organisationId, ...origin, detail } as const
    await recordAuditEvent(tx, event)
  })
}

export async function getEmailChangeLink({ db, now }: RouteContext, token: string): Promise<EmailChangeLink> {
  const { side, oldEmail, newEmail, isConfirmed } = requireUsable(
    await findEmailChangeByToken(db, hashSecret(token), now()),
  )
  return { side, old_email: maskEmail(oldEmail), new_email: maskEmail(newEmail), is_confirmed: isConfirmed }
}

/**
 * Confirms the change for the old or the new address. After the second confirmation the account's address changes and
 * both addresses are notified with a way to revert. Returns true once the address has changed.
 * @throws ProblemError for an invalid link, or when another account has taken the address.
 */
export async function confirmEmailChangeByLink(
  { db, now, mails }: RouteContext,
  token: string,
  origin: RequestOrigin,
): Promise<{ is_done: boolean }> {
  const at = now()
  const change = requireUsable(await findEmailChangeByToken(db, hashSecret(token), at))
  const { id, side, userId, organisationId, oldEmail, newEmail } = change
  const confirms = async (tx: Db) => {
    if (!(await lockPendingEmailChange(tx, id, at))) throw linkProblem('reset_link_expired')
    if (!(await confirmEmailChangeAddress(tx, id, side, at))) return { is_done: false }
    await applyEmailChange(tx, change, at)
    const detail = { before: maskEmail(oldEmail), after: maskEmail(newEmail) }
    await recordAuditEvent(tx, { kind: 'email_changed', at, userId, organisationId, ...origin, detail })
    for (const to of [oldEmail, newEmail])
      await notifyAccountOwner(tx, mails, {
        ...{ kind: 'email_changed', userId, organisationId, to, at },
        content: (notMeUrl) => renderEmailChangedMail({ at, notMeUrl, newEmail }),
      })
    return { is_done: true }
  }
  return db.transaction(confirms).catch((error: unknown) => {
    if (error instanceof StatementError && error.code === '23505')
      throw new ProblemError('bad_input', { text: 'อีเมลนี้มีบัญชีอื่นใช้ไปแล้ว ขอเปลี่ยนเป็นอีเมลอื่น' })
    throw error
  })
}

export async function cancelEmailChangeByToken(
  { db, now }: RouteContext,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const at = now()
  const { id, side, userId, organisationId } = requireUsable(await findEmailChangeByToken(db, hashSecret(token), at))
  await db.transaction(async (tx) => {
    if (!(await lockPendingEmailChange(tx, id, at))) throw linkProblem('reset_link_expired')
    await markEmailChangeCancelled(tx, id, at)
    await recordAuditEvent(tx, {
      kind: 'email_change_stopped',
      at,
      userId,
      organisationId,
      ...origin,
      detail: { side },
    })
  })
}

function requireUsable(change: StoredEmailChange | undefined): StoredEmailChange {
  if (!change) throw linkProblem('reset_link_unknown')
  if (change.isDone) throw linkProblem('reset_link_used')
  if (change.isOver) throw linkProblem('reset_link_expired')
  return change
}

const TEXTS = {
  reset_link_unknown: 'ลิงก์นี้ไม่ถูกต้อง ตรวจสอบว่าคัดลอกมาครบ',
  reset_link_used: 'เปลี่ยนอีเมลเรียบร้อยแล้ว เข้าสู่ระบบด้วยอีเมลใหม่ได้เลย',
  reset_link_expired: 'คำขอเปลี่ยนอีเมลนี้หมดอายุหรือถูกยกเลิกแล้ว ขอใหม่ได้ที่หน้าตั้งค่า',
} as const
const linkProblem = (code: keyof typeof TEXTS) => new ProblemError(code, { text: TEXTS[code] })
const atEmail = (text: string) => new ProblemError('bad_input', { text, fields: { email: [text] } })
