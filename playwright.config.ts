import { defineConfig, devices } from '@playwright/test'
import { getServer, SERVERS, type ServerName } from './e2e/servers.ts'
import { findChromium } from './scripts/find-chromium.ts'

const browser = findChromium()

const desk = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
/** A bidder's day, in `npm test`; all other projects take three quarters of the time and run in `npm run test:long`. */
const DAY = /[\\/](demo|marks|phone|project|registration|report|session|stories|watch)\.spec\.ts/
const LOADING = /notifications\.spec\.ts/
const HOSTILE = /hostile-text\.spec\.ts/
/** Accessibility and layout of every screen, and failures under an open tab. */
const LONG =
  /(accessibility(-report|-coverage)?|faults|offline|error-reports|layout-shift|screens|translated)\.spec\.ts/

/** A project whose tests run against a server of its own. */
const onServer = (name: ServerName) => ({ name, use: { ...desk, baseURL: getServer(name).url } })

// With `--project=NAME` only the server of that project starts.
const selected = SERVERS.filter((name) => process.argv.includes(`--project=${name}`))

// `npm test` and `npm run test:long` write separate results (scripts/test-summary.ts).
const isLong = selected.length > 0 && !selected.includes('chromium')
const results = isLong ? 'long-browser' : 'browser'

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // CI retries once, because other work may pause the machine for a minute; a test that passes only on retry is reported.
  retries: process.env.CI ? 1 : 0,
  timeout: 90_000,
  // Two browsers, a server and a database share two cores: a first paint may take longer than the default five seconds.
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: `node_modules/.cache/test-results/${results}.json` }]],
  use: {
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    // A service worker would hide its requests from tests. Tests of the worker allow it.
    serviceWorkers: 'block',
    // Tracing makes a test 20–33 % slower, so only retries are traced. Use `--trace on` locally.
    trace: 'on-first-retry',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        // Chromium's sandbox does not start as root, the user of CI containers.
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
    { ...onServer('chromium'), testMatch: DAY },
    // Changes the demo data, which `long` must not.
    { ...onServer('apart'), testIgnore: [DAY, LOADING, HOSTILE, LONG] },
    { ...onServer('long'), testMatch: LONG },
    // A load changes which projects are new for all users of the server.
    { ...onServer('loading'), testMatch: LOADING, fullyParallel: false },
    // Imports its own file.
    { ...onServer('hostile'), testMatch: HOSTILE, fullyParallel: false },
  ],
  // Each server starts with a copy of the demo data. The first run after a change of the server or the date builds it.
  webServer: (selected.length === 0 ? SERVERS : selected).map((name) => ({
    command: `node e2e/serve.ts ${name}`,
    url: `${getServer(name).url}/readyz`,
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 10_000 },
  })),
})
