import { defineConfig, devices } from '@playwright/test'
import { getServer, SERVERS, type ServerName } from './e2e/servers.ts'
import { findChromium } from './scripts/find-chromium.ts'

const browser = findChromium()

const desk = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const LOADING = /notifications\.spec\.ts/
const HOSTILE = /hostile-text\.spec\.ts/
/** Every screen before axe, and what fails under an open tab: a third of the time of all. `npm test` leaves it to `npm run test:long`. */
const LONG =
  /(accessibility(-report|-coverage)?|faults|offline|error-reports|layout-shift|screens|translated)\.spec\.ts/
/** What is apart from the day of who bids, and changes seldom (docs/testing.md): `npm run test:long` too. */
const APART =
  /[\\/](budget|companies|company|company-comparison|documents|installable|mails|operation|organisation-login|passkey|print|report-mail|short-link|usage-log|who-wins)\.spec\.ts/

/** A project whose tests ask its own copy of the product. */
const onServer = (name: ServerName) => ({ name, use: { ...desk, baseURL: getServer(name).url } })

// `--project=NAME` needs its own server only.
const asked = SERVERS.filter((name) => process.argv.includes(`--project=${name}`))

// What `npm test` and `npm run test:long` ran is counted apart (scripts/test-summary.ts).
const isLong = asked.length > 0 && asked.every((name) => name === 'long' || name === 'apart')
const results = isLong ? 'long-browser' : 'browser'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // None at home. One in CI, where other work may take the machine away for a minute; a test that only passes then is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  // Two browsers, a server and a database share two cores: a first paint may take longer than the default five seconds.
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: `node_modules/.cache/test-results/${results}.json` }]],
  use: {
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    // A test sees no request that a worker answers; those about the worker allow it.
    serviceWorkers: 'block',
    // A trace of every test costs a fifth to a third of its time; the second try of a failed one has it, at home `--trace on`.
    trace: 'on-first-retry',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        // Chromium refuses its sandbox when it runs as root, as CI containers do.
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-dev-shm-usage',
      ],
    },
  },
  projects: [
    { ...onServer('chromium'), testIgnore: [LOADING, HOSTILE, LONG, APART] },
    // What loads data changes what is new and updated for everybody on its server.
    { ...onServer('loading'), testMatch: LOADING, fullyParallel: false },
    // Its own import is a load too.
    { ...onServer('hostile'), testMatch: HOSTILE, fullyParallel: false },
    { ...onServer('long'), testMatch: LONG },
    // Beside the look at every screen, whose sample must stay as it is.
    { ...onServer('apart'), testMatch: APART },
  ],
  // Each copies the sample and starts, so a run never touches the data of a person. The first run of a day, or after a change of the server,
  // makes the sample first.
  webServer: (asked.length === 0 ? SERVERS : asked).map((name) => ({
    command: `node e2e/serve.ts ${name}`,
    url: `${getServer(name).url}/readyz`,
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
  })),
})
