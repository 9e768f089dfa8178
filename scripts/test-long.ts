import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { printSummary } from './test-summary.ts'

/** `npm run test:long`: kills, outages, processes and waits, jobs, accounts and what people write on the second engine; in the browser every screen before axe, a network or a server that fails, and what is apart from the day of who bids. With arguments, which are Vitest's, the first of these alone. */
const root = path.join(import.meta.dirname, '..')
const asked = process.argv.slice(2)

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
  ...asked,
)
const isBrowserPassed =
  asked.length > 0 ||
  (isPassed('scripts/build-when-stale.ts') &&
    isPassed('node_modules/@playwright/test/cli.js', 'test', '--project=long', '--project=apart'))
printSummary()
process.exit(isLongPassed && isBrowserPassed ? 0 : 1)
