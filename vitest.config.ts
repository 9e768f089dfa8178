import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // Dates must not depend on the zone of the machine that runs the tests.
    env: { TZ: 'UTC' },
    // Many tests wait (leases, killed processes, mail servers): a third file uses what two leave of two cores. An embedded database
    // takes about half a gigabyte.
    maxWorkers: 3,
    // One retry in CI, as for the browser tests: what passes only then is marked as retried in the report.
    retry: process.env.CI ? 1 : 0,
    projects: [
      {
        plugins: [react()],
        test: {
          name: 'browser',
          env: { TZ: 'UTC' },
          environment: 'jsdom',
          // Each file has its own global scope in a thread that stays: half the time of a thread and a jsdom for every file.
          pool: 'vmThreads',
          environmentOptions: { jsdom: { url: 'http://localhost:4173/' } },
          setupFiles: ['./test/browser-setup.ts'],
          include: ['src/**/*.test.{ts,tsx}'],
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'node',
          env: { TZ: 'UTC' },
          environment: 'node',
          // Files of one worker share what they import: the server's modules keep no state, and loading them anew costs each file most of a second.
          isolate: false,
          globalSetup: ['./test/server/database-setup.ts'],
          include: [
            'contract/**/*.test.ts',
            'server/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
            'test/**/*.test.ts',
            '*.test.ts',
          ],
          // Opening and copying databases takes seconds on a busy machine.
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
