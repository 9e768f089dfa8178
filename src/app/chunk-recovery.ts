const RELOADED_AT_KEY = 'tamngan.reloaded-at'
/** If a chunk fails to load again within this time, reloading does not help, so the error screen is shown. */
const MIN_RELOAD_INTERVAL_MS = 60_000

/** After a deployment an open tab may need a chunk that no longer exists. Reloads once, for the new file names. */
export function reloadOnceOnMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // While offline the file merely cannot be reached, and reloading would lose the current screen.
    if (!navigator.onLine) return
    try {
      const lastReloadAt = Number(sessionStorage.getItem(RELOADED_AT_KEY) ?? 0)
      if (Date.now() - lastReloadAt < MIN_RELOAD_INTERVAL_MS) return
      sessionStorage.setItem(RELOADED_AT_KEY, String(Date.now()))
    } catch {
      // Without storage the time of the last reload is unknown, so do not reload at all.
      return
    }
    event.preventDefault()
    window.location.reload()
  })
}
