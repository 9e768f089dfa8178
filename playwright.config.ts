import { existsSync, rmSync } from 'node:fs'
import { defineConfig, devices } from '@playwright/test'
import { MAILS_PORT, PORT, SMTP_PORT } from './e2e/ports.ts'

// The suite starts its own server on its own port and data folder, so it never touches the one a person is using.
const dataDir = process.env.E2E_DATA_DIR ?? '.data/e2e'
// Every run begins on an empty folder; worker processes read this file too and must not clear it under the server.
if (!process.env.TEST_WORKER_INDEX) rmSync(dataDir, { recursive: true, force: true })
const browser = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
)

const desk = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }
const LOADING = /notifications\.spec\.ts/
const HOSTILE = /hostile-text\.spec\.ts/

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/open-lists.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // Two retries in CI: two shared cores make a slow first paint possible; a test that only passes on retry is reported as flaky.
  retries: process.env.CI ? 2 : 0,
  timeout: 90_000,
  // Two browsers, a server and a database share two cores: a first paint may take longer than the default five seconds.
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
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
    { name: 'chromium', use: desk, testIgnore: [LOADING, HOSTILE] },
    // What loads data changes what is new and updated for everybody on the server: these run when the others are done.
    { name: 'loading', use: desk, testMatch: LOADING, dependencies: ['chromium'], fullyParallel: false },
    // Its own import is a load too.
    { name: 'hostile', use: desk, testMatch: HOSTILE, dependencies: ['loading'], fullyParallel: false },
  ],
  webServer: [
    {
      command: 'node e2e/mail-catcher.ts',
      env: { SMTP_PORT: String(SMTP_PORT), MAILS_PORT: String(MAILS_PORT) },
      url: `http://127.0.0.1:${MAILS_PORT}/mails`,
      reuseExistingServer: false,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
    },
    {
      command: 'node server/main.ts serve',
      env: {
        PORT: String(PORT),
        DATA_DIR: dataDir,
        SEED: 'sample',
        SEED_WAIT: 'on',
        LOG_LEVEL: 'warn',
        RATE_LIMIT_FACTOR: '20',
        SMTP_URL: `smtp://127.0.0.1:${SMTP_PORT}`,
      },
      url: `http://127.0.0.1:${PORT}/readyz`,
      timeout: 180_000,
      reuseExistingServer: false,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    },
  ],
})
