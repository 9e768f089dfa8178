import { sessionTokensSchema } from '#contract/account/session.ts'
import { logout } from '#src/account/api/sessions.ts'
import { postAnonymously } from '#src/api/http/client.ts'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession, replaceSessionTokens, toSession } from '#src/lib/session-store.ts'

const LOCK = 'tamngan.refresh'

/**
 * Exchanges the refresh token once for all tabs of the browser (R55). Resolves to true if the session has new tokens,
 * from this tab or another, and to false if the server did not respond. Ends the session if the server rejects the
 * token.
 */
export async function refreshSession(): Promise<boolean> {
  const staleAccess = getCurrentSession()?.access
  if (staleAccess === undefined) return false
  // Without the Web Locks API: for ten seconds the server returns the same new tokens for one refresh token.
  return navigator.locks
    ? await navigator.locks.request(LOCK, () => exchangeRefreshToken(staleAccess))
    : await exchangeRefreshToken(staleAccess)
}

async function exchangeRefreshToken(staleAccess: string): Promise<boolean> {
  const session = getCurrentSession()
  if (!session) return false
  if (session.access !== staleAccess) return true
  if (!session.refresh) return false
  try {
    const json = { refresh: session.refresh }
    const tokens = await postAnonymously('auth/token/refresh/', { json, schema: sessionTokensSchema })
    const newSession = toSession(tokens, session.isDemo)
    // The session changed during the request, so discard these tokens.
    if (!newSession || getCurrentSession()?.access !== staleAccess) return false
    replaceSessionTokens(newSession)
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) await logout('dead')
    return false
  }
}

/** Undefined when the server has ended the session. Throws NetworkError if the server does not respond. */
export async function fetchRenewedAccessToken(): Promise<string | undefined> {
  const isRenewed = await refreshSession()
  const session = getCurrentSession()
  if (session && !isRenewed) throw new NetworkError('The session could not be renewed: no response')
  return session?.access
}
