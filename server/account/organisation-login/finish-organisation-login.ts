import {
  LOGIN_PROVIDER_NAMES,
  type OrganisationJoinAcceptance,
  type OrganisationJoinOffer,
  type OrganisationLoginCallback,
} from '#contract/account/organisation-login.ts'
import { notifyAccountOwner } from '#server/account/account-notice/notify-account-owner.ts'
import { addInvitedUser, rethrowDuplicateEmailAsEmailTaken } from '#server/account/member/join-by-invitation.ts'
import { findLoginCandidate, findLoginCandidateById, type LoginCandidate } from '#server/account/session/queries.ts'
import {
  continueLoginAfterFirstStep,
  type LoginOrigin,
  type LoginOutcome,
  openLoginSession,
} from '#server/account/session/second-step.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { renderAccountLinkedMail, renderIdentityMismatchMail } from '#server/platform/mail/organisation-login-mails.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import {
  deriveLoginAttemptSecrets,
  type OrganisationLoginContext,
  toLoginProviderProblem,
} from './begin-organisation-login.ts'
import {
  type IdTokenClaimsProblem,
  identifyLoginProviderPerson,
  type LoginProviderPerson,
} from './identify-provider-person.ts'
import { consumeJoinOffer, consumeLoginAttempt, insertJoinOffer, lockJoinOfferSeats } from './login-attempt-queries.ts'
import {
  findOpenInvitation,
  findUserByIdentity,
  findVerifiedLoginDomain,
  hasIdentityFromIssuer,
  linkIdentityToUser,
  recordIdentityUse,
  type VerifiedLoginDomain,
} from './queries.ts'

export type OrganisationLoginOutcome = LoginOutcome | { readonly join: OrganisationJoinOffer }

const NO_PASSWORD = 'none'

type Reason =
  | IdTokenClaimsProblem
  | 'cancelled'
  | 'provider'
  | 'other_domain'
  | 'other_subject'
  | 'other_organisation'
  | 'no_account'
  | 'closed'

const TEXTS: Readonly<Record<Exclude<Reason, 'provider'>, string>> = {
  cancelled: 'ยังไม่ได้เข้าสู่ระบบ เพราะยกเลิกที่หน้าของผู้ให้บริการ',
  email_missing: 'ผู้ให้บริการไม่ได้บอกอีเมลของบัญชีนี้ ให้ผู้ดูแลไอทีของบริษัทตรวจสอบบัญชี',
  email_unverified: 'อีเมลของบัญชีนี้ยังไม่ได้ยืนยันกับผู้ให้บริการ ยืนยันอีเมลก่อนแล้วลองใหม่',
  no_organisation_account: 'บัญชี Google นี้เป็นบัญชีส่วนตัว ใช้บัญชี Google Workspace ที่บริษัทออกให้',
  other_tenant: 'บัญชีนี้เป็นขององค์กรอื่นใน Microsoft 365 ใช้บัญชีที่บริษัทออกให้',
  guest: 'บัญชีนี้เป็นผู้มาเยือนใน Microsoft 365 ของบริษัท ใช้บัญชีพนักงานที่บริษัทออกให้',
  other_domain: 'บัญชีที่เลือกเป็นของโดเมนอื่นที่บริษัทไม่ได้เชื่อมไว้ เริ่มใหม่แล้วเลือกบัญชีของบริษัท',
  other_subject: 'บัญชีองค์กรนี้ไม่ใช่บัญชีเดิมที่เคยใช้เข้าตามงาน แม้อีเมลจะเหมือนกัน ให้ผู้ดูแลทีมล้างการผูกบัญชีเดิมของคุณที่หน้าตั้งค่า แท็บทีมงาน',
  other_organisation: 'อีเมลนี้มีบัญชีอยู่กับองค์กรอื่นในตามงาน เข้าสู่ระบบด้วยรหัสผ่าน หรือให้ผู้ดูแลทั้งสองฝ่ายตกลงกันก่อน',
  no_account: 'ยังไม่มีบัญชีของคุณในทีม ขอให้ผู้ดูแลทีมส่งคำเชิญมาที่อีเมลนี้ แล้วเข้าด้วยบัญชีองค์กรได้เลย',
  closed: 'บัญชีของคุณในตามงานถูกปิดอยู่ ติดต่อผู้ดูแลทีม',
}

