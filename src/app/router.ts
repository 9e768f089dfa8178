import { createBrowserHistory, createRouter, type RouterHistory } from '@tanstack/react-router'
import { isBudgetOnly } from '#src/lib/budget-only.ts'
import { forgetFailedLoad, lazyComponent } from '#src/lib/lazy-component.ts'
import { repairedLink } from '#src/lib/link-repair.ts'
import { parseSearchText, printSearchText, windowAddress } from '#src/lib/search-text.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { routeTree } from '#src/routes/route-tree.ts'
import { PendingScreen } from './pending-screen.tsx'

/** Loaded when the browser is idle, so that it is there when something fails. */
const ErrorScreen = lazyComponent(() => import('./error-screen.tsx'), 'ErrorScreen')

export function preloadErrorScreen(): void {
  // What cannot be loaded is met by the next try.
  void ErrorScreen.preload()
}

/** Writes an address that a chat damaged, or a `#` that was typed by hand into a filter, as it was meant. */
function mendWindowAddress(): void {
  const { pathname, search, hash } = window.location
  const address = windowAddress(repairedLink(window.location))
  if (address === pathname + search + hash) return
  // The window's own method becomes the router's, which takes it for a navigation.
  History.prototype.replaceState.call(window.history, window.history.state, '', address)
}

/** The history of the window. A `#` typed into the present address changes its fragment alone, which tells only `popstate`. */
function windowHistory(): RouterHistory {
  mendWindowAddress()
  // Before the history listens itself, so that it reads the mended address.
  window.addEventListener('popstate', mendWindowAddress)
  return createBrowserHistory()
}

/** The router of the product; tests give it a memory history. */
export function createAppRouter(history: RouterHistory = windowHistory()) {
  return createRouter({
    history,
    routeTree,
    parseSearch: parseSearchText,
    stringifySearch: printSearchText,
    // Only what a route's own validateSearch returns reaches its page.
    search: { strict: true },
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingComponent: PendingScreen,
    // A screen that arrives within 200 ms shows no waiting state; one that is shown stays long enough not to flicker.
    defaultPendingMs: 200,
    defaultPendingMinMs: 300,
    defaultErrorComponent: ErrorScreen,
    defaultOnCatch: forgetFailedLoad,
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}

/** Longest wait of the first drawing for its answers, ms: after that it has skeletons where they will be. */
const ANSWERS_WAIT_MS = 1500

/**
 * Starts the first screen at once, beside the account that the guard waits for: its code and its first queries. The router would begin with
 * both only after the guard. Without a session the guard leads to /login, so then nothing is asked ahead. Resolves when the answers that the
 * screen begins with are there, or `ANSWERS_WAIT_MS` later; never rejects.
 */
export async function startFirstScreen(router: AppRouter): Promise<void> {
  if (!currentSession()) return
  const location = router.latestLocation
  // The guard leads these accounts from every other screen to the budget.
  if (isBudgetOnly() && !['/budget', '/settings'].includes(location.pathname)) return
  const [routes, params] = router.getMatchedRoutes(location.pathname)
  const answers = routes.map((route) => {
    // What cannot be loaded is met again, and shown, when the router asks for it.
    router.loadRouteChunk(route)?.catch(() => undefined)
    const { loader } = route.options
    return typeof loader === 'function' && loader({ location, params, preload: false, waits: true })
  })
  await new Promise((resolve) => {
    void Promise.allSettled(answers).then(resolve)
    setTimeout(resolve, ANSWERS_WAIT_MS)
  })
}
