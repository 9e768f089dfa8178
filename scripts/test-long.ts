import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { printSummary } from './test-summary.ts'

/** `npm run test:long`: kills, outages, processes and waits. */
const root = path.join(import.meta.dirname, '..')
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project=long',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=node_modules/.cache/test-results/long.json',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
)
printSummary()
process.exit(status ?? 1)