type LoginAttempt = { readonly domain: VerifiedLoginDomain; readonly origin: LoginOrigin }

async function refusal(
  { db, now }: OrganisationLoginContext,
  { domain, origin: { address, requestId } }: LoginAttempt,
  { reason, userId, problem }: { reason: Reason; userId?: number; problem?: ProblemError },
): Promise<ProblemError> {
  const { organisationId, provider } = domain
  const detail = { reason, provider }
  const event = { kind: 'organisation_login_refused', at: now(), organisationId, userId, address, requestId, detail }
  await recordAuditEvent(db, event as typeof event & { kind: 'organisation_login_refused' })
  return problem ?? new ProblemError('bad_input', { text: TEXTS[reason as Exclude<Reason, 'provider'>] })
}

const loginExpired = () => new ProblemError('organisation_login_over')

/**
 * Completes the login in the browser that started it. Returns a session, our second step if the organisation requires
 * it, or an invitation pending acceptance of the terms. `identify-provider-person.ts` describes which claims are
 * trusted. Call without a tenant.
 * @throws ProblemError with a message for the user.
 */
export async function finishOrganisationLogin(
  context: OrganisationLoginContext,
  { state, code, iss, error }: OrganisationLoginCallback,
  browserToken: string | undefined,
  origin: LoginOrigin,
): Promise<OrganisationLoginOutcome> {
  const { providers, redirectUri, now } = context
  if (browserToken === undefined) throw loginExpired()
  return runWithoutTenant(async () => {
    const domain = await consumeLoginAttempt(context.db, hashSecret(state), hashSecret(browserToken), now())
    if (!domain) throw loginExpired()
    const attempt = { domain, origin }
    if (error === 'access_denied' || code === undefined) throw await refusal(context, attempt, { reason: 'cancelled' })
    const { provider, issuer } = domain
    const callback = { ...deriveLoginAttemptSecrets(browserToken, state), redirectUri, code, iss }
    const claims = await providers.claimsFor({ provider, issuer }, callback).catch(async (fault: unknown) => {
      throw await refusal(context, attempt, {
        reason: 'provider',
        problem: toLoginProviderProblem(fault, provider),
      })
    })
    const person = identifyLoginProviderPerson(provider, issuer, claims)
    if (typeof person === 'string') throw await refusal(context, attempt, { reason: person })
    if (!(await isOurs(context, domain, person))) throw await refusal(context, attempt, { reason: 'other_domain' })
    return admit(context, attempt, person, browserToken)
  })
}

async function isOurs(
  { db }: OrganisationLoginContext,
  domain: VerifiedLoginDomain,
  person: LoginProviderPerson,
): Promise<boolean> {
  for (const name of new Set([person.domain, person.hosted ?? person.domain])) {
    const proven = await findVerifiedLoginDomain(db, name)
    if (proven?.organisationId !== domain.organisationId || proven.issuer !== domain.issuer) return false
  }
  return true
}

async function admit(
  context: OrganisationLoginContext,
  attempt: LoginAttempt,
  person: LoginProviderPerson,
  browserToken: string,
): Promise<OrganisationLoginOutcome> {
  const { db, now } = context
  const { organisationId, issuer } = attempt.domain
  const bound = await findUserByIdentity(db, issuer, person.subject)
  const candidate =
    bound === undefined ? await findLoginCandidate(db, person.emailKey) : await findLoginCandidateById(db, bound)
  if (!candidate) return offerJoin(context, attempt, person, browserToken)
  const { userId } = candidate
  if (candidate.organisationId !== organisationId)
    throw await refusal(context, attempt, { reason: 'other_organisation', userId })
  if (!candidate.mayLogin) throw await refusal(context, attempt, { reason: 'closed', userId })
  if (bound !== undefined) await recordIdentityUse(db, issuer, person.subject, now())
  else await bind(context, attempt, person, candidate)
  const { asksOwnFactor } = attempt.domain
  if (asksOwnFactor) return continueLoginAfterFirstStep(context, candidate, attempt.origin, 'organisation')
  return openLoginSession(context, candidate, attempt.origin, { by: 'organisation', isFactorTrusted: true })
}

/**
 * Binds the provider account at the first login; later logins accept only this provider account. Notifies the owner
 * with a way to revert.
 */
