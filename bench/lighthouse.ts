import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse, { type Result } from 'lighthouse'
import { type BrowserContext, chromium } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { getChromiumOptions } from './screens/chromium.ts'
import { describeMachine } from './server/machine.ts'
import { startServerProcess } from './server/own-server.ts'

/**
 * Runs Lighthouse's phone profile (simulated 4G, 4× CPU slowdown) against the built app and the real server with the
 * demo data: `--runs` times per page, and the median of each figure. `login`: /login, signed out. `demo`: the demo
 * link, which redirects to its report. `report`: /report of a signed-in user. Each run starts with an empty browser
 * cache. `--keep` writes each Lighthouse report as JSON. `--applied` throttles network and CPU for real during the
 * load. Without it Lighthouse loads at full speed and estimates how long a slow phone would take, assuming that
 * everything that arrived before the largest text was needed for it.
 *
 * The CPU slowdown multiplies the processor time of this machine, so a figure depends on its speed: compare figures of
 * about the same `CPU index`, Lighthouse's benchmark. Lighthouse calls a machine below 1,000 too slow for a factor of 4.
 * The phone that it emulates has 264 (`lowScore` in Chromium's CalibrationController.ts): `--slowdown` of CPU index ÷ 264
 * measures that phone on any machine.
 *
 *   npx node bench/lighthouse.ts [--port 4421] [--dir FOLDER] [--runs 3] [--only login,demo,report] [--keep FOLDER]
 *     [--applied] [--slowdown 4]
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4421' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'login,demo,report' },
    keep: { type: 'string' },
    applied: { type: 'boolean', default: false },
    slowdown: { type: 'string', default: '4' },
  },
})

type Screen = {
  readonly name: string
  readonly address: string
  readonly signedIn?: true
  /** Targets: minimum performance score; maximum LCP and TBT in ms, maximum CLS and number of requests. */
  readonly targets: {
    readonly score: number
    readonly lcp?: number
    readonly tbt?: number
    readonly cls?: number
    readonly requests?: number
  }
}
const REPORT_WANTED = { score: 88, lcp: 3_000, cls: 0.05 }
const SCREENS: readonly Screen[] = [
  { name: 'login', address: '/login', targets: { score: 95, lcp: 3_000 } },
  { name: 'demo', address: '/login?refkey=demo', targets: REPORT_WANTED },
  { name: 'report', address: '/report', signedIn: true, targets: REPORT_WANTED },
]

type Figures = {
  readonly score: number
  readonly fcp: number
  readonly lcp: number
  readonly speedIndex: number
  readonly tbt: number
  readonly cls: number
  readonly requests: number
  readonly scripts: number
  readonly kilobytes: number
  readonly nodes: number
  readonly cpuIndex: number
}

/**
 * Lighthouse could not measure, for example because the trace of a busy machine lacks its beginning (NO_NAVSTART); this
 * is no result about the page.
 */
class NotMeasured extends Error {
  override readonly name = 'NotMeasured'
}

const TRIES = 3

if (!process.env.NOBUILD)
  execFileSync(process.execPath, [path.join(import.meta.dirname, '../scripts/build-when-stale.ts')], {
    stdio: 'inherit',
  })
const server = await startServerProcess(values.port, values.dir)
try {
  console.log(
    describeMachine(`Lighthouse, phone profile${values.applied ? ', applied' : ''}, CPU ÷ ${values.slowdown}`),
  )
  for (const screen of SCREENS.filter(({ name }) => values.only.split(',').includes(name))) await measure(screen)
} finally {
  await server.stop()
}

