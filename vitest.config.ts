import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { reactPlugin } from './scripts/react-plugin.ts'

/** Kills, outages, processes and waits: `npm run test:long`. */
const LONG = '**/*.long.test.ts'
/** Minutes for each engine and asker, and a promise in milliseconds: wants an idle machine, `HEAVIEST=on npm run test:long` (docs/testing.md). */
const HEAVIEST = process.env.HEAVIEST === 'on' ? [] : ['server/http/heaviest.long.test.ts']

/** The second that is usual is too short where three workers and the compiler share two cores. */
const PATIENT = { poll: { timeout: 10_000 } }

/** Files with tests that `npm test` runs on PostgreSQL only; the project `second-engine` runs them on PGlite (`onEachEngineInTurn`). */
const inTurn = () =>
  globSync('{server,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
    readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('onEachEngineInTurn'),
  )

const node = {
  env: { TZ: 'UTC' },
  environment: 'node' as const,
  // Files of one worker share what they import: the server's modules keep no state, and loading them anew costs each file most of a second.
  // The databases of test/server/pglite-pool.ts stay open for the next file too.
  isolate: false,
  globalSetup: ['./test/server/database-setup.ts'],
  expect: PATIENT,
  testTimeout: 30_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Dates must not depend on the zone of the machine that runs the tests.
    env: { TZ: 'UTC' },
    // Tests wait for leases, mail servers and databases: a third file uses what two leave of two cores. An embedded database
    // takes about half a gigabyte.
    maxWorkers: 3,
    // None at home. One in CI, as for the browser tests: what passes only then is told at the end.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        plugins: [reactPlugin],
        test: {
          name: 'browser',
          env: { TZ: 'UTC' },
          environment: 'jsdom',
          // Each file has its own global scope in a thread that stays: half the time of a thread and a jsdom for every file.
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
          include: inTurn(),
          exclude: [LONG, 'node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'long',
          include: [`{server,sample,test,bench,scripts}/${LONG}`],
          exclude: [...HEAVIEST, 'node_modules/**'],
        },
      },
    ],
  },
})
