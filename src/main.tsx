import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import { focusHeadingOnRouteChange } from './app/route-focus.ts'
import { createAppRouter, preloadErrorScreen, startFirstScreen } from './app/router.ts'
import { bootSentry, reportError } from './app/sentry-boot.ts'
import { followSession } from './app/session-watch.ts'
import './styles.css'

const router = createAppRouter()
const isScreenThere = startFirstScreen(router)

recoverFromMissingChunks()
bootSentry(router)
followSession(router)
focusHeadingOnRouteChange(router)

// What a boundary catches is told too; whoever caught it has said it in the console.
const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
/**
 * Draws the first screen when its code, its account and its first answers are there; until then the page shows what the server wrote into it.
 * As a transition the whole drawing is cut into slices of 5 ms. A router that loads after the mount would draw the screen in one piece, because
 * React does not slice what a store outside it changes.
 */
async function drawFirstScreen(): Promise<void> {
  await Promise.all([router.load(), isScreenThere])
  startTransition(() => root.render(<App router={router} />))
}
void drawFirstScreen()
setTimeout(preloadErrorScreen, 2000)
