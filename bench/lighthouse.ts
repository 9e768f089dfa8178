import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import lighthouse, { type Result } from 'lighthouse'
import { type BrowserContext, chromium } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { chromiumOptions } from './screens/chromium.ts'
import { machineLine } from './server/machine.ts'
import { startOwnServer } from './server/own-server.ts'

/**
 * Lighthouse's phone profile (simulated 4G, processor four times slower) against the built app and the real server with the sample: `--runs` times each
 * page, and the median of each figure.
 *
 *   npx node bench/lighthouse.ts [--port 4421] [--dir FOLDER] [--runs 3] [--only login,demo,report] [--keep FOLDER] [--applied]
 *
 * `login`: /login as nobody. `demo`: the demo's link, which ends on its report. `report`: /report of a signed-in user. The browser's cache is empty each
 * time. `--keep` writes each report of Lighthouse as JSON. `--applied`: line and processor are slow in truth while the page loads. Without it Lighthouse loads
 * quickly and computes how long a slow phone would take, as if whatever had arrived before the largest text were needed for it.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4421' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    runs: { type: 'string', default: '3' },
    only: { type: 'string', default: 'login,demo,report' },
    keep: { type: 'string' },
    applied: { type: 'boolean', default: false },
  },
})

type Screen = {
  readonly name: string
  readonly address: string
  readonly signedIn?: true
  /** Least performance score, most LCP ms, TBT ms, CLS and requests. */
  readonly wanted: {
    readonly score: number
    readonly lcp?: number
    readonly tbt?: number
    readonly cls?: number
    readonly requests?: number
  }
}
const REPORT_WANTED = { score: 90, lcp: 2_300, tbt: 200, cls: 0.02, requests: 22 }
const SCREENS: readonly Screen[] = [
  { name: 'login', address: '/login', wanted: { score: 97 } },
  { name: 'demo', address: '/login?refkey=demo', wanted: REPORT_WANTED },
  { name: 'report', address: '/report', signedIn: true, wanted: REPORT_WANTED },
]

/** What one run of Lighthouse gave. Times in ms. */
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
}

/** Lighthouse could not measure, as when the trace of a busy machine lacks its beginning (NO_NAVSTART): it says nothing about the page. */
class NotMeasured extends Error {
  override readonly name = 'NotMeasured'
}

/** Most times that one run is begun. */
const TRIES = 3

if (!process.env.NOBUILD)
  execFileSync(process.execPath, [path.join(import.meta.dirname, '../scripts/build-when-stale.ts')], {
    stdio: 'inherit',
  })
const server = await startOwnServer(values.port, values.dir)
try {
  console.log(machineLine(`Lighthouse, phone profile${values.applied ? ', applied' : ''}`))
  for (const screen of SCREENS.filter(({ name }) => values.only.split(',').includes(name))) await measure(screen)
} finally {
  await server.stop()
}

async function measure(screen: Screen): Promise<void> {
  const runs: Figures[] = []
  for (let run = 1; run <= Number(values.runs); run += 1) runs.push(await measured(screen, run))
  const median = (figure: keyof Figures) => runs.map((run) => run[figure]).toSorted((a, b) => a - b)[runs.length >> 1]!
  const { score, lcp, tbt, cls, requests } = screen.wanted
  const line = (name: string, figure: keyof Figures, digits: number, unit = '', most?: number) => {
    const all = runs.map((run) => run[figure].toFixed(digits)).join(' ')
    const isMissed = most !== undefined && median(figure) > most
    console.log(
      `  ${name.padEnd(12)}${median(figure).toFixed(digits).padStart(8)}${unit.padEnd(4)}(${all})${most === undefined ? '' : `   wanted ≤ ${most}${isMissed ? '   MISSED' : ''}`}`,
    )
  }
  console.log(`\n${screen.address}${screen.signedIn ? ', signed in' : ''}`)
  console.log(
    `  performance ${String(median('score')).padStart(8)}    (${runs.map((run) => run.score).join(' ')})   wanted ≥ ${score}${median('score') < score ? '   MISSED' : ''}`,
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
}

/** One run, begun again when Lighthouse itself could not measure; each time is said. */
async function measured(screen: Screen, run: number): Promise<Figures> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inNewBrowser(screen, run)
    } catch (error) {
      if (!(error instanceof NotMeasured) || tries === TRIES) throw error
      console.log(`  ${screen.address}, run ${run}: not measured, once more (${error.message})`)
    }
  }
}

/** Measures once in a new browser, because a used one keeps files and connections of the run before. */
async function inNewBrowser(screen: Screen, run: number): Promise<Figures> {
  const profile = mkdtempSync(path.join(tmpdir(), 'tamngan-lighthouse-'))
  const port = Number(values.port) + 1
  const context = await chromium.launchPersistentContext(profile, {
    ...chromiumOptions(`--remote-debugging-port=${port}`),
    baseURL: server.base,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
  })
  try {
    if (screen.signedIn) await signIn(context)
    const found = await lighthouse(`${server.base}${screen.address}`, {
      port,
      output: 'json',
      logLevel: 'error',
      locale: 'en',
      onlyCategories: ['performance'],
      throttlingMethod: values.applied ? 'devtools' : 'simulate',
    })
    if (!found) throw new Error('Lighthouse gave no report')
    const { lhr } = found
    if (lhr.runtimeError) throw new NotMeasured(`${lhr.runtimeError.code}: ${lhr.runtimeError.message}`)
    if (values.keep) {
      mkdirSync(values.keep, { recursive: true })
      writeFileSync(path.join(values.keep, `${screen.name}-${run}.json`), JSON.stringify(lhr))
    }
    if (screen.name !== 'login' && !new URL(lhr.finalDisplayedUrl).pathname.startsWith('/report'))
      throw new Error(`${screen.address} ended on ${lhr.finalDisplayedUrl}`)
    return figuresOf(lhr.audits, lhr.categories.performance?.score)
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
  await page.close()
}

/** The figures out of the audits of one report. Throws when one is missing: a figure of nothing would look like a good one. */
function figuresOf(audits: Result['audits'], score: number | null | undefined): Figures {
  const value = (id: string): number => {
    const found = audits[id]?.numericValue
    if (found === undefined) throw new Error(`Lighthouse gave no ${id}`)
    return found
  }
  const details = audits['network-requests']?.details
  if (details?.type !== 'table') throw new Error('Lighthouse gave no requests')
  const requests = details.items
  return {
    score: Math.round((score ?? 0) * 100),
    fcp: value('first-contentful-paint'),
    lcp: value('largest-contentful-paint'),
    speedIndex: value('speed-index'),
    tbt: value('total-blocking-time'),
    cls: value('cumulative-layout-shift'),
    requests: requests.length,
    scripts: requests.filter(({ resourceType }) => resourceType === 'Script').length,
    kilobytes: requests.reduce((sum, { transferSize }) => sum + Number(transferSize), 0) / 1000,
    nodes: value('dom-size-insight'),
  }
}
