import { logout } from '#src/account/api/sessions.ts'
import { whenSessionDies } from '#src/api/http/client.ts'
import { rememberBudgetOnly } from '#src/lib/budget-only.ts'
import { currentSession, ownerOf, type Session, type SessionCause, watchSession } from '#src/lib/session-store.ts'
import type { AppRouter } from './router.ts'

/** Longest delay that setTimeout takes; tokens live minutes. */
const MOST_DELAY_MS = 2 ** 31 - 1
/** An access token lives 30 minutes: enough time to try again over a bad connection. */
const REFRESH_AHEAD_MS = 5 * 60_000
/** The first tries fall within the ten seconds in which the server gives the same answer again: the lost one may have been the answer. */
const REFRESH_AGAIN_MS = [2000, 5000, 30_000]

/**
 * Follows the session wherever it ends: a dead answer (401), logout here or in another tab, the end of the access token's
 * life. Leaving goes to /login once; unless somebody pressed logout, the present address is kept for after login.
 * A login in another tab brings this one along. Before an access token ends it is exchanged for the next; a device that was
 * asleep at that moment finds it expired, which is logged out (specification section 4). Returns the function that stops it.
 */
export function followSession(router: AppRouter): () => void {
  let expiry: ReturnType<typeof setTimeout> | undefined
  let refresh: ReturnType<typeof setTimeout> | undefined
  let owner = ownerOf(currentSession())

  const arm = (session: Session | undefined) => {
    clearTimeout(expiry)
    clearTimeout(refresh)
    if (!session) return
    const left = session.expiresAtMs - Date.now()
    // Reading an expired session removes it, which tells every watcher.
    expiry = setTimeout(currentSession, Math.min(left + 50, MOST_DELAY_MS))
    if (session.refresh) refresh = setTimeout(renew, Math.min(Math.max(0, left - REFRESH_AHEAD_MS), MOST_DELAY_MS), 0)
  }
  const renew = async (failures: number) => {
    const renewed = await import('#src/account/api/refresh-session.ts').then(
      ({ refreshSession }) => refreshSession(),
      () => false,
    )
    // Success and the end of the session have armed anew through the watcher.
    if (!renewed && currentSession()) {
      refresh = setTimeout(renew, REFRESH_AGAIN_MS[failures] ?? REFRESH_AGAIN_MS.at(-1), failures + 1)
    }
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
    arm(session)
    const before = owner
    owner = ownerOf(session)
    if (!session) {
      rememberBudgetOnly(false)
      leave(cause)
    } else if (cause === 'elsewhere' && owner !== before) void router.invalidate()
  })
  whenSessionDies((access) => {
    // An answer to a token that is no longer ours says nothing about the present session.
    if (access === undefined || access === currentSession()?.access) void logout('dead')
  })
  arm(currentSession())
  return () => {
    clearTimeout(expiry)
    clearTimeout(refresh)
    stopWatching()
  }
}
