import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/mini'
import type { AccessTokenClaims, SessionTokens } from '#contract/account/session.ts'
import { type Db, DbUnavailableError, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { exchangeRefreshToken } from './exchange-refresh-token.ts'
import { createPendingSessionRevocations } from './pending-session-revocations.ts'
import {
  type EndedSession,
  findLiveSession,
  findSessionByRefreshToken,
  insertSession,
  markSessionSeen,
  revokeSessions,
} from './queries.ts'
import { createXsrfToken } from './xsrf-token.ts'

/** R7 allows at most 30 minutes for an access token, R6 at most 30 s of clock skew between our servers. */
const ACCESS_TTL_SECONDS = 30 * 60
const LEEWAY_SECONDS = 5
/** Maximum length of a token. Ours have about 300 characters; longer ones are rejected before any work (R6). */
const MAX_TOKEN_LENGTH = 2000
const MAX_CACHED_TOKENS = 5_000
const AUDIENCE = 'tamngan'
const ALGORITHM = 'HS256'

/** Strict: a claim or header that we never issue (`iss`, `nbf`, `kid`, `jku`) makes the token foreign. */
const claimsSchema = z.strictObject({
  sub: z.string().check(z.regex(/^\d{1,10}$/)),
  sid: z.string().check(z.minLength(1), z.maxLength(64)),
  org: z.string().check(z.regex(/^\d{1,10}$/)),
  iat: z.int(),
  exp: z.int(),
  aud: z.literal(AUDIENCE),
})
const headerSchema = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal('JWT') })

type AccessTokens = {
  sign(session: { userId: number; organisationId: number; sessionId: string }, now: Date): Promise<string>
  /** Returns the claims of a valid token, ignoring expiry with `evenExpired`; undefined otherwise. Never throws. */
  verify(token: string, now: Date, options?: { evenExpired?: boolean }): Promise<AccessTokenClaims | undefined>
}

/** `secrets`: the first signs, all verify, so that a secret can be changed without logging everyone out (R57). */
export function createAccessTokens(secrets: readonly [string, ...string[]]): AccessTokens {
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8')) as [KeyObject, ...KeyObject[]]

  /**
   * Caches the claims of verified tokens. A signature stays valid, so a hit rechecks only the expiry; verifying again
   * would be a thread-pool job per request, even for requests that are rejected later.
   */
  const verifiedClaims = new LRUCache<string, AccessTokenClaims>({ max: MAX_CACHED_TOKENS })

  async function verifyWith(key: KeyObject, token: string, currentDate: Date): Promise<AccessTokenClaims | undefined> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        audience: AUDIENCE,
        currentDate,
        clockTolerance: LEEWAY_SECONDS,
      })
      const claims = claimsSchema.safeParse(payload)
      return headerSchema.safeParse(protectedHeader).success && claims.success ? claims.data : undefined
    } catch {
      return undefined
    }
  }

  return {
    sign({ userId, organisationId, sessionId }, now) {
      const issuedAt = Math.floor(now.getTime() / 1000)
      return new SignJWT({ sid: sessionId, org: String(organisationId) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setSubject(String(userId))
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + ACCESS_TTL_SECONDS)
        .sign(keys[0])
    },
    async verify(token, now, { evenExpired = false } = {}) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      const isAlive = ({ exp }: AccessTokenClaims) =>
        evenExpired || exp > Math.floor(now.getTime() / 1000) - LEEWAY_SECONDS
      const cached = verifiedClaims.get(token)
      if (cached !== undefined) return isAlive(cached) ? cached : undefined
      // To ignore the expiry, verify as of the epoch, which is before every expiry; we never issue `nbf`.
      const asOf = evenExpired ? new Date(0) : now
      for (const key of keys) {
        const claims = await verifyWith(key, token, asOf)
        if (claims === undefined) continue
        verifiedClaims.set(token, claims)
        return claims
      }
      return undefined
    },
  }
}

/** Absolute session lifetime after login (R13); for operators a working day (R61). */
const ABSOLUTE_LIFE_MS = 30 * 24 * 60 * 60 * 1000
const OPERATOR_LIFE_MS = 8 * 60 * 60 * 1000

const MAX_USER_AGENT_LENGTH = 300

export type SessionDevice = { readonly address: string; readonly userAgent?: string | undefined }
type SessionRequest = Pick<FastifyRequest, 'headers' | 'id'>
export type OpenedSession = { readonly tokens: SessionTokens; readonly sessionId: string; readonly xsrfToken: string }

export type SessionRefreshOutcome =
  | { readonly kind: 'exchanged'; readonly session: OpenedSession }
  | { readonly kind: 'reused'; readonly ended: EndedSession }
  | { readonly kind: 'unknown' }

export type SessionService = {
  /** Opens a session. A demo session ends with its access token; its refresh token never works (C5). */
  open(user: {
    userId: number
    organisationId: number
    isDemo: boolean
    isOperator?: boolean
    isFactorTrusted?: boolean
    device?: SessionDevice | undefined
  }): Promise<OpenedSession>
  /**
   * Exchanges a refresh token for new tokens of the same session (R9, R10). `reused`: exchanged earlier than the
   * tolerance for parallel tabs, so the session has ended for all its tokens. `unknown`: no live session.
   */
  refresh(refresh: string): Promise<SessionRefreshOutcome>
  /**
   * Ends the sessions of this refresh token and of the bearer, expired or not, and returns those that were alive.
   * Rejects when the end cannot be stored; this process refuses the session regardless.
   */
  close(request: SessionRequest, refresh: string | undefined): Promise<EndedSession[]>
  /**
   * Returns the signed-in user from the database row, not the token (R8); cached per request. Throws `session_invalid`.
   */
  actorOf(request: SessionRequest): Promise<Actor>
  claimsOf(request: SessionRequest): Promise<AccessTokenClaims | undefined>
}

