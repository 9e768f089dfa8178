import { LRUCache } from 'lru-cache'
import type { AccessTokenClaims } from '#contract/account/session.ts'
import { getBearerToken, memoizePerRequest, type SessionService } from '#server/account/session/create-sessions.ts'
import { type Db, DbUnavailableError } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { type Actor, API_KEY_ROLE } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { API_KEY_PREFIX, isWellFormedApiKey } from './api-key-text.ts'
import { findLiveApiKey, recordApiKeyUse } from './queries.ts'

type CallerSource = Pick<SessionService, 'actorOf' | 'claimsOf'>

/** No user has this id, so a key sees no personal data and records no visits. */
const NO_USER_ID = 0
/**
 * Maximum number of keys in this process's LRU cache, which lets rate limits count requests per key without a database
 * query.
 */
const MAX_CACHED_KEYS = 5_000

function ignoreUnavailableDb(error: unknown): void {
  if (!(error instanceof DbUnavailableError)) throw error
}

/**
 * Authenticates sessions and API keys (`Authorization: Bearer tng_…`, decision 0112). A key's row is read on every
 * request, as for a session (R8). `claimsOf` does not query the database; a request with an unknown or revoked key
 * counts against its IP address.
 */
export function withApiKeyAuthentication(sessions: CallerSource, db: Db, now: () => Date): CallerSource {
  const claimsByHash = new LRUCache<string, AccessTokenClaims>({ max: MAX_CACHED_KEYS })

  const actorOfKey = async (text: string): Promise<Actor> => {
    if (!isWellFormedApiKey(text)) throw new ProblemError('session_invalid')
    const hash = hashSecret(text)
    const key = await runWithoutTenant(() => findLiveApiKey(db, hash, now()))
    if (!key) {
      claimsByHash.delete(hash)
      throw new ProblemError('session_invalid')
    }
    const { id, organisationId, features, scopes } = key
    const name = `key:${id}`
    claimsByHash.set(hash, { sub: name, sid: name, org: String(organisationId), iat: 0, exp: 0, aud: 'tamngan' })
    // When the disk is full, this write fails; ignore it so that reads are still served.
    if (key.isUseDue) await runWithoutTenant(() => recordApiKeyUse(db, id, now())).catch(ignoreUnavailableDb)
    return { userId: NO_USER_ID, organisationId, sessionId: name, role: API_KEY_ROLE, isDemo: false, features, scopes }
  }

  const keyOf = (request: Parameters<CallerSource['actorOf']>[0]): string | undefined => {
    const bearer = getBearerToken(request)
    return bearer?.startsWith(API_KEY_PREFIX) ? bearer : undefined
  }
  return {
    actorOf: memoizePerRequest(async (request) => {
      const key = keyOf(request)
      return key === undefined ? sessions.actorOf(request) : actorOfKey(key)
    }),
    async claimsOf(request) {
      const key = keyOf(request)
      return key === undefined ? sessions.claimsOf(request) : claimsByHash.get(hashSecret(key))
    },
  }
}
