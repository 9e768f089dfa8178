// Runs before the first paint and before all other code. A file of its own because the page allows no inline script.
try {
  // A chosen theme never flashes.
  var theme = localStorage.getItem('tamngan.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
  // The page holds the shape of its screen twice, for visitors and for who is signed in (src/lib/session-store.ts); this chooses.
  var session = JSON.parse(localStorage.getItem('tamngan.session'))
  if (session && session.expiresAtMs > Date.now()) {
    document.documentElement.dataset.account = session.isDemo ? 'demo' : 'own'
    askEarly('Bearer ' + session.access)
  }
} catch (error) {
  // Storage may be blocked; the system's theme is used then, and nobody is signed in.
}

// What comes after /login is fetched once the form has its code: earlier it would share a phone's slow line with it.
window.addEventListener('load', function () {
  setTimeout(function () {
    document.querySelectorAll('link[data-later]').forEach(function (link) {
      link.rel = 'prefetch'
    })
  }, 2000)
})

// Asks what every screen behind the login asks first, and the bare report its rows: the code that would ask comes two seconds later on a phone.
// src/api/http/ky-client.ts takes the answers; src/app/early-questions.test.ts holds both together.
function askEarly(bearer) {
  if (/^\/(login|register|reset-password|mail-link|contact)\b/.test(location.pathname)) return
  var paths = ['users/me', 'organisations/me']
  // The server computes one after the other: rows and account draw the first screen, the counts come into it.
  if (location.pathname === '/report' && !location.search && !location.hash) paths = ['projects'].concat(paths, 'projects/facets')
  window.earlyAnswers = { bearer: bearer, answers: {} }
  paths.forEach(function (path) {
    // Behind the styles and the code: as important as those it kept the first paint back by 180 ms.
    var headers = { authorization: bearer }
    if (path === 'projects') headers.prefer = 'attachments=counted'
    var answer = fetch(location.origin + '/api/v2/' + path, { headers: headers, priority: 'low' })
    // Whoever takes it hears of the failure.
    answer.catch(function () {})
    window.earlyAnswers.answers[path] = answer
  })
}
