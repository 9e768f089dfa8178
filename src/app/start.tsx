import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { setAccessRenewal } from '#src/api/http/client.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { App } from './app.tsx'
import { createAppRouter, preloadErrorScreen, startFirstScreen } from './router.ts'
import { bootSentry, reportError } from './sentry-boot.ts'
import { watchSessionEnd } from './session-watch.ts'
import { supportTranslatedPages } from './translated-page.ts'

/**
 * Renders the first screen once its code, account and data have loaded; until then the server-rendered placeholder
 * stays. Rendering in a transition lets React yield every 5 ms. Loading the router after mounting would block, because
 * React does not time-slice updates from an external store.
 */
async function renderFirstScreen(): Promise<void> {
  // A demo link opens the report directly, because rendering the login screen first took one second more on a phone.
  if (/[?&]refkey=/.test(location.search))
    await import('#src/shell/session/demo-link.ts')
      .then(({ enterDemoByLink }) => enterDemoByLink())
      .catch(() => undefined)

  const router = createAppRouter()
  const isScreenThere = startFirstScreen(router)

  bootSentry(router)
  watchSessionEnd(router)

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) focusHeading()
  })

  // Also report errors that error boundaries catch. React has already logged them to the console.
  const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
  await Promise.all([router.load(), isScreenThere])
  startTransition(() => root.render(<App router={router} />))
}
setAccessRenewal(() =>
  import('#src/account/api/refresh-session.ts').then(({ fetchRenewedAccess }) => fetchRenewedAccess()),
)
supportTranslatedPages()
void renderFirstScreen()
// Evaluating this code takes a phone 200 ms, so do not load it while a user types a password on /login.
if (currentSession()) setTimeout(preloadErrorScreen, 2000)

/** Focuses the new heading after navigation, so that screen readers announce it and Tab continues from there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading || document.activeElement?.closest('form')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
