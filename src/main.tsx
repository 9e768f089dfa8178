import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { findScreenByPath } from '#contract/screen.ts'
import { fetchRenewedAccessToken } from '#src/account/api/refresh-session.ts'
import { setAccessTokenRenewalHandler } from '#src/api/http/client.ts'
import { App } from './app/app.tsx'
import { reloadOnceOnMissingChunks } from './app/chunk-recovery.ts'
import { createAppRouter } from './app/router.ts'
import { loadSentryWhenIdle, reportError } from './app/sentry-boot.ts'
import { startHandlingSessionEnd } from './app/start-handling-session-end.ts'
import { tolerateBrowserPageTranslation } from './app/tolerate-browser-page-translation.ts'
import { getCurrentSession } from './lib/session-store.ts'
import { preloadLoader, startLoader } from './routes/lazy-loader.ts'
import { captureInstallPromptEvent } from './shell/installed-app/install-event.ts'
import './styles.css'

/** The pages that links from mails and messages open. Their loaders may run before the guard and again after it. */
const ROUTES_STARTED_EARLY = ['/_app/report', '/_app/report/$id'] as const

reloadOnceOnMissingChunks()
tolerateBrowserPageTranslation()
captureInstallPromptEvent()
setAccessTokenRenewalHandler(fetchRenewedAccessToken)

const router = createAppRouter()
loadSentryWhenIdle(router)
startHandlingSessionEnd(router)
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) focusHeading()
})

// A demo link signs in first and then shows the report, whose code loads meanwhile.
const isDemoLink = location.pathname === '/login' && new URLSearchParams(location.search).has('refkey')
if (isDemoLink) loadPageCode('/report')
else if (getCurrentSession()) startPage()
// Keep index.html's placeholder until the first screen has loaded. In a transition /login blocks a third less.
void router.load().then(() => {
  // Created after the requests above, which it would delay. Also report errors that error boundaries catch.
  const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
  startTransition(() => root.render(<App router={router} />))
})

/** Focuses the new heading after navigation, so that screen readers announce it and Tab continues from there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading || document.activeElement?.closest('form')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** Failed loads are retried and reported when the router requests the code. */
function loadPageCode(pathname: string): void {
  for (const route of router.getMatchedRoutes(pathname)[0]) {
    router.loadRouteChunk(route)?.catch(() => undefined)
    preloadLoader(route)
  }
}

/**
 * Loads the code and the data of the first page in parallel with the account that the route guard waits for. On slow 4G
 * the first rows are painted 0.3 s sooner (`bench/lighthouse.ts --applied`).
 */
function startPage(): void {
  loadPageCode(location.pathname)
  const match = router.matchRoutes(router.latestLocation).at(-1)
  const routeId = ROUTES_STARTED_EARLY.find((id) => id === match?.routeId)
  // The router matches addresses that are not found to the longest route that they begin with.
  if (!routeId || !findScreenByPath(location.pathname)) return
  const { loaderDeps, params } = match!
  startLoader(router.routesById[routeId], { context: router.options.context, deps: loaderDeps, params })
}
