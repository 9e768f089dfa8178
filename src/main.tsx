import { createRoot } from 'react-dom/client'
import { fetchRenewedAccessToken } from '#src/account/api/refresh-session.ts'
import { setAccessTokenRenewalHandler } from '#src/api/http/client.ts'
import { App } from './app/app.tsx'
import { reloadOnceOnMissingChunks } from './app/chunk-recovery.ts'
import { createAppRouter } from './app/router.ts'
import { loadSentryWhenIdle, reportError } from './app/sentry-boot.ts'
import { startHandlingSessionEnd } from './app/session-watch.ts'
import { tolerateBrowserPageTranslation } from './app/translated-page.ts'
import { captureInstallPromptEvent } from './shell/installed-app/install-event.ts'
import './styles.css'

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

// Also report errors that error boundaries catch. React has already logged them to the console.
const root = createRoot(document.getElementById('root')!, { onCaughtError: reportError })
// Until the first screen has loaded, the placeholder of index.html stays: an earlier render would replace it by nothing.
void router.load().then(() => root.render(<App router={router} />))

/** Focuses the new heading after navigation, so that screen readers announce it and Tab continues from there. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (!heading || document.activeElement?.closest('form')) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
