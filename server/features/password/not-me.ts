import sql from 'sql-template-tag'
import { RESET_LIFE_SECONDS } from '#contract/account/password.ts'
import type { Db } from '#server/engine/db.ts'
import { type FoundNotMe, findNotMe, spendNotMe } from '#server/features/account-notice/tell-owner.ts'
import { removeFactorsSince } from '#server/features/second-factor/queries.ts'
import { endSessionsOfUser, endTrustOfUser } from '#server/features/session/user-sessions.ts'
import { recordAuditEvent } from '#server/features/usage-log/audit-events.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteContext } from '#server/route/route-app.ts'
import { newSecretToken, secretHash } from '#server/route/secret-token.ts'
import { emailKeyOf, hiddenEmail } from '#server/text/email.ts'
import { insertReset } from './queries.ts'

/** No password has this hash: nobody logs in before the owner has set a new one. */
const NO_PASSWORD = 'none'

/** The address of a link's account, its middle hidden. Throws ProblemError that says what to do when the link does not work. */
export async function lookAtNotMe({ db, now }: RouteContext, token: string): Promise<{ email: string }> {
  return { email: hiddenEmail(usable(await findNotMe(db, token, now())).email) }
}

/**
 * The owner says that it was somebody else. Every session ends, no browser stays trusted, and the password no longer works. What was added since is taken back: second factors, API keys,
 * webhooks, an account of a provider, another mail address. Answers the way to a new password. Once for each link; throws ProblemError for a link that does not work.
 */
export async function reportNotMe(
  { db, now }: RouteContext,
  token: string,
  origin: { readonly address: string; readonly requestId: string },
): Promise<{ reset_token: string }> {
  const at = now()
  const { userId, organisationId, since } = usable(await findNotMe(db, token, at))
  const reset = newSecretToken()
  await db.transaction(async (tx) => {
    if (!(await spendNotMe(tx, token, at))) throw linkProblem('reset_link_used')
    const expiresAt = new Date(at.getTime() + RESET_LIFE_SECONDS * 1000)
    await insertReset(tx, { tokenHash: secretHash(reset), userId, at, expiresAt })
    await tx.execute(sql`update users set password_hash = ${NO_PASSWORD} where id = ${userId}::int`)
    const sessions = await endSessionsOfUser(tx, userId, { at })
    await endTrustOfUser(tx, userId)
    await tx.execute(sql`delete from login_steps where user_id = ${userId}::int`)
    const factors = await removeFactorsSince(tx, userId, since)
    const keys = await tx.execute(
      sql`delete from api_keys where made_by = ${userId}::int and created_at >= ${since}::timestamptz`,
    )
    const webhooks = await tx.execute(
      sql`delete from webhooks where made_by = ${userId}::int and created_at >= ${since}::timestamptz`,
    )
    const identities = await tx.execute(
      sql`delete from login_identities where user_id = ${userId}::int and created_at >= ${since}::timestamptz`,
    )
    const address = await takeAddressBack(tx, userId, since, at)
    const detail = { sessions, factors, keys, webhooks, identities, address }
    await recordAuditEvent(tx, { kind: 'not_me', at, userId, organisationId, ...origin, detail })
  })
  return { reset_token: reset }
}

/** The mail address is again what it was before a change since then; a change that is under way is over. False when there was none. */
async function takeAddressBack(tx: Db, userId: number, since: string, at: Date): Promise<boolean> {
  await tx.execute(sql`
    update email_changes set stopped_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and done_at is null and stopped_at is null`)
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
