import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { queryClient } from '#src/api/http/query-client.ts'
import { formatQueryString, getRelativeUrl, parseQueryString } from '#src/lib/flat-search-params.ts'
import { resetFailedLazyLoad } from '#src/lib/lazy-component.ts'
import { repairUrl } from '#src/lib/link-repair.ts'
import { routeTree } from '#src/routes/route-tree.ts'
import { ErrorScreen } from './error-screen.tsx'
import { PendingScreen } from './pending-screen.tsx'

function repairWindowAddress(): void {
  const { pathname, search, hash } = window.location
  const address = getRelativeUrl(repairUrl(window.location))
  if (address === pathname + search + hash) return
  // Use the native method, because the router patches `history.replaceState` and would treat this as a navigation.
  History.prototype.replaceState.call(window.history, window.history.state, '', address)
}

/** Browser history that also handles a `#` typed into the current URL, for which browsers fire only `popstate`. */
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
    context: { queryClient },
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
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
    defaultOnCatch: resetFailedLazyLoad,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
