import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { createCommandLineOutput } from '#server/cli/terminal.ts'
import { BENCH_USER, ensureScreenData } from './data/screen-data.ts'
import { getChromiumOptions } from './screens/chromium.ts'
import { describeMachine } from './server/machine.ts'
import { startServerProcess } from './server/own-server.ts'
import { installProbe } from './server/screen-probe.ts'

/**
 * Measures waiting times on /report: real Chromium, the built app, the real server on the embedded database, an
 * organisation with more than 20,000 matched projects. Times run from the browser's timestamp of the click to the
 * second frame after the change is in the page. Every filter click is a new search (clicks answered by the cache are
 * not counted). `--show` prints every filter click. `--hold`: how long the mouse button stays down, in ms; a hand takes
 * 60 to 120. The click event fires on release; 0 is faster than any hand.
 *
 *   npx node bench/screen.ts [--port 4419] [--dir FOLDER] [--loads 3] [--only filter,star,scroll,load] [--hold 80] [--show]
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4419' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-screen') },
    loads: { type: 'string', default: '3' },
    show: { type: 'boolean', default: false },
    hold: { type: 'string', default: '80' },
    only: { type: 'string', default: 'filter,star,scroll,load' },
  },
})
const root = path.join(import.meta.dirname, '..')
const DESK = { width: 1440, height: 900 }
const PAGES = 10
const PAGE_SIZE = 100
const WHEEL_PX = 240
/** CPU slowdown for the first load: a mid-range phone (Lighthouse's factor). */
const SLOWDOWN = 4

if (!process.env.NOBUILD)
  execFileSync(process.execPath, [path.join(root, 'scripts/build-when-stale.ts')], { stdio: 'inherit' })
await ensureScreenData(values.dir, createCommandLineOutput(process.stderr))
const server = await startServerProcess(values.port, values.dir)
const browser = await chromium.launch(getChromiumOptions())
try {
  await measureAll(browser)
} finally {
  await browser.close()
  await server.stop()
}

async function measureAll(browser: Browser): Promise<void> {
  const context = await browser.newContext({
    baseURL: server.base,
    viewport: DESK,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
  })
  await context.addInitScript(installProbe)
  const page = await context.newPage()
  await signIn(page)
  const state = await context.storageState()
  const matched = [await countIn(page, '/report'), await countIn(page, '/report?is_archived=true')] as const
  await page.goto('/report')
  await rowsShown(page)
  console.log(describeMachine(`Chromium ${browser.version()}`, `${DESK.width} × ${DESK.height}`))
  console.log(`${matched[0] + matched[1]} projects matched, ${matched[0]} of them in the tab shown\n`)

  const wants = (part: string) => values.only.split(',').includes(part)
  if (wants('filter'))
    line(`filter click (held ${values.hold} ms) → new rows painted`, await filterClicks(page), '80 ms at p75')
  if (wants('star')) await measureStars(page)
  if (wants('scroll')) await measureScroll(page)
  await context.close()
  if (!wants('load')) return

  for (const [name, size] of [
    ['desk', DESK],
    ['phone', { width: 390, height: 844 }],
  ] as const) {
    const loads = []
    for (let i = 0; i < Number(values.loads); i += 1) loads.push(await firstLoad(browser, state, size))
    line(
      `first load, ${name}, CPU ÷ ${SLOWDOWN}: LCP`,
      loads.map(({ largestPaint }) => largestPaint),
    )
    line(
      `first load, ${name}, CPU ÷ ${SLOWDOWN}: TBT`,
      loads.map(({ blocked }) => blocked),
    )
  }
}

function isPageRequest(url: string): boolean {
  return new URL(url).pathname.endsWith('/projects')
}

async function measureStars(page: Page): Promise<void> {
  const stars = await starClicks(page)
  line(
    'star click → star painted',
    stars.map(({ painted }) => painted),
    '50 ms',
  )
  line(
    'star click → next frame (Event Timing)',
    stars.map(({ frame }) => frame ?? 16),
    '50 ms',
  )
}

async function measureScroll(page: Page): Promise<void> {
  const { gaps, long, rows } = await scrollPages(page)
  line(`frames while ${rows} rows scroll by`, gaps, 'none over 50 ms')
  console.log(
    `${' '.repeat(42)}over 50 ms: ${gaps.filter((gap) => gap > 50).length} of ${gaps.length}; long animation frames: ${long.length}, the longest ${Math.max(0, ...long).toFixed(0)} ms`,
  )
  console.log(`${'focus while its row scrolls away and back'.padEnd(48)}${await checkFocusAfterScroll(page)}`)
}

