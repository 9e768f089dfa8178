// Runs before the first paint. A file of its own because the page allows no inline script.
try {
  // A chosen theme never flashes.
  var theme = localStorage.getItem('tamngan.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
  // The page holds the shape of its screen twice, for visitors and for who is signed in (src/lib/session-store.ts); this chooses.
  var session = JSON.parse(localStorage.getItem('tamngan.session'))
  if (session && session.expiresAtMs > Date.now()) document.documentElement.dataset.account = session.isDemo ? 'demo' : 'own'
} catch (error) {
  // Storage may be blocked; the system's theme is used then, and nobody is signed in.
}
