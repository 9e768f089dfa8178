// Runs before the first paint and before all other code. A file of its own because the page allows no inline script.
// What can still be bid for, the nearest deadline first.
var START_VIEW = '?project_bidding__in=open&ordering=submission_end_date'
try {
  // A chosen theme never flashes.
  var theme = localStorage.getItem('tamngan.theme')
  if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme
  // The page holds the shape of its screen twice, for visitors and for who is signed in (src/lib/session-store.ts); this chooses.
  var session = JSON.parse(localStorage.getItem('tamngan.session'))
  var refkey = /^\/login\/?$/.test(location.pathname) && new URLSearchParams(location.search).get('refkey')
  var isFresh = session && session.expiresAtMs > Date.now()
  // Without a network a session waits to be renewed (src/lib/session-store.ts).
  var sleeps = session && session.refresh && (!navigator.onLine || 'offline' in document.documentElement.dataset)
  if (isFresh || sleeps) {
    document.documentElement.dataset.account = session.isDemo ? 'demo' : 'own'
    if (!refkey) {
      keepKeys()
      if (isFresh)
        window.earlyNames = askForScreen(location.pathname, location.search + location.hash, 'Bearer ' + session.access)
    }
  }
  // A real session is left for the question of the screen (R22); where a cookie is the credential the code sends its token too.
  if (refkey && (!session || session.isDemo) && !/XSRF-TOKEN=/.test(document.cookie)) enterDemo(refkey)
} catch (error) {
  // Storage may be blocked; the system's theme is used then, and nobody is signed in.
}

// The browser offers this once, maybe before the code is there (src/shell/installed-app/install-hint.tsx).
addEventListener('beforeinstallprompt', function (event) {
  event.preventDefault()
  window.installOffer = event
})

// On a phone the code of the report is asked for behind its first names, since it starts behind them anyway (src/main.tsx): so it shares no line with them. Not later than
// half a second after the visit began. On a slow line that is over by now or nearly, and it has styles and typeface to bring until then: the code comes no later there.
var CODE_BY_MS = 500
function askForCode() {
  document.querySelectorAll('link[data-code]').forEach(function (link) {
    link.removeAttribute('data-code')
    link.rel = 'modulepreload'
  })
}
document.addEventListener('readystatechange', function () {
  if (!window.earlyNames) return askForCode()
  window.earlyNames.then(function () {
    // The second frame begins when the first, with the names, has been handed over.
    requestAnimationFrame(function () {
      requestAnimationFrame(askForCode)
    })
  })
  setTimeout(askForCode, Math.max(0, CODE_BY_MS - performance.now()))
}, { once: true })

// What comes after /login is fetched once the form has its code: earlier it would share a phone's slow line with it.
window.addEventListener('load', function () {
  setTimeout(function () {
    document.querySelectorAll('link[data-later]').forEach(function (link) {
      link.rel = 'prefetch'
    })
  }, 2000)
})

// Asks what every screen behind the login asks first, and the report its rows: the code that would ask comes two seconds later on a phone.
// src/api/http/ky-client.ts takes the answers; src/app/early-questions.test.ts holds both together. Answers a promise of the names in the shape.
function askForScreen(path, search, bearer) {
  if (/^\/(login|register|reset-password|mail-link|contact)\b/.test(path)) return
  // The bare report and the usual start view (contract/report/start-view.ts). What another address asks is made of it by code.
  var isStart = search === START_VIEW
  // The server refuses the report to accounts that have the budget alone (src/lib/budget-only.ts).
  var hasRows = path === '/report' && (!search || isStart) && !localStorage.getItem('tamngan.budget-only')
  var headers = { authorization: bearer }
  // The server computes one after the other: rows and account draw the first screen, the counts come into it.
  if (hasRows) {
    var rows = ask('projects' + search, { headers: { authorization: bearer, prefer: 'attachments=counted' } })
    var names = copyOf(rows).then(showFirst)
  }
  ask('users/me', { headers: headers })
  ask('organisations/me', { headers: headers })
  if (hasRows) ask('projects/facets' + (isStart ? search.split('&')[0] : ''), { headers: headers })
  return names
}

// A key that is pressed before the code listens is not lost: who listens later (src/shell/shortcuts/early-keys.ts) takes what was pressed of its kind, and ends the keeping of it.
function keepKeys() {
  var keys = (window.earlyKeys = { path: location.pathname, palette: [], single: [] })
  document.addEventListener('keydown', function (event) {
    var key = event.key
    if (event.defaultPrevented || event.altKey || event.isComposing || !event.target.matches || event.target.matches('input, textarea, select')) return
    var opens = (event.ctrlKey || event.metaKey) && !event.shiftKey && (key === 'k' || key === 'K' || (event.code === 'KeyK' && key > '\x7f'))
    if (!opens && (event.ctrlKey || event.metaKey || key.length > 1 || key === ' ')) return
    // What is typed behind the key that opens the palette is meant for its box.
    var kept = opens || (keys.palette && keys.palette.length > 0) ? keys.palette : keys.single
    if (!kept || kept.length >= 50) return
    kept.push({ key: key, code: event.code, ctrlKey: event.ctrlKey, metaKey: event.metaKey, shiftKey: event.shiftKey, atMs: performance.now() })
    // Browsers have a search of their own on this key.
    if (opens) event.preventDefault()
  })
}

// The link of the demo enters before the code is there, which goes on from the answer (src/shell/session/demo-link.ts).
function enterDemo(refkey) {
  var login = ask('auth/auto-login/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refkey: refkey }),
  })
  var names
  var asked = copyOf(login).then(function (tokens) {
    if (tokens) names = askForScreen('/report', START_VIEW, 'Bearer ' + tokens.access)
    return login
  })
  window.earlyNames = asked.then(
    function () {
      return names
    },
    function () {}
  )
    // The code hears of its session when what it would ask is asked: otherwise both would.
  window.earlyAnswers['auth/auto-login/'].answer = asked
}

// Keeps the answer for the code.
function ask(path, init) {
  // Behind the styles and the code: as important as those it kept the first paint back by 180 ms.
  init.priority = 'low'
  var answer = fetch(location.origin + '/api/v2/' + path, init)
  // Whoever takes it hears of the failure.
  answer.catch(function () {})
  window.earlyAnswers = window.earlyAnswers || {}
  window.earlyAnswers[path] = { bearer: init.headers.authorization, answer: answer }
  return answer
}

// The JSON of an answer, which stays whole for the code; nothing where it was refused or lost, which the code hears of too.
function copyOf(answer) {
  return answer
    .then(function (response) {
      return response.ok ? response.clone().json() : undefined
    })
    .catch(function () {})
}

// The shape of the report gets the names of its first projects: a phone reads them a second before the code draws the cards.
function showFirst(page) {
  if (!page) return
  document.querySelectorAll('[data-early-card]').forEach(function (card, index) {
    var row = page.results[index]
    if (!row) return
    card.querySelector('[data-early="name"]').textContent = row.name
    card.querySelector('[data-early="buyer"]').textContent = [row.dept_sub_name, row.project_province].filter(Boolean).join(' · ')
  })
}
