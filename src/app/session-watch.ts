import { whenSessionDies } from '#src/api/client.ts'
import { logout } from '#src/api/sessions.ts'
import { currentSession, type Session, type SessionCause, watchSession } from '#src/lib/session-store.ts'
import type { AppRouter } from './router.ts'

/** Longest delay that setTimeout takes; tokens live minutes. */
const MOST_DELAY_MS = 2 ** 31 - 1

/**
 * Follows the session wherever it ends: a dead answer (401), logout here or in another tab, the end of the access token's
 * life. Leaving goes to /login once; unless somebody pressed logout, the present address is kept for after login.
 * A login in another tab brings this one along. Returns the function that stops it.
 */
export function followSession(router: AppRouter): () => void {
  let expiry: ReturnType<typeof setTimeout> | undefined

  const armExpiry = (session: Session | undefined) => {
    clearTimeout(expiry)
    // Reading an expired session removes it, which tells every watcher.
    if (session) expiry = setTimeout(currentSession, Math.min(session.expiresAtMs - Date.now() + 50, MOST_DELAY_MS))
  }
  const leave = (cause: SessionCause) => {
    // The guard may have found the end while entering a route and be on its way to /login with that route's address.
    setTimeout(() => {
      const { pathname, href } = router.latestLocation
      if (pathname === '/login' || currentSession()) return
      const search = cause === 'expired' || cause === 'dead' ? { redirect: href } : {}
      void router.navigate({ to: '/login', search, replace: true })
    })
  }
  const stopWatching = watchSession((session, cause) => {
    armExpiry(session)
    if (!session) leave(cause)
    else if (cause === 'elsewhere') void router.invalidate()
  })
  whenSessionDies((access) => {
    // An answer to a token that is no longer ours says nothing about the present session.
    if (access === undefined || access === currentSession()?.access) void logout('dead')
  })
  armExpiry(currentSession())
  return () => {
    clearTimeout(expiry)
    stopWatching()
  }
}
