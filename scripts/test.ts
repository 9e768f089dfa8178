import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from './find-chromium.ts'
import { printSummary, RESULTS } from './test-summary.ts'

/**
 * `npm test`: everything but the long tests; ends at the stage of the first failure. Lanes of a stage run beside each other, because no
 * step alone keeps two cores at work: tests wait for leases, timers and databases, and the compiler and the sample use one core for much of their time.
 */

const root = path.join(import.meta.dirname, '..')

type Step = { readonly title: string; readonly command: string; readonly args: readonly string[] }
type Lane = readonly Step[]
/** What the first lane says is seen while it runs; of the others a step is shown when it is done. */
type Stage = readonly [Lane, ...Lane[]]

const step = (title: string, command: string, ...args: string[]): Step => ({ title, command, args })
/** The tests of one project of vitest.config.ts. An embedded database takes about half a gigabyte: more workers would not fit into small machines. */
const unit = (title: string, project: 'node' | 'browser', workers: number): Step =>
  step(
    title,
    'vitest',
    'run',
    `--project=${project}`,
    `--maxWorkers=${workers}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${path.join(RESULTS, `unit-${project}.json`)}`,
  )

/** The project `long` is left to `npm run test:long`. */
const BROWSER = ['chromium', 'loading', 'hostile'].map((project) => `--project=${project}`)

const STAGES: readonly Stage[] = [
  [
    [unit('architecture, units, API', 'node', 3)],
    // In the order in which a mistake is cheapest to find; then what the browser tests need.
    [
      step('types', 'tsc', '-b'),
      step('lint and format', 'biome', 'check', '.'),
      unit('components', 'browser', 2),
      step('build', 'node', 'scripts/build-when-stale.ts', '--force'),
      step('size of the first load', 'node', 'scripts/bundle-size.ts'),
      step('the sample for the browser', 'node', 'e2e/seed.ts'),
    ],
  ],
  [[step('browser', 'playwright', 'test', ...BROWSER)]],
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

/** Chromium of the machine, or Playwright's own. */
function findBrowser(): string | undefined {
  const own = chromium.executablePath()
  return findChromium() ?? (own !== '' && existsSync(own) ? own : undefined)
}

/** Installs a browser without asking anything: from Debian as root (with Thai fonts), else Playwright's own. */
function installBrowser(): string | undefined {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update'], env)
    run('apt-get', ['install', '-y', '--no-install-recommends', 'fonts-thai-tlwg'], env)
    // Older releases have no package of the shell.
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

/** Runs a step. `isShown`: its output is seen while it runs. */
function runStep({ command, args }: Step, env: NodeJS.ProcessEnv, isShown: boolean): Promise<Outcome> {
  const output: Buffer[] = []
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  // Output goes through a pipe and never straight to the terminal: a reporter that redraws its last lines would overwrite the other lanes.
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

/** Answers the title of the step that failed, with its reason. The lane ends there; the others go on, so that one run says all that they find. */
async function runLane(lane: Lane, isShown: boolean): Promise<string | undefined> {
  for (const one of lane) {
    const { title, command, args } = one
    const env = command === 'playwright' ? { ...process.env, CHROMIUM_PATH: browserOrExit() } : process.env
    const name = `${title}: ${command} ${args.join(' ')}`
    if (isShown) heading(name)
    const stepAt = performance.now()
    const { failure, output } = await runStep(one, env, isShown)
    if (!isShown) heading(name)
    process.stdout.write(output)
    if (failure !== undefined) return `${title} (${failure})`
    console.log(`${title}: ${((performance.now() - stepAt) / 1000).toFixed(1)} s`)
  }
  return undefined
}

const startedAt = performance.now()
rmSync(RESULTS, { recursive: true, force: true })
for (const lanes of STAGES) {
  const failures = (await Promise.all(lanes.map((lane, place) => runLane(lane, place === 0)))).filter(
    (one) => one !== undefined,
  )
  if (failures.length === 0) continue
  heading(`FAILED: ${failures.join(', ')}`)
  printSummary()
  process.exit(1)
}
heading(`everything passed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
printSummary()