async function measure(screen: Screen): Promise<void> {
  const runs: Figures[] = []
  for (let run = 1; run <= Number(values.runs); run += 1) runs.push(await measured(screen, run))
  const median = (figure: keyof Figures) => runs.map((run) => run[figure]).toSorted((a, b) => a - b)[runs.length >> 1]!
  const { score, lcp, tbt, cls, requests } = screen.targets
  const line = (name: string, figure: keyof Figures, digits: number, unit = '', max?: number) => {
    const all = runs.map((run) => run[figure].toFixed(digits)).join(' ')
    const isMissed = max !== undefined && median(figure) > max
    console.log(
      `  ${name.padEnd(12)}${median(figure).toFixed(digits).padStart(8)}${unit.padEnd(4)}(${all})${max === undefined ? '' : `   target ≤ ${max}${isMissed ? '   MISSED' : ''}`}`,
    )
  }
  console.log(`\n${screen.address}${screen.signedIn ? ', signed in' : ''}`)
  console.log(
    `  performance ${String(median('score')).padStart(8)}    (${runs.map((run) => run.score).join(' ')})   target ≥ ${score}${median('score') < score ? '   MISSED' : ''}`,
  )
  line('FCP', 'fcp', 0, ' ms')
  line('LCP', 'lcp', 0, ' ms', lcp)
  line('Speed Index', 'speedIndex', 0, ' ms')
  line('TBT', 'tbt', 0, ' ms', tbt)
  line('CLS', 'cls', 3, '', cls)
  line('requests', 'requests', 0, '', requests)
  line('scripts', 'scripts', 0)
  line('transferred', 'kilobytes', 0, ' kB')
  line('nodes', 'nodes', 0)
  line('CPU index', 'cpuIndex', 0)
}

async function measured(screen: Screen, run: number): Promise<Figures> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inNewBrowser(screen, run)
    } catch (error) {
      if (!(error instanceof NotMeasured) || tries === TRIES) throw error
      console.log(`  ${screen.address}, run ${run}: not measured, retrying (${error.message})`)
    }
  }
}

/** Measures in a new browser, because a used one retains files and connections of the previous run. */
async function inNewBrowser(screen: Screen, run: number): Promise<Figures> {
  const profile = mkdtempSync(path.join(tmpdir(), 'tamngan-lighthouse-'))
  const port = Number(values.port) + 1
  const launch = () =>
    chromium.launchPersistentContext(profile, {
      ...getChromiumOptions(`--remote-debugging-port=${port}`),
      baseURL: server.base,
      locale: 'th-TH',
      timezoneId: 'Asia/Bangkok',
    })
  // In a browser of its own: the end of its page, 0.2 s in the same process, counted as blocking time of the measured one.
  if (screen.signedIn) await signIn(await launch())
  const context = await launch()
  try {
    const result = await lighthouse(`${server.base}${screen.address}`, {
      port,
      output: 'json',
      logLevel: 'error',
      locale: 'en',
      onlyCategories: ['performance'],
      throttlingMethod: values.applied ? 'devtools' : 'simulate',
      throttling: { cpuSlowdownMultiplier: Number(values.slowdown) },
    })
    if (!result) throw new Error('Lighthouse returned no report')
    const { lhr } = result
    if (lhr.runtimeError) throw new NotMeasured(`${lhr.runtimeError.code}: ${lhr.runtimeError.message}`)
    if (values.keep) {
      mkdirSync(values.keep, { recursive: true })
      writeFileSync(path.join(values.keep, `${screen.name}-${run}.json`), JSON.stringify(lhr))
    }
    if (screen.name !== 'login' && !new URL(lhr.finalDisplayedUrl).pathname.startsWith('/report'))
      throw new Error(`${screen.address} was redirected to ${lhr.finalDisplayedUrl}`)
    return figuresOf(lhr)
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill('manager@tharamek.example')
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(SAMPLE_PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await page.locator('main :is(tr[data-index], article)').first().waitFor()
  await context.close()
}

/**
 * Extracts the figures from the audits of one report. Throws when one is missing: a missing figure would look like a
 * good one.
 */
function figuresOf({ audits, categories, environment }: Result): Figures {
  const value = (id: string): number => {
    const numericValue = audits[id]?.numericValue
    if (numericValue === undefined) throw new Error(`Lighthouse returned no ${id}`)
    return numericValue
  }
  const details = audits['network-requests']?.details
  if (details?.type !== 'table') throw new Error('Lighthouse returned no requests')
  const requests = details.items
  return {
    score: Math.round((categories.performance?.score ?? 0) * 100),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    speedIndex: value('speed-index'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    requests: requests.length,
    scripts: requests.filter(({ resourceType }) => resourceType === 'Script').length,
    kilobytes: requests.reduce((sum, { transferSize }) => sum + Number(transferSize), 0) / 1000,
    nodes: value('dom-size-insight'),
    cpuIndex: environment.benchmarkIndex,
  }
}
