import { LRUCache } from 'lru-cache'
import type { AccessClaims } from '#contract/account/session.ts'
import { bearerOf, oncePerRequest, type Sessions } from '#server/account/session/sessions.ts'
import { type Db, DbUnavailable } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { secretHash } from '#server/platform/route/secret-token.ts'
import { isKeyText, KEY_BEGINNING } from './key-text.ts'
import { findLiveKey, recordUse } from './queries.ts'

type Callers = Pick<Sessions, 'actorOf' | 'claimsOf'>

/** No user has this id, so a key sees no personal data and records no visits. */
const NOBODY = 0
/** LRU limit of keys known to this process, which rate limits can count without a database query. */
const MOST_KNOWN = 5_000

function unlessAway(error: unknown): void {
  if (!(error instanceof DbUnavailable)) throw error
}

/**
 * Authenticates sessions and API keys (`Authorization: Bearer tng_…`, decision 0112). A key's row is read on every
 * request, like a session's (R8). `claimsOf` does not query the database; an unknown or revoked key counts against its
 * IP address.
 */
export function callersWithKeys(sessions: Callers, db: Db, now: () => Date): Callers {
  const known = new LRUCache<string, AccessClaims>({ max: MOST_KNOWN })

  const actorOfKey = async (text: string): Promise<Actor> => {
    if (!isKeyText(text)) throw new ProblemError('session_invalid')
    const hash = secretHash(text)
    const key = await asOwner(() => findLiveKey(db, hash, now()))
    if (!key) {
      known.delete(hash)
      throw new ProblemError('session_invalid')
    }
    const { id, organisationId, features, scopes } = key
    const name = `key:${id}`
    known.set(hash, { sub: name, sid: name, org: String(organisationId), iat: 0, exp: 0, aud: 'tamngan' })
    // With a full disk the write fails, but reads are still served.
    if (key.isUseDue) await asOwner(() => recordUse(db, id, now())).catch(unlessAway)
    return { userId: NOBODY, organisationId, sessionId: name, role: 'api_key', isDemo: false, features, scopes }
  }

  const keyOf = (request: Parameters<Callers['actorOf']>[0]): string | undefined => {
    const bearer = bearerOf(request)
    return bearer?.startsWith(KEY_BEGINNING) ? bearer : undefined
  }
  return {
    actorOf: oncePerRequest(async (request) => {
      const key = keyOf(request)
      return key === undefined ? sessions.actorOf(request) : actorOfKey(key)
    }),
    async claimsOf(request) {
      const key = keyOf(request)
      return key === undefined ? sessions.claimsOf(request) : known.get(secretHash(key))
    },
  }
}
