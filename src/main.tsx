import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { recoverFromMissingChunks } from './app/chunk-recovery.ts'
import { focusHeadingOnRouteChange } from './app/route-focus.ts'
import { createAppRouter, preloadErrorScreen, preloadFirstScreen } from './app/router.ts'
import { bootSentry } from './app/sentry-boot.ts'
import { followSession } from './app/session-watch.ts'
import './styles.css'

const router = createAppRouter()
preloadFirstScreen(router)

recoverFromMissingChunks()
bootSentry(router)
followSession(router)
focusHeadingOnRouteChange(router)

createRoot(document.getElementById('root')!).render(<App router={router} />)
setTimeout(preloadErrorScreen, 2000)
