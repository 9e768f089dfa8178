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

/** No user has this number: a key sees nothing of anybody's own, and changes no mark of a visit. */
const NOBODY = 0
/** Keys whose organisation this process knows, so that limits count them before the database is asked; the oldest gives way. */
const MOST_KNOWN = 5_000

function unlessAway(error: unknown): void {
  if (!(error instanceof DbUnavailable)) throw error
}

/**
 * Those who call with a session, and those with an API key: `Authorization: Bearer tng_…` (decision 0112). The row of a key is read at every request,
 * as that of a session is (R8). `claimsOf` asks no database; a key that this process does not know yet, or that works no more, counts for its address.
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
    // With a full disk what is only read is still answered.
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
