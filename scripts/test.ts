import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { lowerProcessPriority } from '#server/start/lower-process-priority.ts'
import { findChromium } from './find-chromium.ts'
import { printSummary, RESULTS_FOLDER } from './test-summary.ts'

/**
 * `npm test`: everything but the long tests; stops after the first failing stage. Lanes of a stage run in parallel,
 * because no single step keeps two cores busy: tests wait for leases, timers and databases, and the compiler and the
 * sample use one core most of the time.
 */

const root = path.join(import.meta.dirname, '..')

type Step = { readonly title: string; readonly command: string; readonly args: readonly string[] }
type Lane = readonly Step[]
/** The first lane streams its output; the others print each step when it is done. */
type Stage = readonly [Lane, ...Lane[]]

const step = (title: string, command: string, ...args: string[]): Step => ({ title, command, args })
/**
 * Tests of one project of vitest.config.ts. An embedded database takes about half a gigabyte, so more workers would not
 * fit into small machines.
 */
const unit = (title: string, project: 'node' | 'browser', workers: number): Step =>
  step(
    title,
    'vitest',
    'run',
    `--project=${project}`,
    `--maxWorkers=${workers}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path.join(RESULTS_FOLDER, `unit-${project}.json`)}`,
  )

const STAGES: readonly Stage[] = [
  [
    [unit('architecture, units, API', 'node', 3)],
    // The lane runs the cheapest checks first. Build and demo data use one core most of the time, so the components follow
    // them: whichever lane ends first, the other still has several workers.
    [
      // With one checker per project instead of four, the compiler takes a third less processor time.
      step('types', 'tsc', '-b', '--checkers', '1'),
      step('lint and format', 'biome', 'check', '.'),
      step('build', 'node', 'scripts/build-when-stale.ts', '--force'),
      step('bundle size of the first load', 'node', 'scripts/bundle-size.ts'),
      step('demo data for the browser tests', 'node', 'e2e/seed.ts'),
      // They wait for a third of their time, for timers and debounced input.
      unit('components', 'browser', 3),
    ],
  ],
  [[step('browser', 'playwright', 'test', '--project=chromium')]],
]

function programOf(command: string): string {
  const local = path.join(root, 'node_modules/.bin', command)
  return command === 'node' ? process.execPath : existsSync(local) ? local : command
}

const onWindows = process.platform === 'win32'

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): SpawnSyncReturns<Buffer> {
  return spawnSync(programOf(command), args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: onWindows,
  })
}

function heading(text: string): void {
  console.log(`\n━━━ ${text} ${'━'.repeat(Math.max(3, 100 - text.length))}`)
}

function findBrowser(): string | undefined {
  const bundledPath = chromium.executablePath()
  return findChromium() ?? (bundledPath !== '' && existsSync(bundledPath) ? bundledPath : undefined)
}

/** Installs a browser without prompts: from Debian as root (with Thai fonts), else Playwright's own. */
function installBrowser(): string | undefined {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update'], env)
    run('apt-get', ['install', '-y', '--no-install-recommends', 'fonts-thai-tlwg'], env)
    // Older Debian releases have no package of the headless shell.
    const shell = run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], env)
    if (shell.status !== 0) run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], env)
  }
  if (findBrowser() === undefined) run('playwright', ['install', 'chromium'])
  return findBrowser()
}

function browserOrExit(): string {
  heading('a browser')
  const browser = findBrowser() ?? installBrowser()
  if (browser === undefined) {
    console.error(
      'No browser, and none could be installed. Install Chromium, or set CHROMIUM_PATH to one, and run npm test again.',
    )
    process.exit(1)
  }
  console.log(browser)
  return browser
}

type Outcome = { readonly failure: string | undefined; readonly output: string }

function runStep({ command, args }: Step, env: NodeJS.ProcessEnv, isShown: boolean): Promise<Outcome> {
  const output: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  // The output is piped instead of inheriting the terminal, because a reporter that redraws its last lines would
  // overwrite the output of the other lanes.
  const child = spawn(programOf(command), args, {
    cwd: root,
    env: process.stdout.isTTY ? { FORCE_COLOR: '1', ...env } : env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: onWindows,
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (isShown ? process.stdout.write(piece) : output.push(piece)))
  const done = (failure: string | undefined) => resolve({ failure, output: Buffer.concat(output).toString() })
  child.once('error', ({ message }) => done(message))
  child.once('close', (code, killed) => done(code === 0 ? undefined : (killed ?? `exit ${code}`)))
  return promise
}

/**
 * Returns the title of the failed step with the reason. The lane stops there; the others continue, so that one run
 * reports everything.
 */
async function runLane(lane: Lane, isShown: boolean): Promise<string | undefined> {
  for (const laneStep of lane) {
    const { title, command, args } = laneStep
    const env = command === 'playwright' ? { ...process.env, CHROMIUM_PATH: browserOrExit() } : process.env
    const name = `${title}: ${command} ${args.join(' ')}`
    if (isShown) heading(name)
    const stepAt = performance.now()
    const { failure, output } = await runStep(laneStep, env, isShown)
    if (!isShown) heading(name)
    process.stdout.write(output)
    if (failure !== undefined) return `${title} (${failure})`
    console.log(`${title}: ${((performance.now() - stepAt) / 1000).toFixed(1)} s`)
  }
  return undefined
}

// Processes that read documents run at this priority; beside tests at a higher one they would time out.
lowerProcessPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const startedAt = performance.now()
rmSync(RESULTS_FOLDER, { recursive: true, force: true })
for (const lanes of STAGES) {
  const failures = (await Promise.all(lanes.map((lane, index) => runLane(lane, index === 0)))).filter(
    (failure) => failure !== undefined,
  )
  if (failures.length === 0) continue
  heading(`FAILED: ${failures.join(', ')}`)
  printSummary()
  process.exit(1)
}
heading(`everything passed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
printSummary()
