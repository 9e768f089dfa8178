import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, CDPSession, Page } from 'playwright'
import type { PursuitCard, PursuitList } from '#contract/team/pursuit.ts'
import { describeMachine } from '../server/machine.ts'
import { traceMainThread } from './main-thread.ts'
import { createSignedInState, withApp } from './with-app.ts'

/**
 * Measures the frame cost of a board with 2,000 cards: opening it, scrolling a column, scrolling sideways, dragging a
 * card across all columns; on a desktop, and on a phone with 4× CPU slowdown. The slowdown is a multiplication of the
 * measured CPU time: the browser's own throttling works by elapsed time and would count a busy machine twice. Only the
 * response of `GET /pursuits` is fake. `main thread` is CPU time, so other load hardly affects it; at 60 frames per
 * second a frame has 16.7 ms. `--show` prints what the thread did.
 *
 *   npx node bench/screens/board.ts [--port 4421] [--dir FOLDER] [--base URL] [--cards 2000] [--only desk,phone] [--show]
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4421' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    base: { type: 'string' },
    cards: { type: 'string', default: '2000' },
    only: { type: 'string', default: 'desk,phone' },
    show: { type: 'boolean', default: false },
  },
})
const OPEN_STAGES = ['screened', 'pricing', 'deciding', 'preparing', 'submitted']
const SLOWER = 4
const FLING = 4_000
const STEPS = 120
const FRAME_MS = 16.7
const LONG_TIMEOUT = { timeout: 180_000 }

await withApp(values, async (browser, baseURL) => {
  const storageState = await createSignedInState(browser, baseURL)
  console.log(describeMachine(`Chromium ${browser.version()}`, `${values.cards} cards`))
  for (const name of values.only.split(',')) await measure(browser, baseURL, storageState, name === 'phone')
})

async function measure(
  browser: Browser,
  baseURL: string,
  storageState: Awaited<ReturnType<typeof createSignedInState>>,
  isPhone: boolean,
): Promise<void> {
  const context = await browser.newContext({
    baseURL,
    storageState,
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 2 }),
  })
  const page = await context.newPage()
  await page.route(/\/pursuits(\?|$)/, (route) => route.fulfill({ json: madeCards(Number(values.cards)) }))
  // Shared code is already cached, so opening measures the board alone.
  await page.goto('/board')
  await page.locator('[data-card]').first().waitFor(LONG_TIMEOUT)
  const session = await context.newCDPSession(page)
  const drawn = await page.evaluate(() => document.querySelectorAll('*').length)
  console.log(`\n${isPhone ? `phone 390 × 844, CPU time × ${SLOWER}` : 'desk 1440 × 900'}   ${drawn} elements`)
  const report = (what: string, work: () => Promise<void>) => inFrames(browser, page, what, work, isPhone ? SLOWER : 1)
  await report('opened', async () => {
    await page.reload()
    await page.locator('[data-card]').first().waitFor(LONG_TIMEOUT)
    await quiet(page)
  })
  if (isPhone) {
    await report('down a column and up', () => fling(session))
    await report('columns swiped through', () => swipe(session, page))
  } else {
    await report('down a column and up', () => wheel(page, 0, 300))
    await page.setViewportSize({ width: 1024, height: 768 })
    await report('sideways at 1024 × 768', () => wheel(page, 120, 0))
    await page.setViewportSize({ width: 1440, height: 900 })
    await report('a card dragged over all columns', () => drag(page))
  }
  await context.close()
}

function madeCards(count: number): PursuitList {
  const results = Array.from(
    { length: count },
    (_, at): PursuitCard => ({
      project_id: String(68_010_000_001 + at),
      name: `ประกวดราคาจ้างก่อสร้างปรับปรุงระบบกล้องโทรทัศน์วงจรปิด${' พร้อมติดตั้งและอบรม'.repeat(at % 4)} ครั้งที่ ${at + 1}`,
      agency: 'องค์การบริหารส่วนตำบลหนองบัว',
      province: ['ระยอง', 'เชียงใหม่', 'ขอนแก่น'][at % 3]!,
      budget: at % 17 === 0 ? null : 180_000 + at * 9_731,
      deadline:
        at % 11 === 0 ? null : new Date(Date.UTC(2026, 10, 20) + (at % 60) * 86_400_000).toISOString().slice(0, 10),
      stage: OPEN_STAGES[at % OPEN_STAGES.length]!,
      owner: null,
      note_count: at % 5,
      items_done: at % 4,
      items: at % 3 === 0 ? 0 : 6,
      changed_at: new Date(Date.UTC(2026, 10, 20) + at * 1_000).toISOString(),
    }),
  )
  return { results, total: count, version: 1 }
}

async function wheel(page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(300, 500)
  for (const sign of [1, -1]) {
    for (let step = 0; step < STEPS; step += 1) {
      await page.mouse.wheel(sign * x, sign * y)
      await frame(page)
    }
  }
}

async function fling(session: CDPSession): Promise<void> {
  for (const yDistance of [-16_000, 16_000])
    await session.send('Input.synthesizeScrollGesture', { x: 200, y: 500, yDistance, speed: FLING })
}

async function swipe(session: CDPSession, page: Page): Promise<void> {
  for (const _ of OPEN_STAGES) {
    await session.send('Input.synthesizeScrollGesture', { x: 330, y: 500, xDistance: -280, speed: 1_200 })
    await quiet(page)
  }
}

async function drag(page: Page): Promise<void> {
  const from = (await page.locator('[data-card]').first().boundingBox())!
  await page.mouse.move(from.x + 40, from.y + from.height - 50)
  await page.mouse.down()
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.move(from.x + 40 + (step * 1_200) / STEPS, 400 + 40 * Math.sin(step / 9))
    await frame(page)
  }
  await page.keyboard.press('Escape')
  await page.mouse.up()
}

function frame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise(requestAnimationFrame))
}

/** Resolves when the DOM has had no insertions or removals for long enough to look still. */
function quiet(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect()
          resolve()
        }
        let timer = setTimeout(done, 500)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(done, 500)
        })
        observer.observe(document.body, { subtree: true, childList: true })
      }),
  )
}

async function inFrames(
  browser: Browser,
  page: Page,
  what: string,
  work: () => Promise<void>,
  slower: number,
): Promise<void> {
  const { frames, kinds, total } = await traceMainThread(browser, page, work)
  const sorted = frames.map((ms) => ms * slower).toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1)
  const missed = sorted.filter((ms) => ms > FRAME_MS).length
  console.log(
    `  ${what.padEnd(34)}main thread ${(total * slower).toFixed(0).padStart(6)} ms   frames ${String(sorted.length).padStart(4)}   each p50 ${at(0.5)}   p95 ${at(0.95)}   longest ${at(1)} ms   over ${FRAME_MS}: ${missed}`,
  )
  if (!values.show) return
  const topKinds = [...kinds].toSorted(([, a], [, b]) => b - a).slice(0, 12)
  console.log(`      ${topKinds.map(([kind, ms]) => `${kind} ${(ms * slower).toFixed(0)}`).join(' · ')}`)
}
