import sql from 'sql-template-tag'
import type { ProofWay, SecondStep, SecondStepAnswer } from '#contract/account/second-factor.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { tellOwner } from '#server/account/account-notice/tell-owner.ts'
import { checkFactor, type FactorParts, waysOf } from '#server/account/second-factor/check-factor.ts'
import { ownerOfPasskey } from '#server/account/second-factor/passkeys.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { newDeviceMail, secondStepFailingMail } from '#server/platform/mail/notice-mails.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { newSecretToken, secretHash } from '#server/platform/route/secret-token.ts'
import { forgiveUse, reserveUse, type UseLimit } from '#server/platform/route/use-counts.ts'
import { deviceText } from './device-text.ts'
import { isTrusted, recordDevice } from './devices.ts'
import { findLoginCandidateById, type LoginCandidate } from './queries.ts'
import type { OpenedSession, Sessions } from './sessions.ts'

export type Origin = {
  readonly address: string
  readonly requestId: string
  readonly userAgent?: string | undefined
  readonly deviceToken?: string | undefined
}

export type LoginContext = FactorParts & { readonly sessions: Sessions; readonly mails: OutgoingMail }

export type LoginOutcome =
  | { readonly session: OpenedSession; readonly deviceToken: string }
  | { readonly secondStep: SecondStep }

type Person = Pick<LoginCandidate, 'userId' | 'organisationId' | 'role' | 'email'>

/** Time to get a phone. */
const STEP_MS = 10 * 60_000
/** Failed second steps per hour before the owner is notified: two are typing errors. */
const SLIPS: UseLimit = { action: 'second-step-slip', most: 2, windowSeconds: 60 * 60, gapSeconds: 0 }

type Beginning = 'password' | 'organisation'

/**
 * After a correct password or organisation login: opens a session, or requests the second step if the account has a
 * second factor and the browser is not remembered.
 */
export async function afterPassword(
  context: LoginContext,
  person: Person,
  origin: Origin,
  by: Beginning = 'password',
): Promise<LoginOutcome> {
  const { db, now } = context
  const ways = await waysOf(context, person.userId)
  const at = now()
  if (ways.includes('password')) return openLogin(context, person, origin, { by })
  if (await isTrusted(db, person.userId, origin.deviceToken, at))
    return openLogin(context, person, origin, { by: 'remembered' })
  const token = newSecretToken()
  const expiresAt = new Date(at.getTime() + STEP_MS).toISOString()
  await db.execute(sql`delete from login_steps where expires_at <= ${at.toISOString()}::timestamptz`)
  await db.execute(sql`
    insert into login_steps (token_hash, user_id, expires_at) values (${secretHash(token)}, ${person.userId}::int, ${expiresAt}::timestamptz)`)
  return { secondStep: { token, ways } }
}

/**
 * Returns the user of a pending second step.
 * @throws ProblemError `login_step_over`
 */
export async function ownerOfStep({ db, now }: Pick<LoginContext, 'db' | 'now'>, token: string): Promise<number> {
  const [step] = await db.query<{ userId: number }>(sql`
    select user_id as "userId" from login_steps where token_hash = ${secretHash(token)} and expires_at > ${now().toISOString()}::timestamptz`)
  if (!step) throw new ProblemError('login_step_over')
  return step.userId
}

/**
 * Completes the second step; a failed step can be retried.
 * @throws ProblemError `login_step_over`, at the wrong field, or `too_many_requests` after too many failures.
 */
export async function finishLogin(
  context: LoginContext,
  { token, remember = false, ...answer }: SecondStepAnswer,
  origin: Origin,
): Promise<LoginOutcome> {
  const { db, now } = context
  const userId = await ownerOfStep(context, token)
  const person = await mayLogIn(db, userId)
  const { organisationId } = person
  const by = await checkFactor(context, userId, answer).catch(async (error: unknown) => {
    if (error instanceof ProblemError) {
      await recordAuditEvent(db, { kind: 'second_factor_failed', at: now(), userId, organisationId, ...plain(origin) })
      await tellOfFailures(context, person, origin)
    }
    throw error
  })
  const taken = await db.query(
    sql`delete from login_steps where token_hash = ${secretHash(token)} returning token_hash`,
  )
  if (taken.length === 0) throw new ProblemError('login_step_over')
  await forgiveUse(db, SLIPS, String(userId))
  return openLogin(context, person, origin, { by, remember })
}