async function countIn(page: Page, address: string): Promise<number> {
  const answer = page.waitForResponse((response) => isPageRequest(response.url()))
  await page.goto(address)
  const { counts } = (await (await answer).json()) as { counts: { all: number } }
  return counts.all
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(BENCH_USER.email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(BENCH_USER.password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await rowsShown(page)
}

async function rowsShown(page: Page): Promise<void> {
  await page.locator('main tr[data-index]').first().waitFor()
  await page.waitForFunction(() => !document.querySelector('main [aria-busy="true"]'))
}

/** Checks every option of six filter lists in turn, then unchecks them in the same order: each is a separate search. */
async function filterClicks(page: Page): Promise<number[]> {
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  await panel.getByRole('checkbox').first().waitFor()
  const closed = panel.locator('h3 button[aria-expanded="false"]')
  for (let left = await closed.count(); left > 0; left -= 1) await closed.first().click()
  const pageRequests: string[] = []
  page.on('request', (request) => {
    if (isPageRequest(request.url())) pageRequests.push(request.url())
  })
  const times: number[] = []
  for (const list of ['การเปลี่ยนแปลง', 'สถานะโครงการ', 'ความเคลื่อนไหว', 'เกณฑ์การพิจารณา', 'วิธีจัดหา', 'ประเภทการจัดหา']) {
    const boxes = await panel.getByRole('group', { name: list, exact: true }).getByRole('checkbox').count()
    for (const shouldCheck of [true, false]) {
      for (let index = 0; index < boxes; index += 1) {
        const box = panel.getByRole('group', { name: list, exact: true }).getByRole('checkbox').nth(index)
        if ((await box.isChecked()) === shouldCheck) continue
        const before = pageRequests.length
        await box.scrollIntoViewIfNeeded()
        await page.evaluate(() => window.probe.watch('rows'))
        await box.click({ delay: Number(values.hold) })
        const { painted } = await page.evaluate(() => window.probe.result())
        const isRequested = pageRequests.length > before
        if (isRequested) times.push(painted)
        if (values.show)
          console.log(
            `  ${list} ${index} ${shouldCheck ? 'on ' : 'off'} ${painted.toFixed(0)} ms${isRequested ? '' : ' (cache)'}`,
          )
        // Filter counts arrive after the rows, so wait for the counts before the next click.
        await page.waitForLoadState('networkidle')
      }
    }
  }
  return times
}

async function starClicks(page: Page): Promise<{ painted: number; frame: number | null }[]> {
  await page.goto('/report')
  await rowsShown(page)
  const times = []
  const stars = page.locator('main tr[data-index] button[aria-pressed]')
  // The first star also loads a code chunk. It counts, because every user waits for that.
  for (let index = 0; index < 30; index += 1) {
    await page.evaluate(() => window.probe.watch('pressed'))
    await stars.nth(index % 6).click()
    times.push(await page.evaluate(() => window.probe.result()))
  }
  await page.waitForLoadState('networkidle')
  return times
}

async function scrollPages(page: Page): Promise<{ gaps: number[]; long: number[]; rows: number }> {
  const all = { gaps: [] as number[], long: [] as number[], rows: 0 }
  for (let number = 1; number <= PAGES; number += 1) {
    await page.goto(`/report?page_size=${PAGE_SIZE}${number > 1 ? `&page=${number}` : ''}`)
    await rowsShown(page)
    await page.waitForLoadState('networkidle')
    await page.mouse.move(DESK.width - 300, DESK.height - 250)
    const seen = new Set<string>()
    await page.evaluate(() => window.probe.startFrames())
    for (let atEnd = false; !atEnd; ) {
      await page.mouse.wheel(0, WHEEL_PX)
      const now = await page.evaluate(() => {
        const region = document.querySelector('main table')!.parentElement!
        return {
          atEnd: region.scrollTop + region.clientHeight >= region.scrollHeight - 2,
          indexes: [...region.querySelectorAll('tr[data-index]')].map((row) => row.getAttribute('data-index')!),
        }
      })
      for (const index of now.indexes) seen.add(index)
      atEnd = now.atEnd
    }
    const { gaps, long } = await page.evaluate(() => window.probe.stopFrames())
    all.gaps.push(...gaps)
    all.long.push(...long)
    all.rows += seen.size
  }
  return all
}

async function checkFocusAfterScroll(page: Page): Promise<string> {
  const readFocus = () =>
    page.evaluate(() => {
      const row = document.activeElement?.closest('tr[data-index]')
      return {
        index: row?.getAttribute('data-index') ?? null,
        text: document.activeElement?.outerHTML.slice(0, 80) ?? '',
      }
    })
  await page.goto(`/report?page_size=${PAGE_SIZE}`)
  await rowsShown(page)
  await page.locator('main tr[data-index="2"]').locator('button, a[href], [tabindex]').first().focus()
  const [before] = [await readFocus()]
  if (before.index !== '2') return 'NOT MEASURED: no focusable control in the row'
  await page.mouse.move(DESK.width - 300, DESK.height - 250)
  const wheel = async (step: number) => {
    for (let i = 0; i < 30; i += 1) await page.mouse.wheel(0, step)
    await sleep(300)
    return await readFocus()
  }
  const away = await wheel(WHEEL_PX)
  const back = await wheel(-WHEEL_PX)
  const isKept = [away, back].every(({ index, text }) => index === before.index && text === before.text)
  return isKept ? 'kept' : `LOST (${JSON.stringify({ before, away, back })})`
}

async function firstLoad(
  browser: Browser,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  viewport: { width: number; height: number },
): Promise<{ largestPaint: number; blocked: number }> {
  const context = await browser.newContext({
    baseURL: server.base,
    viewport,
    storageState,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
  })
  await context.addInitScript(installProbe)
  const page = await context.newPage()
  // A throttled load on a busy machine may take a minute.
  page.setDefaultTimeout(120_000)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto('/report')
  await page.locator('main :is(tr[data-index], article)').first().waitFor()
  await page.waitForLoadState('networkidle')
  await sleep(2000)
  const load = await page.evaluate(() => window.probe.load())
  await context.close()
  return load
}

function line(title: string, times: readonly number[], target?: string): void {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (p: number) =>
    (sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN).toFixed(0).padStart(5)
  console.log(
    `${title.padEnd(48)}p50 ${at(0.5)}   p75 ${at(0.75)}   p95 ${at(0.95)}   longest ${at(1)} ms   n ${sorted.length}${target ? `   target: ${target}` : ''}`,
  )
}
