import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { reactPlugin } from './scripts/react-plugin.ts'

/**
 * Tests with kills, outages, child processes and long waits, and those that compute for minutes: over real data, over
 * every route. Run by `npm run test:long`.
 */
const LONG = '**/*.long.test.ts'
/** Takes minutes and asserts response times, so it needs an idle machine: `HEAVIEST=on npm run test:long` (docs/testing.md). */
const HEAVIEST = process.env.HEAVIEST === 'on' ? [] : ['server/http/heaviest.long.test.ts']

/** The default of one second is too short when three workers and the compiler share two cores. */
const PATIENT = { poll: { timeout: 10_000 } }

/** Returns the files with tests that `npm test` runs on PostgreSQL only; the project `second-engine` runs them on PGlite. */
const listInTurnFiles = () =>
  globSync('{server,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('onEachEngineInTurn'),
  )

const node = {
  env: { TZ: 'UTC' },
  environment: 'node' as const,
  // The server's modules have no state, and importing them again costs each file most of a second. Files of a worker also
  // share the databases of test/server/pglite-pool.ts.
  isolate: false,
  globalSetup: ['./test/server/database-setup.ts'],
  setupFiles: ['./test/properties-setup.ts'],
  expect: PATIENT,
  testTimeout: 30_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Dates must not depend on the machine's time zone.
    env: { TZ: 'UTC' },
    // Three on two cores, because tests often wait for leases, mail servers and databases. PGlite takes about 500 MB each.
    maxWorkers: 3,
    // CI retries once and reports tests that pass only on retry (scripts/test-summary.ts).
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        plugins: [reactPlugin],
        test: {
          name: 'browser',
          env: { TZ: 'UTC' },
          environment: 'jsdom',
          // Threads are reused with a new global scope per file, which takes half the time of a new thread per file.
          pool: 'vmThreads',
          environmentOptions: { jsdom: { url: 'http://localhost:4173/' } },
          setupFiles: ['./test/browser-setup.ts'],
          include: ['src/**/*.test.{ts,tsx}'],
          expect: PATIENT,
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...node,
          name: 'node',
          include: [
            'contract/**/*.test.ts',
            'sample/**/*.test.ts',
            'server/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: [LONG, 'node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'second-engine',
          env: { ...node.env, TEST_TURN: 'second' },
          include: listInTurnFiles(),
          exclude: [LONG, 'node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'long',
          include: [`{server,sample,test,bench,scripts}/${LONG}`],
          exclude: [...HEAVIEST, 'node_modules/**'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
