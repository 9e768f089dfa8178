import { sendApiRequest } from '#src/api/http/client.ts'
import { endSession, getCurrentSession } from '#src/lib/session-store.ts'

const LOGOUT_TIMEOUT_MS = 3000

let leaving: Promise<void> | undefined

/**
 * Logs out: notifies the server if there is a refresh token, then always clears both tokens. Concurrent calls share one
 * logout, so ten rejected requests log out once (R55).
 */
export function logout(cause: 'logout' | 'dead' = 'logout'): Promise<void> {
  leaving ??= performLogout(cause).finally(() => {
    leaving = undefined
  })
  return leaving
}

async function performLogout(cause: 'logout' | 'dead'): Promise<void> {
  const refresh = getCurrentSession()?.refresh
  if (refresh) {
    await sendApiRequest('auth/logout/', {
      method: 'post',
      json: { refresh },
      keepsSession: true,
      timeoutMs: LOGOUT_TIMEOUT_MS,
    }).catch((error: unknown) => {
      console.warn('The server did not confirm the logout', error)
    })
  }
  endSession(cause)
}
