import sql from 'sql-template-tag'
import type { IdentityProofMethod, SecondLoginStep, SecondLoginStepRequest } from '#contract/account/second-factor.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import {
  checkSecondFactor,
  listIdentityProofMethods,
  type SecondFactorDependencies,
} from '#server/account/second-factor/check-second-factor.ts'
import { findPasskeyOwner } from '#server/account/second-factor/passkeys.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { renderNewDeviceMail, renderSecondFactorFailedMail } from '#server/platform/mail/notice-mails.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import {
  type ActionRateLimit,
  consumeActionRateLimit,
  resetActionRateLimit,
} from '#server/platform/route/use-counts.ts'
import type { OpenedSession, SessionService } from './create-sessions.ts'
import { isDeviceRemembered, recordDevice } from './devices.ts'
import { formatDevice } from './format-device.ts'
import { findLoginCandidateById, type LoginCandidate } from './queries.ts'

export type LoginOrigin = {
  readonly address: string
  readonly requestId: string
  readonly userAgent?: string | undefined
  readonly deviceToken?: string | undefined
}

export type LoginContext = SecondFactorDependencies & {
  readonly sessions: SessionService
  readonly mails: OutgoingMailQueue
}

export type LoginOutcome =
  | { readonly session: OpenedSession; readonly deviceToken: string }
  | { readonly secondStep: SecondLoginStep }

type Person = Pick<LoginCandidate, 'userId' | 'organisationId' | 'role' | 'email'>

const STEP_LIFETIME_MS = 10 * 60_000
/** Maximum failed second steps per hour before the owner is notified; one or two are typing errors. */
const FAILURES: ActionRateLimit = { action: 'second-step-slip', maxUses: 2, windowSeconds: 60 * 60, gapSeconds: 0 }

type FirstStep = 'password' | 'organisation'

/**
 * After a correct password or organisation login: opens a session, or requests the second step if the account has a
 * second factor and the browser is not remembered.
 */
export async function continueLoginAfterFirstStep(
  context: LoginContext,
  person: Person,
  origin: LoginOrigin,
  by: FirstStep = 'password',
): Promise<LoginOutcome> {
  const { db, now } = context
  const ways = await listIdentityProofMethods(context, person.userId)
  const at = now()
  if (ways.includes('password')) return openLoginSession(context, person, origin, { by })
  if (await isDeviceRemembered(db, person.userId, origin.deviceToken, at))
    return openLoginSession(context, person, origin, { by: 'remembered' })
  const token = generateSecretToken()
  const expiresAt = new Date(at.getTime() + STEP_LIFETIME_MS).toISOString()
  await db.execute(sql`delete from login_steps where expires_at <= ${at.toISOString()}::timestamptz`)
  await db.execute(sql`
    insert into login_steps (token_hash, user_id, expires_at) values (${hashSecret(token)}, ${person.userId}::int, ${expiresAt}::timestamptz)`)
  return { secondStep: { token, ways } }
}

export async function findSecondLoginStepUser(
  { db, now }: Pick<LoginContext, 'db' | 'now'>,
  token: string,
): Promise<number> {
  const [step] = await db.query<{ userId: number }>(sql`
    select user_id as "userId" from login_steps where token_hash = ${hashSecret(token)} and expires_at > ${now().toISOString()}::timestamptz`)
  if (!step) throw new ProblemError('login_step_over')
  return step.userId
}

export async function completeSecondLoginStep(
  context: LoginContext,
  { token, remember = false, ...answer }: SecondLoginStepRequest,
  origin: LoginOrigin,
): Promise<LoginOutcome> {
  const { db, now } = context
  const userId = await findSecondLoginStepUser(context, token)
  const person = await requireLoginCandidate(db, userId)
  const { organisationId } = person
  const by = await checkSecondFactor(context, userId, answer).catch(async (error: unknown) => {
    if (error instanceof ProblemError) {
      await recordAuditEvent(db, {
        kind: 'second_factor_failed',
        at: now(),
        userId,
        organisationId,
        ...auditOrigin(origin),
      })
      await notifyOfFailures(context, person, origin)
    }
    throw error
  })
  const deletedRows = await db.query(
    sql`delete from login_steps where token_hash = ${hashSecret(token)} returning token_hash`,
  )
  if (deletedRows.length === 0) throw new ProblemError('login_step_over')
  await resetActionRateLimit(db, FAILURES, String(userId))
  return openLoginSession(context, person, origin, { by, remember })
}