/** Notifies the owner from the third failure per hour, once a day: the attacker has the password. */
async function tellOfFailures(
  { db, mails, now }: LoginContext,
  { userId, organisationId, email }: Person,
  { userAgent, address }: Origin,
): Promise<void> {
  const at = now()
  if ((await reserveUse(db, SLIPS, String(userId), at)) === 0) return
  const seen = { at, device: deviceText(userAgent ?? null), address }
  const dedupeKey = `second_step_failing:${userId}:${at.toISOString().slice(0, 10)}`
  await db.transaction((tx) =>
    tellOwner(tx, mails, {
      ...{ kind: 'second_step_failing', userId, organisationId, to: email, at, dedupeKey },
      content: (notMeUrl) => secondStepFailingMail({ ...seen, notMeUrl }),
    }),
  )
}

/**
 * Logs in by passkey alone, which combines possession and verification, both factors in one.
 * @throws ProblemError `login_failed` whatever is wrong (R4).
 */
export async function loginByPasskey(
  context: LoginContext,
  passkey: NonNullable<SecondStepAnswer['passkey']>,
  origin: Origin,
): Promise<LoginOutcome> {
  const { db, party, now } = context
  const userId = party && (await ownerOfPasskey({ db, party, now: now() }, null, passkey))
  if (userId === undefined) {
    await recordAuditEvent(db, { kind: 'login_failed', at: now(), ...plain(origin), detail: { by: 'passkey' } })
    throw new ProblemError('bad_input', { text: 'เข้าสู่ระบบด้วยพาสคีย์นี้ไม่ได้ ใช้อีเมลและรหัสผ่านแทน' })
  }
  const candidate = await mayLogIn(db, userId)
  if (candidate.mustUseOrganisation) throw new ProblemError('organisation_login_required')
  return openLogin(context, candidate, origin, { by: 'passkey' })
}

const plain = ({ address, requestId }: Origin) => ({ address, requestId })

async function mayLogIn(db: Db, userId: number): Promise<LoginCandidate> {
  const candidate = await findLoginCandidateById(db, userId)
  if (!candidate?.mayLogin) throw new ProblemError('login_failed')
  return candidate
}

/**
 * Opens the session, notifies the owner of a new browser, and records an audit event. `isFactorTrusted`: the provider's
 * second factor counts, so ours is never required in this session.
 */
export async function openLogin(
  { db, sessions, mails, now }: LoginContext,
  { userId, organisationId, role, email }: Person,
  origin: Origin,
  {
    by,
    remember = false,
    isFactorTrusted = false,
  }: { by: ProofWay | Beginning | 'remembered'; remember?: boolean; isFactorTrusted?: boolean },
): Promise<LoginOutcome> {
  const at = now()
  const userAgent = origin.userAgent?.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300) ?? null
  const device = await db.transaction(async (tx) => {
    const noted = await recordDevice(tx, {
      ...{ userId, userAgent, remember, now: at },
      ...{ token: origin.deviceToken, address: origin.address },
    })
    if (noted.isNew) {
      const seen = { at, device: deviceText(userAgent), address: origin.address }
      await tellOwner(tx, mails, {
        ...{ kind: 'new_device', userId, organisationId, to: email, at },
        content: (notMeUrl) => newDeviceMail({ ...seen, notMeUrl }),
      })
    }
    return noted
  })
  const isOperator = role === OPERATOR_ROLE
  const who = { userId, organisationId, isDemo: false, isOperator, isFactorTrusted }
  const session = await sessions.open({ ...who, device: origin })
  const detail = { by, ...(device.isNew && { device: 'new' }), ...(remember && { remembered: true }) }
  await recordAuditEvent(db, { kind: 'login', at, userId, organisationId, ...plain(origin), detail })
  return { session, deviceToken: device.token }
}
