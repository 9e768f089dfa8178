import { spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import path from 'node:path'
import { lowerProcessPriority } from '#server/start/lower-process-priority.ts'
import { printSummary } from './test-summary.ts'

/**
 * `npm run test:long`: kills, outages, processes, waits, real data and every route; jobs, accounts and user content on
 * the second engine; in the browser everything outside a bidder's day, accessibility of every screen (axe), network and
 * server failures. Arguments go to Vitest, which then runs alone.
 */
const root = path.join(import.meta.dirname, '..')
// As in scripts/test.ts.
lowerProcessPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const vitestArgs = process.argv.slice(2)
const BROWSER = ['apart', 'long', 'loading', 'hostile'].map((project) => `--project=${project}`)

/** Runs a program of Node; returns whether it succeeded. */
const runNode = (...args: string[]): boolean =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0

const isLongPassed = runNode(
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
  (runNode('scripts/build-when-stale.ts') && runNode('node_modules/@playwright/test/cli.js', 'test', ...BROWSER))
printSummary()
process.exit(isLongPassed && isBrowserPassed ? 0 : 1)
