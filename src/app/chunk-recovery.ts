const KEY = 'tamngan.reloaded-at'
/** A second failure within this time is not cured by reloading; the error screen shows it. */
const ONCE_PER_MS = 60_000

/** After a deploy an open tab may ask for a file that is gone. Reloads the page once, which fetches the new names. */
export function recoverFromMissingChunks(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline the file is not gone, and reloading would take away what is on screen.
    if (!navigator.onLine) return
    try {
      const last = Number(sessionStorage.getItem(KEY) ?? 0)
      if (Date.now() - last < ONCE_PER_MS) return
      sessionStorage.setItem(KEY, String(Date.now()))
    } catch {
      // Without storage there is no memory of the last reload, so none is made.
      return
    }
    event.preventDefault()
    window.location.reload()
  })
}
