import { request } from '#src/api/http/client.ts'
import { currentSession, endSession } from '#src/lib/session-store.ts'

/** Longest wait for the server's word on logging out; the tokens are cleared in any case. */
const LOGOUT_WAIT_MS = 3000

let leaving: Promise<void> | undefined

/**
 * Logs out: tells the server when there is a refresh token, then always clears both tokens. Calls made while one is under
 * way share it, so ten dead answers make one logout (R55).
 */
export function logout(cause: 'logout' | 'dead' = 'logout'): Promise<void> {
  leaving ??= leave(cause).finally(() => {
    leaving = undefined
  })
  return leaving
}

async function leave(cause: 'logout' | 'dead'): Promise<void> {
  const refresh = currentSession()?.refresh
  if (refresh) {
    await request('auth/logout/', {
      method: 'post',
      json: { refresh },
      keepsSession: true,
      timeoutMs: LOGOUT_WAIT_MS,
    }).catch((error: unknown) => {
      console.warn('The server did not confirm the logout', error)
    })
  }
  endSession(cause)
}
