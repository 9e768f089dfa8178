import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'

/** `npm test`: everything, in the order in which a mistake is cheapest to find; ends at the first failure. */

const root = path.join(import.meta.dirname, '..')

type Step = { readonly title: string; readonly command: string; readonly args: readonly string[] }

const STEPS: readonly Step[] = [
  { title: 'types', command: 'tsc', args: ['-b'] },
  { title: 'lint and format', command: 'biome', args: ['check', '.'] },
  {
    title: 'architecture, units, components, API on PGlite and PostgreSQL, scripts',
    command: 'vitest',
    args: ['run'],
  },
  { title: 'build', command: 'vite', args: ['build'] },
  { title: 'precompressed files', command: 'node', args: ['scripts/precompress.ts'] },
  { title: 'size of the first load', command: 'node', args: ['scripts/bundle-size.ts'] },
  { title: 'browser', command: 'playwright', args: ['test'] },
]

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): SpawnSyncReturns<Buffer> {
  const local = path.join(root, 'node_modules/.bin', command)
  const program = command === 'node' ? process.execPath : existsSync(local) ? local : command
  return spawnSync(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
}

function heading(text: string): void {
  console.log(`\n━━━ ${text} ${'━'.repeat(Math.max(3, 100 - text.length))}`)
}

/** A Chromium that is there: the one named, a system one, or Playwright's own. */
function findBrowser(): string | undefined {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
  return candidates.find((candidate) => candidate !== undefined && candidate !== '' && existsSync(candidate))
}

/** Installs a browser without asking anything: from Debian as root (with Thai fonts), else Playwright's own. */
function installBrowser(): string | undefined {
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (isDebianRoot) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    run('apt-get', ['update'], env)
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-thai-tlwg'], env)
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

const startedAt = performance.now()
for (const { title, command, args } of STEPS) {
  const env = command === 'playwright' ? { ...process.env, CHROMIUM_PATH: browserOrExit() } : process.env
  heading(`${title}: ${command} ${args.join(' ')}`)
  const stepAt = performance.now()
  const { status, signal, error } = run(command, args, env)
  if (status !== 0) {
    heading(`FAILED: ${title} (${error?.message ?? signal ?? `exit ${status}`})`)
    process.exit(status || 1)
  }
  console.log(`${title}: ${((performance.now() - stepAt) / 1000).toFixed(1)} s`)
}
heading(`everything passed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
