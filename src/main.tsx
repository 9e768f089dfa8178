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
startFirstScreen(router)

recoverFromMissingChunks()
bootSentry(router)
followSession(router)
focusHeadingOnRouteChange(router)

// What a boundary catches is told too; whoever caught it has said it in the console.
const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
// As a transition the first drawing is cut into slices of 5 ms, and answers that come meanwhile are read.
startTransition(() => root.render(<App router={router} />))
setTimeout(preloadErrorScreen, 2000)
