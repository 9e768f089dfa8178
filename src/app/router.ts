import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { isBudgetOnly } from '#src/lib/budget-only.ts'
import { lazyComponent, resetFailedLoad } from '#src/lib/lazy-component.ts'
import { repairUrl } from '#src/lib/link-repair.ts'
import { formatSearchText, parseSearchText, windowAddress } from '#src/lib/search-text.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { routeTree } from '#src/routes/route-tree.ts'
import { PendingScreen } from './pending-screen.tsx'

/** Loaded while the browser is idle, because it could not be loaded once the connection has failed. */
const ErrorScreen = lazyComponent(() => import('./error-screen.tsx'), 'ErrorScreen')

export function preloadErrorScreen(): void {
  void ErrorScreen.preload()
}

/** Repairs the window's URL after a chat app damaged it or a `#` was typed by hand into a filter. */
function repairWindowAddress(): void {
  const { pathname, search, hash } = window.location
  const address = windowAddress(repairUrl(window.location))
  if (address === pathname + search + hash) return
  // Use the native method, because the router patches `history.replaceState` and would treat this as a navigation.
  History.prototype.replaceState.call(window.history, window.history.state, '', address)
}

/** Creates a browser history that also handles a `#` typed into the current URL, which only fires `popstate`. */
function windowHistory(): RouterHistory {
  repairWindowAddress()
  // Register before the router's listener, so that the router reads the repaired URL.
  window.addEventListener('popstate', repairWindowAddress)
  return createBrowserHistory()
}

export function createAppRouter(history: RouterHistory = windowHistory()) {
  return createRouter({
    history,
    routeTree,
    parseSearch: parseSearchText,
    stringifySearch: formatSearchText,
    search: { strict: true },
    defaultPreload: 'intent',
    // Always run preloads, because TanStack Query decides whether data is stale.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PendingScreen,
    // Screens that load within 200 ms show no placeholder; a placeholder stays at least 300 ms to avoid flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultErrorComponent: ErrorScreen,
    defaultOnCatch: resetFailedLoad,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}

const MAX_DATA_WAIT_MS = 1500

/**
 * Starts the first screen's code and queries in parallel with the account request, because the router would start them
 * only after the guard. A no-op without a session, when the guard redirects to /login. Resolves when the screen's data
 * has loaded or after `MAX_DATA_WAIT_MS`; never rejects.
 */
export async function startFirstScreen(router: AppRouter): Promise<void> {
  if (!currentSession()) return
  const location = router.latestLocation
  // The guard redirects budget-only accounts from every other screen to the budget, so there is nothing to start.
  if (isBudgetOnly() && !['/budget', '/settings'].includes(location.pathname)) return
  const [routes, params] = router.getMatchedRoutes(location.pathname)
  const loads = routes.map((route) => {
    // A failed load is retried and reported when the router requests the chunk.
    router.loadRouteChunk(route)?.catch(() => undefined)
    const { loader } = route.options
    return typeof loader === 'function' && loader({ location, params, preload: false, waits: true })
  })
  await new Promise((resolve) => {
    void Promise.allSettled(loads).then(resolve)
    setTimeout(resolve, MAX_DATA_WAIT_MS)
  })
}
