import { refreshSession } from '#src/account/api/refresh-session.ts'
import { logout } from '#src/account/api/sessions.ts'
import { setSessionEndHandler } from '#src/api/http/client.ts'
import {
  getCurrentSession,
  getSessionOwner,
  type Session,
  type SessionChangeCause,
  subscribeToSession,
} from '#src/lib/session-store.ts'
import type { AppRouter } from './router.ts'

/** Maximum delay of setTimeout. Tokens live only minutes, so the cap never matters. */
const MAX_TIMER_DELAY_MS = 2 ** 31 - 1
/** Renews tokens, which live 30 minutes, this long before expiry; leaves time for retries on a bad connection. */
const REFRESH_AHEAD_MS = 5 * 60_000
/** The first retries fall within the 10 s in which the server repeats a response that may have been lost. */
const REFRESH_RETRY_DELAYS_MS = [2000, 5000, 30_000]

/**
 * Handles the end of the session: a 401, logout in any tab, or token expiry. Navigates to /login once and, except after
 * an explicit logout, saves the current URL for after login. A login in another tab logs this tab in too. Renews access
 * tokens before they expire; a device that slept through the renewal is logged out (specification section 4). Returns a
 * function that stops it.
 */
export function startHandlingSessionEnd(router: AppRouter): () => void {
  let expiry: ReturnType<typeof setTimeout> | undefined
  let refresh: ReturnType<typeof setTimeout> | undefined
  let owner = getSessionOwner(getCurrentSession())

  const scheduleTimers = (session: Session | undefined) => {
    clearTimeout(expiry)
    clearTimeout(refresh)
    if (!session) return
    const remainingMs = session.expiresAtMs - Date.now()
    // Reading an expired session removes it and notifies all watchers.
    expiry = setTimeout(getCurrentSession, Math.min(remainingMs + 50, MAX_TIMER_DELAY_MS))
    if (session.refresh)
      refresh = setTimeout(renew, Math.min(Math.max(0, remainingMs - REFRESH_AHEAD_MS), MAX_TIMER_DELAY_MS), 0)
  }
  const renew = async (failures: number) => {
    const renewed = await refreshSession()
    if (!renewed && getCurrentSession()) {
      refresh = setTimeout(renew, REFRESH_RETRY_DELAYS_MS[failures] ?? REFRESH_RETRY_DELAYS_MS.at(-1), failures + 1)
    }
  }
  const redirectToLogin = (cause: SessionChangeCause) => {
    // The guard may already be redirecting to /login with the URL of the target route.
    setTimeout(() => {
      const { pathname, href } = router.latestLocation
      if (pathname === '/login' || getCurrentSession()) return
      const search = cause === 'expired' || cause === 'dead' ? { redirect: href } : {}
      void router.navigate({ to: '/login', search, replace: true })
    })
  }
  const stopWatching = subscribeToSession((session, cause) => {
    scheduleTimers(session)
    const previousOwner = owner
    owner = getSessionOwner(session)
    if (!session) redirectToLogin(cause)
    else if (cause === 'elsewhere' && owner !== previousOwner) void router.invalidate()
  })
  setSessionEndHandler((access) => {
    // A 401 for an earlier token does not affect the current session.
    if (access === undefined || access === getCurrentSession()?.access) void logout('dead')
  })
  scheduleTimers(getCurrentSession())
  return () => {
    clearTimeout(expiry)
    clearTimeout(refresh)
    stopWatching()
  }
}