export function getBearerToken(request: SessionRequest): string | undefined {
  const match = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '')
  return match?.[1]
}

function rethrowUnlessUnavailable(error: unknown): void {
  if (!(error instanceof DbUnavailableError || error instanceof QueryTimeoutError)) throw error
}

export function memoizePerRequest<T>(
  work: (request: SessionRequest) => Promise<T>,
): (request: SessionRequest) => Promise<T> {
  const results = new WeakMap<SessionRequest, Promise<T>>()
  return (request) => {
    const cached = results.get(request)
    if (cached) return cached
    const result = work(request)
    results.set(request, result)
    return result
  }
}

export function createSessionService(db: Db, secrets: readonly [string, ...string[]], now: () => Date): SessionService {
  const accessTokens = createAccessTokens(secrets)
  const unstored = createPendingSessionRevocations()

  const claimsOf = memoizePerRequest(async (request) => {
    const bearer = getBearerToken(request)
    return bearer ? accessTokens.verify(bearer, now()) : undefined
  })

  const actorOf = memoizePerRequest(async (request): Promise<Actor> => {
    const claims = await claimsOf(request)
    if (claims && unstored.has(claims.sid)) throw new ProblemError('session_invalid')
    const session = claims && (await runWithoutTenant(() => findLiveSession(db, claims.sid, now())))
    if (!session || String(session.userId) !== claims.sub) throw new ProblemError('session_invalid')
    // Ignore a failed write of the last-seen time, because reads must still work on a full disk.
    if (session.seenLongAgo)
      await runWithoutTenant(() => markSessionSeen(db, claims.sid, now())).catch(rethrowUnlessUnavailable)
    const { seenLongAgo: _, ...actor } = session
    return { ...actor, sessionId: claims.sid }
  })

  async function open({
    userId,
    organisationId,
    isDemo,
    isOperator = false,
    isFactorTrusted = false,
    device,
  }: Parameters<SessionService['open']>[0]): Promise<OpenedSession> {
    const createdAt = now()
    const sessionId = randomBytes(16).toString('base64url')
    const refresh = generateSecretToken()
    const lifeMs = isDemo ? ACCESS_TTL_SECONDS * 1000 : isOperator ? OPERATOR_LIFE_MS : ABSOLUTE_LIFE_MS
    const session = {
      id: sessionId,
      userId,
      refreshHash: isDemo ? null : hashSecret(refresh),
      isDemo,
      isFactorTrusted,
      userAgent: device?.userAgent?.replace(/[^\x20-\x7e]/g, ' ').slice(0, MAX_USER_AGENT_LENGTH) ?? null,
      address: device?.address ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + lifeMs),
    }
    await db.transaction((tx) => insertSession(tx, session))
    const access = await accessTokens.sign({ userId, organisationId, sessionId }, createdAt)
    return { tokens: { access, refresh }, sessionId, xsrfToken: createXsrfToken(sessionId, secrets[0]) }
  }

  /** Derives the child of a refresh token, so that parallel tabs get the same one although only its hash is stored. */
  const childOf = (refresh: string, secret: string) =>
    createHmac('sha256', secret).update(`refresh:${refresh}`).digest('base64url')

  async function refresh(token: string): Promise<SessionRefreshOutcome> {
    const at = now()
    if (unstored.has(hashSecret(token))) return { kind: 'unknown' }
    // A child created before the signing secret changed is matched with the older secrets.
    const children = secrets.map((secret) => childOf(token, secret))
    const exchange = await db.transaction((tx) =>
      exchangeRefreshToken(tx, { hash: hashSecret(token), childHash: hashSecret(children[0]!), at }),
    )
    if (exchange.kind === 'unknown') return exchange
    const { sessionId, userId, organisationId } = exchange
    if (unstored.has(sessionId)) return { kind: 'unknown' }
    if (exchange.kind === 'reused') return { kind: 'reused', ended: { sessionId, userId, organisationId } }
    const child = children.find((candidate) => hashSecret(candidate) === exchange.childHash)
    if (child === undefined) return { kind: 'unknown' }
    const access = await accessTokens.sign({ userId, organisationId, sessionId }, at)
    return {
      kind: 'exchanged',
      session: { tokens: { access, refresh: child }, sessionId, xsrfToken: createXsrfToken(sessionId, secrets[0]) },
    }
  }

  async function sessionOfRefresh(refreshHash: string | null): Promise<string[]> {
    if (refreshHash === null) return []
    return await findSessionByRefreshToken(db, refreshHash).catch(() => [])
  }

  async function close(request: SessionRequest, refresh: string | undefined): Promise<EndedSession[]> {
    const bearer = getBearerToken(request)
    const claims = bearer ? await accessTokens.verify(bearer, now(), { evenExpired: true }) : undefined
    const refreshHash = refresh === undefined ? null : hashSecret(refresh)
    if (!claims && refreshHash === null) return []
    const at = now()
    const revoke = () => revokeSessions(db, { refreshHash, sessionId: claims?.sid ?? null }, at)
    try {
      return await revoke()
    } catch (error) {
      // R11: logout must succeed even while the database rejects writes.
      const keys = [claims?.sid, refreshHash].filter((key) => typeof key === 'string')
      unstored.add([...keys, ...(await sessionOfRefresh(refreshHash))], () => runWithoutTenant(revoke))
      throw error
    }
  }

  return { open, refresh, close, actorOf, claimsOf }
}
