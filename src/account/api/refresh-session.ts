import { tokensSchema } from '#contract/account/session.ts'
import { logout } from '#src/account/api/sessions.ts'
import { request } from '#src/api/http/client.ts'
import { NetworkError, ProblemError } from '#src/api/http/problem-error.ts'
import { currentSession, replaceTokens, sessionFrom } from '#src/lib/session-store.ts'

const LOCK = 'tamngan.refresh'

/**
 * Exchanges the refresh token for the next pair, once for all tabs of the browser (R55). Resolves to whether the session has new
 * tokens, by this tab or another; false when there was no answer. A refusal ends the session.
 */
export async function refreshSession(): Promise<boolean> {
  const due = currentSession()?.access
  if (due === undefined) return false
  // Browsers without locks have the server's ten seconds in which the same token gives the same pair.
  return navigator.locks ? await navigator.locks.request(LOCK, () => exchange(due)) : await exchange(due)
}

async function exchange(due: string): Promise<boolean> {
  const session = currentSession()
  if (!session) return false
  // Another tab was faster.
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
    // Somebody logged out or in meanwhile: these tokens are nobody's.
    if (!next || currentSession()?.access !== due) return false
    replaceTokens(next)
    return true
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) await logout('dead')
    return false
  }
}

/** The bearer of a session that slept without a network, renewed; undefined when the server has ended it. Throws NetworkError without an answer. */
export async function renewedAccess(): Promise<string | undefined> {
  const isRenewed = await refreshSession()
  const session = currentSession()
  if (session && !isRenewed) throw new NetworkError('The session sleeps')
  return session?.access
}
