import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { whenAccessExpires } from '#src/api/http/client.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { App } from './app.tsx'
import { createAppRouter, preloadErrorScreen, startFirstScreen } from './router.ts'
import { bootSentry, reportError } from './sentry-boot.ts'
import { followSession } from './session-watch.ts'
import { supportTranslatedPages } from './translated-page.ts'

/**
 * Renders the first screen once its code, account and data have loaded; until then the server-rendered placeholder
 * stays. Rendering in a transition lets React yield every 5 ms. Loading the router after mounting would block, because
 * React does not time-slice updates from an external store.
 */
async function drawFirstScreen(): Promise<void> {
  // A demo link leads straight to the report; rendering the login screen first took a phone one second more.
  if (/[?&]refkey=/.test(location.search))
    await import('#src/shell/session/demo-link.ts').then(({ enterByLink }) => enterByLink()).catch(() => undefined)

  const router = createAppRouter()
  const isScreenThere = startFirstScreen(router)

  bootSentry(router)
  followSession(router)

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) focusHeading()
  })

  // Also report errors caught by error boundaries, which have logged them to the console already.
  const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
  await Promise.all([router.load(), isScreenThere])
  startTransition(() => root.render(<App router={router} />))
}
whenAccessExpires(() => import('#src/account/api/refresh-session.ts').then(({ renewedAccess }) => renewedAccess()))
supportTranslatedPages()
void drawFirstScreen()
// Its code takes a phone 200 ms to evaluate, so do not load it while a user types a password on /login.
if (currentSession()) setTimeout(preloadErrorScreen, 2000)

/** Focuses the new heading after navigation, so that screen readers announce it and Tab continues from there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading || document.activeElement?.closest('form')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
