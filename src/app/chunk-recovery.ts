const KEY = 'tamngan.reloaded-at'
/** A second failure within this time is not fixed by reloading, so the error screen is shown. */
const ONCE_PER_MS = 60_000

/** After a deploy, an open tab may request a chunk that no longer exists. Reloads once to get the new file names. */
export function recoverFromMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline, the file is merely unreachable, and reloading would lose the current screen.
    if (!navigator.onLine) return
    try {
      const last = Number(sessionStorage.getItem(KEY) ?? 0)
      if (Date.now() - last < ONCE_PER_MS) return
      sessionStorage.setItem(KEY, String(Date.now()))
    } catch {
      // Without storage the last reload is unknown, so do not reload at all.
      return
    }
    event.preventDefault()
    window.location.reload()
  })
}
