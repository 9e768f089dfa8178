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
 * Draws the first screen when its code, its account and its first answers are there; until then the page shows what the server wrote into it.
 * As a transition the whole drawing is cut into slices of 5 ms. A router that loads after the mount would draw the screen in one piece, because
 * React does not slice what a store outside it changes.
 */
async function drawFirstScreen(): Promise<void> {
  // The demo's link leads to the report; as a screen on the way it took a phone a second more.
  if (/[?&]refkey=/.test(location.search))
    await import('#src/shell/session/demo-link.ts').then(({ enterByLink }) => enterByLink()).catch(() => undefined)

  const router = createAppRouter()
  const isScreenThere = startFirstScreen(router)

  bootSentry(router)
  followSession(router)

  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) focusHeading()
  })

  // What a boundary catches is told too; whoever caught it has said it in the console.
  const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
  await Promise.all([router.load(), isScreenThere])
  startTransition(() => root.render(<App router={router} />))
}
whenAccessExpires(() => import('#src/account/api/refresh-session.ts').then(({ renewedAccess }) => renewedAccess()))
supportTranslatedPages()
void drawFirstScreen()
// It comes with the code of what is behind the login, which takes a phone 200 ms to evaluate: not while somebody types a password.
if (currentSession()) setTimeout(preloadErrorScreen, 2000)

/** After a change of path the new heading takes focus, so that it is read out and Tab goes on from there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading || document.activeElement?.closest('form')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
