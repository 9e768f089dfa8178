import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { printSummary } from './test-summary.ts'

/**
 * `npm run test:long`: kills, outages, processes and waits; jobs, accounts and user content on the second engine; in
 * the browser, accessibility of every screen (axe), network and server failures, and the tests that run apart.
 * Arguments go to Vitest, which then runs alone.
 */
const root = path.join(import.meta.dirname, '..')
const vitestArgs = process.argv.slice(2)

const isPassed = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0

const isLongPassed = isPassed(
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project=long',
  '--project=second-engine',
  '--reporter=default',
  '--reporter=json',
  '--outputFile.json=node_modules/.cache/test-results/long.json',
  ...vitestArgs,
)
const isBrowserPassed =
  vitestArgs.length > 0 ||
  (isPassed('scripts/build-when-stale.ts') &&
    isPassed('node_modules/@playwright/test/cli.js', 'test', '--project=long', '--project=apart'))
printSummary()
process.exit(isLongPassed && isBrowserPassed ? 0 : 1)
