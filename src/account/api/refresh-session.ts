import { tokensSchema } from '#contract/account/session.ts'
import { logout } from '#src/account/api/sessions.ts'
import { request } from '#src/api/http/client.ts'
import { NetworkError, ProblemError } from '#src/api/http/problem-error.ts'
import { currentSession, replaceTokens, sessionFrom } from '#src/lib/session-store.ts'

const LOCK = 'tamngan.refresh'

/**
 * Exchanges the refresh token, once for all tabs of the browser (R55). Resolves to whether the session has new tokens,
 * from this tab or another; false without a response. A rejection ends the session.
 */
export async function refreshSession(): Promise<boolean> {
  const due = currentSession()?.access
  if (due === undefined) return false
  // Browsers without locks rely on the server, which returns the same pair for the same token for ten seconds.
  return navigator.locks ? await navigator.locks.request(LOCK, () => exchange(due)) : await exchange(due)
}

async function exchange(due: string): Promise<boolean> {
  const session = currentSession()
  if (!session) return false
  // Another tab has already refreshed.
  if (session.access !== due) return true
  if (!session.refresh) return false
  try {
    const tokens = await request('auth/token/refresh/', {
      method: 'post',
      json: { refresh: session.refresh },
      schema: tokensSchema,
      withoutBearer: true,
      keepsSession: true,
    })
    const next = sessionFrom(tokens, session.isDemo)
    // The session changed meanwhile, so discard these tokens.
    if (!next || currentSession()?.access !== due) return false
    replaceTokens(next)
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) await logout('dead')
    return false
  }
}

/**
 * Returns a fresh access token after the device was offline; undefined when the server has ended the session. Throws
 * NetworkError without a response.
 */
export async function renewedAccess(): Promise<string | undefined> {
  const isRenewed = await refreshSession()
  const session = currentSession()
  if (session && !isRenewed) throw new NetworkError('The session sleeps')
  return session?.access
}