async function bind(
  context: OrganisationLoginContext,
  attempt: LoginAttempt,
  { subject }: LoginProviderPerson,
  { userId, organisationId, email }: LoginCandidate,
): Promise<void> {
  const { db, now, mails } = context
  const { issuer, provider } = attempt.domain
  const at = now()
  const isBound = await db.transaction(async (tx) => {
    if (!(await linkIdentityToUser(tx, { userId, issuer, subject, at }))) return false
    await notifyAccountOwner(tx, mails, {
      ...{ kind: 'organisation_login_bound', userId, organisationId, to: email, at },
      content: (notMeUrl) => renderAccountLinkedMail({ at, notMeUrl, provider: LOGIN_PROVIDER_NAMES[provider] }),
    })
    return true
  })
  if (isBound) return
  if (await hasIdentityFromIssuer(db, userId, issuer)) {
    const content = renderIdentityMismatchMail({ at, provider: LOGIN_PROVIDER_NAMES[provider], email })
    const dedupeKey = `organisation_login_other:${userId}:${at.toISOString().slice(0, 10)}`
    await mails.queue(
      db,
      { kind: 'organisation_login_other', to: email, content, dedupeKey, organisationId, userId },
      at,
    )
  }
  throw await refusal(context, attempt, { reason: 'other_subject', userId })
}

/**
 * Offers to join when the person has a pending invitation. Only invited people may join, because members see what the
 * company bids for and take seats (decision 0138).
 */
async function offerJoin(
  context: OrganisationLoginContext,
  attempt: LoginAttempt,
  person: LoginProviderPerson,
  browserToken: string,
): Promise<OrganisationLoginOutcome> {
  const { db, now } = context
  const { id: domainId, organisationId, issuer } = attempt.domain
  const at = now()
  const invitation = await findOpenInvitation(db, organisationId, person.emailKey, at)
  if (!invitation) throw await refusal(context, attempt, { reason: 'no_account' })
  const token = generateSecretToken()
  const browserHash = hashSecret(browserToken)
  const offer = { invitationId: invitation.id, domainId, issuer, subject: person.subject, at }
  await insertJoinOffer(db, { ...offer, tokenHash: hashSecret(token), browserHash })
  const { email, firstName, lastName } = person
  return { join: { token, organisation: invitation.organisation, email, first_name: firstName, last_name: lastName } }
}

/**
 * Creates the account of an invitation without a password, bound to the provider account.
 * @throws ProblemError when the offer has expired or the organisation is full.
 */
export async function joinByOrganisationLogin(
  context: OrganisationLoginContext,
  { token, first_name: firstName, last_name: lastName }: OrganisationJoinAcceptance,
  browserToken: string | undefined,
  origin: LoginOrigin,
): Promise<LoginOutcome> {
  const { db, now, mails } = context
  if (browserToken === undefined) throw loginExpired()
  const at = now()
  const joins = () =>
    db.transaction(async (tx) => {
      await lockJoinOfferSeats(tx, hashSecret(token), hashSecret(browserToken))
      const joinOffer = await consumeJoinOffer(tx, hashSecret(token), hashSecret(browserToken), at)
      if (!joinOffer) throw loginExpired()
      const { invitationId, invitedBy, organisationId, email, emailKey, role, issuer, subject, asksOwnFactor } =
        joinOffer
      const person = { email, emailKey, passwordHash: NO_PASSWORD, firstName, lastName }
      const invitation = { id: invitationId, invitedBy }
      const userId = await addInvitedUser(tx, mails, invitation, { organisationId, role, ...person }, at)
      if (!(await linkIdentityToUser(tx, { userId, issuer, subject, at }))) throw loginExpired()
      const { address, requestId } = origin
      const event = { kind: 'member_joined', at, userId, organisationId, address, requestId } as const
      await recordAuditEvent(tx, { ...event, detail: { role, by: 'organisation' } })
      return { userId, organisationId, role, email, isFactorTrusted: !asksOwnFactor }
    })
  return runWithoutTenant(async () => {
    const { isFactorTrusted, ...person } = await joins().catch(rethrowDuplicateEmailAsEmailTaken)
    return openLoginSession(context, person, origin, { by: 'organisation', isFactorTrusted })
  })
}