/**
 * Notifies the owner at the third failure within an hour, at most once a day, because such an attacker already has the
 * password.
 */
async function notifyOfFailures(
  { db, mails, now }: LoginContext,
  { userId, organisationId, email }: Person,
  { userAgent, address }: LoginOrigin,
): Promise<void> {
  const at = now()
  if ((await consumeActionRateLimit(db, FAILURES, String(userId), at)) === 0) return
  const details = { at, device: formatDevice(userAgent ?? null), address }
  const dedupeKey = `second_step_failing:${userId}:${at.toISOString().slice(0, 10)}`
  await db.transaction((tx) =>
    notifyAccountOwner(tx, mails, {
      ...{ kind: 'second_step_failing', userId, organisationId, to: email, at, dedupeKey },
      content: (notMeUrl) => renderSecondFactorFailedMail({ ...details, notMeUrl }),
    }),
  )
}

/**
 * Logs in by passkey alone, because a passkey proves possession and user verification, both factors in one.
 * @throws ProblemError `login_failed`, the same for an unknown passkey and a closed account (R4), or
 * `organisation_login_required`.
 */
export async function logInByPasskey(
  context: LoginContext,
  passkey: NonNullable<SecondLoginStepRequest['passkey']>,
  origin: LoginOrigin,
): Promise<LoginOutcome> {
  const { db, party, now } = context
  const userId = party && (await findPasskeyOwner({ db, party, now: now() }, null, passkey))
  const candidate = userId === undefined ? undefined : await findLoginCandidateById(db, userId)
  if (!candidate?.mayLogin) {
    await recordAuditEvent(db, { kind: 'login_failed', at: now(), ...auditOrigin(origin), detail: { by: 'passkey' } })
    throw new ProblemError('login_failed', { text: 'เข้าสู่ระบบด้วยพาสคีย์นี้ไม่ได้ ใช้อีเมลและรหัสผ่านแทน' })
  }
  if (candidate.mustUseOrganisation) throw new ProblemError('organisation_login_required')
  return openLoginSession(context, candidate, origin, { by: 'passkey' })
}

const auditOrigin = ({ address, requestId }: LoginOrigin) => ({ address, requestId })

async function requireLoginCandidate(db: Db, userId: number): Promise<LoginCandidate> {
  const candidate = await findLoginCandidateById(db, userId)
  if (!candidate?.mayLogin) throw new ProblemError('login_failed')
  return candidate
}

/**
 * Opens the session, notifies the owner of a new browser, and records an audit event. `isFactorTrusted`: the provider's
 * second factor counts, so ours is never required in this session.
 */
export async function openLoginSession(
  { db, sessions, mails, now }: LoginContext,
  { userId, organisationId, role, email }: Person,
  origin: LoginOrigin,
  {
    by,
    remember = false,
    isFactorTrusted = false,
  }: { by: IdentityProofMethod | FirstStep | 'remembered'; remember?: boolean; isFactorTrusted?: boolean },
): Promise<LoginOutcome> {
  const at = now()
  const userAgent = origin.userAgent?.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300) ?? null
  const device = await db.transaction(async (tx) => {
    const noted = await recordDevice(tx, {
      ...{ userId, userAgent, remember, now: at },
      ...{ token: origin.deviceToken, address: origin.address },
    })
    if (noted.isNew) {
      const details = { at, device: formatDevice(userAgent), address: origin.address }
      await notifyAccountOwner(tx, mails, {
        ...{ kind: 'new_device', userId, organisationId, to: email, at },
        content: (notMeUrl) => renderNewDeviceMail({ ...details, notMeUrl }),
      })
    }
    return noted
  })
  const isOperator = role === OPERATOR_ROLE
  const sessionUser = { userId, organisationId, isDemo: false, isOperator, isFactorTrusted }
  const session = await sessions.open({ ...sessionUser, device: origin })
  const detail = { by, ...(device.isNew && { device: 'new' }), ...(remember && { remembered: true }) }
  await recordAuditEvent(db, { kind: 'login', at, userId, organisationId, ...auditOrigin(origin), detail })
  return { session, deviceToken: device.token }
}
