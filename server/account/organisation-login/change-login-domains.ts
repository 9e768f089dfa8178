import {
  LOGIN_PROVIDER_NAMES,
  type LoginDomain,
  type LoginDomainPatch,
  type LoginDomains,
  type LoginProvider,
  MAX_LOGIN_DOMAINS,
  type NewLoginDomain,
} from '#contract/account/organisation-login.ts'
import { listSuperUsers } from '#server/account/account-notice/notify-super-users.ts'
import { lockSeats } from '#server/account/member/queries.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { type Db, StatementError } from '#server/platform/engine/db.ts'
import { renderLoginDomainChangedMail } from '#server/platform/mail/organisation-login-mails.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import { type LoginDomainDependencies, toLoginProviderProblem } from './begin-organisation-login.ts'
import { buildDomainVerificationRecord, checkDomainVerificationRecord } from './domain-proof.ts'
import {
  deleteLoginDomainRow,
  findLoginDomain,
  hasIdentityFromIssuer,
  insertLoginDomain,
  listLinkedIdentities,
  listLoginDomains,
  markLoginDomainChecked,
  markLoginDomainVerified,
  removeLinkedIdentities,
  type StoredLoginDomain,
  updateLoginDomain,
} from './queries.ts'

export type LoginDomainContext = RouteContext & LoginDomainDependencies

const CHECKS: ActionRateLimit = { action: 'login-domain-check', maxUses: 30, windowSeconds: 60 * 60, gapSeconds: 0 }
/**
 * Domains of public email providers. Their users cannot edit the DNS zone, so we refuse such a domain at once instead
 * of waiting for a record that can never appear.
 */
const PUBLIC_MAIL = ['gmail.com', 'googlemail.com', 'hotmail.com', 'outlook.com', 'live.com', 'yahoo.com', 'icloud.com']

const iso = (text: string | null) => text && new Date(text).toISOString()

function presentDomain(stored: StoredLoginDomain): LoginDomain {
  const { id, domain, provider, rule, asksOwnFactor, checkedAt, verifiedAt } = stored
  return {
    ...{ id, domain, provider, rule, asks_own_factor: asksOwnFactor, record: buildDomainVerificationRecord(stored) },
    ...{ checked_at: iso(checkedAt), verified_at: iso(verifiedAt) },
  }
}

export async function loadLoginDomains(
  { db, providers }: LoginDomainContext,
  organisationId: number,
): Promise<LoginDomains> {
  const domains = await listLoginDomains(db, organisationId)
  const providerOf = (issuer: string): LoginProvider =>
    domains.find((domain) => domain.issuer === issuer)?.provider ?? (issuer.endsWith('/v2.0') ? 'microsoft' : 'google')
  const identities = await listLinkedIdentities(db, organisationId)
  return {
    providers: [...providers.offered],
    domains: domains.map(presentDomain),
    identities: identities.map(({ userId, name, email, issuer, usedAt }) => ({
      ...{ user_id: userId, name, email, provider: providerOf(issuer), used_at: new Date(usedAt).toISOString() },
    })),
  }
}

const atDomain = (text: string) => new ProblemError('bad_input', { text, fields: { domain: [text] } })

export async function registerLoginDomain(
  context: LoginDomainContext,
  { userId, organisationId }: Actor,
  { domain, provider }: NewLoginDomain,
  origin: RequestOrigin,
): Promise<void> {
  const { db, now, providers } = context
  if (!providers.offered.includes(provider))
    throw new ProblemError('bad_input', { text: `ระบบนี้ยังไม่ได้เปิดใช้ ${LOGIN_PROVIDER_NAMES[provider]}` })
  if (PUBLIC_MAIL.includes(domain)) throw atDomain(`${domain} เป็นอีเมลสาธารณะ ใช้โดเมนของบริษัทเอง`)
  const at = now()
  await db.transaction(async (tx) => {
    await lockSeats(tx, organisationId)
    if ((await listLoginDomains(tx, organisationId)).length >= MAX_LOGIN_DOMAINS)
      throw new ProblemError('bad_input', { text: `เชื่อมได้ไม่เกิน ${MAX_LOGIN_DOMAINS} โดเมน ลบโดเมนที่ไม่ใช้ก่อน` })
    if (!(await insertLoginDomain(tx, { organisationId, domain, provider, token: generateSecretToken(), userId, at })))
      throw atDomain('เพิ่มโดเมนนี้ไว้แล้ว')
    const detail = { did: 'add', domain, provider }
    await recordAuditEvent(tx, { kind: 'login_domain_changed', at, userId, organisationId, ...origin, detail })
  })
}

const NOT_PROVEN = {
  none: 'ยังไม่พบระเบียน TXT นี้ ตรวจชื่อและค่าที่ผู้ดูแลโดเมนใส่ไว้ ระเบียนใหม่ใช้เวลาไม่กี่นาทีถึงหนึ่งวันกว่าจะเห็น',
  other: 'พบระเบียน TXT ที่ชื่อนี้ แต่ค่าไม่ตรง คัดลอกค่าใหม่ให้ครบทั้งบรรทัด',
  away: 'ถามระบบชื่อโดเมนไม่สำเร็จ ลองใหม่อีกครั้งในอีกสักครู่',
} as const

