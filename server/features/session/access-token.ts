import { createSecretKey, type KeyObject } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod/mini'
import type { AccessClaims } from '#contract/session.ts'

/** Life of an access token (R7: at most 30 minutes). */
export const ACCESS_TTL_SECONDS = 30 * 60
/** Clocks of our own servers may differ by this much (R6: at most 30 s). */
const LEEWAY_SECONDS = 5
/** Ours have about 300 characters; anything long is refused before any work (R6). */
const MAX_TOKEN_LENGTH = 2000
/** Tokens whose signature was found right; the oldest gives way. */
const MOST_KNOWN = 5_000
const AUDIENCE = 'tamngan'
const ALGORITHM = 'HS256'

/** Strict: a claim or header field that we never issue (`iss`, `nbf`, `kid`, `jku`) makes the token foreign. */
const claimsSchema = z.strictObject({
  sub: z.string().check(z.regex(/^\d{1,10}$/)),
  sid: z.string().check(z.minLength(1), z.maxLength(64)),
  org: z.string().check(z.regex(/^\d{1,10}$/)),
  iat: z.int(),
  exp: z.int(),
  aud: z.literal(AUDIENCE),
})
const headerSchema = z.strictObject({ alg: z.literal(ALGORITHM), typ: z.literal('JWT') })

export type AccessTokens = {
  sign(session: { userId: number; organisationId: number; sessionId: string }, now: Date): Promise<string>
  /** Claims of a token that is ours and, unless `evenExpired`, still alive; undefined for anything else. Never throws. */
  verify(token: string, now: Date, options?: { evenExpired?: boolean }): Promise<AccessClaims | undefined>
}

/** `secrets`: the first signs, all verify, so that a secret can be changed without logging everyone out (R57). */
export function createAccessTokens(secrets: readonly [string, ...string[]]): AccessTokens {
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8')) as [KeyObject, ...KeyObject[]]

  /** A signature stays right, so that only the expiry is looked at again: each check of one is a job for another thread, also for what is then refused. */
  const known = new Map<string, AccessClaims>()

  async function verifyWith(key: KeyObject, token: string, currentDate: Date): Promise<AccessClaims | undefined> {
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
      const isAlive = ({ exp }: AccessClaims) => evenExpired || exp > Math.floor(now.getTime() / 1000) - LEEWAY_SECONDS
      const found = known.get(token)
      if (found !== undefined) return isAlive(found) ? found : undefined
      // The epoch is before every expiry, and we never issue `nbf`.
      const asOf = evenExpired ? new Date(0) : now
      for (const key of keys) {
        const claims = await verifyWith(key, token, asOf)
        if (claims === undefined) continue
        if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value!)
        known.set(token, claims)
        return claims
      }
      return undefined
    },
  }
}