export async function verifyLoginDomainByDns(
  context: LoginDomainContext,
  actor: Actor,
  id: number,
  origin: RequestOrigin,
): Promise<LoginDomain> {
  const { db, now, providers, resolveTxt } = context
  const { organisationId } = actor
  const stored = await domainOfActor(db, actor, id)
  const wait = await consumeActionRateLimit(db, CHECKS, String(organisationId), now())
  if (wait > 0)
    throw new ProblemError('too_many_requests', {
      text: `ตรวจบ่อยเกินไป ตรวจใหม่ได้ในอีก ${formatWaitTime(wait)}`,
      retryAfterSeconds: wait,
    })
  const { domain, provider, token } = stored
  const proof = await checkDomainVerificationRecord(resolveTxt, domain, token)
  if (proof !== 'there') {
    await markLoginDomainChecked(db, id, now())
    if (proof === 'away') throw new ProblemError('unavailable', { text: NOT_PROVEN.away, retryAfterSeconds: 10 })
    throw new ProblemError('bad_input', { text: NOT_PROVEN[proof] })
  }
  const issuer = await providers.issuerOf(provider, domain).catch((error: unknown) => {
    throw toLoginProviderProblem(error, provider)
  })
  if (issuer === undefined)
    throw new ProblemError('bad_input', {
      text: `${LOGIN_PROVIDER_NAMES[provider]} ไม่รู้จักโดเมนนี้ เลือกผู้ให้บริการที่ออกอีเมลของบริษัท`,
    })
  await db
    .transaction(async (tx) => {
      const at = now()
      await markLoginDomainVerified(tx, id, issuer, at)
      await recordDomainChange(context, tx, actor, { did: 'prove', stored, at, origin })
    })
    .catch((error: unknown) => {
      if (error instanceof StatementError && error.code === '23505')
        throw new ProblemError('bad_input', { text: 'โดเมนนี้เชื่อมกับองค์กรอื่นในตามงานแล้ว ติดต่อทีมงานถ้าเป็นโดเมนของคุณ' })
      throw error
    })
  return presentDomain(await domainOfActor(db, actor, id))
}

/**
 * Changes the rule or the second factor setting.
 * @throws ProblemError when the actor enforces the rule without having logged in this way.
 */
export async function changeLoginDomain(
  context: LoginDomainContext,
  actor: Actor,
  id: number,
  patch: LoginDomainPatch,
  origin: RequestOrigin,
): Promise<void> {
  const { db, now } = context
  const stored = await domainOfActor(db, actor, id)
  if (patch.rule === 'must' && stored.rule !== 'must') {
    if (stored.issuer === null) throw new ProblemError('bad_input', { text: 'ยืนยันโดเมนก่อน แล้วจึงบังคับใช้ได้' })
    if (!(await hasIdentityFromIssuer(db, actor.userId, stored.issuer)))
      throw new ProblemError('bad_input', {
        text: 'เข้าสู่ระบบด้วยบัญชีองค์กรของคุณเองให้สำเร็จสักครั้งก่อน จะได้ไม่บังคับทีมด้วยวิธีที่ยังใช้ไม่ได้',
      })
  }
  await db.transaction(async (tx) => {
    await updateLoginDomain(tx, id, patch)
    const did = patch.rule === undefined ? (patch.asks_own_factor ? 'ask' : 'trust') : patch.rule
    await recordDomainChange(context, tx, actor, { did, stored, at: now(), origin })
  })
}

/**
 * Disconnects a domain; afterwards only passwords and passkeys work. Accounts stay bound in case the domain is
 * connected again.
 */
export async function deleteLoginDomain(
  context: LoginDomainContext,
  actor: Actor,
  id: number,
  origin: RequestOrigin,
): Promise<void> {
  const stored = await domainOfActor(context.db, actor, id)
  await context.db.transaction(async (tx) => {
    await deleteLoginDomainRow(tx, id)
    await recordDomainChange(context, tx, actor, { did: 'remove', stored, at: context.now(), origin })
  })
}

export async function unlinkMemberIdentities(
  { db, now }: LoginDomainContext,
  { userId, organisationId }: Actor,
  member: number,
  origin: RequestOrigin,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await removeLinkedIdentities(tx, organisationId, member))) throw new ProblemError('not_found')
    const detail = { did: 'unbind', member }
    const event = { kind: 'login_domain_changed', at: now(), userId, organisationId, ...origin, detail } as const
    await recordAuditEvent(tx, event)
  })
}

async function domainOfActor(db: Db, { organisationId }: Actor, id: number): Promise<StoredLoginDomain> {
  const domain = await findLoginDomain(db, organisationId, id)
  if (!domain) throw new ProblemError('not_found')
  return domain
}

type DomainChange = {
  readonly did: 'prove' | 'may' | 'must' | 'ask' | 'trust' | 'remove'
  readonly stored: StoredLoginDomain
  readonly at: Date
  readonly origin: RequestOrigin
}

/**
 * Records an audit event and emails each super user, because the change affects every login. Sends no email for a
 * domain that was never verified.
 */
async function recordDomainChange(
  { mails }: LoginDomainContext,
  tx: Db,
  { userId, organisationId }: Actor,
  { did, stored, at, origin }: DomainChange,
): Promise<void> {
  const { id, domain, provider, verifiedAt } = stored
  const detail = { did, domain, provider }
  await recordAuditEvent(tx, { kind: 'login_domain_changed', at, userId, organisationId, ...origin, detail })
  if (verifiedAt === null && did !== 'prove') return
  const superUsers = await listSuperUsers(tx, organisationId)
  const by = superUsers.find((user) => user.id === userId)?.email ?? ''
  const url = mails.link('/settings?tab=team')
  const content = renderLoginDomainChangedMail({
    action: did,
    domain,
    provider: LOGIN_PROVIDER_NAMES[provider],
    by,
    at,
    url,
  })
  for (const { id: superUser, email: to } of superUsers) {
    const dedupeKey = `login_domain:${id}:${did}:${at.getTime()}:${superUser}`
    const mail = { kind: 'login_domain', to, content, dedupeKey, organisationId, userId: superUser }
    await mails.queue(tx, mail, at)
  }
}
