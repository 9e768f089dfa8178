import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright'
import { signedInState, withApp } from './with-app.ts'

/**
 * How much of the report, and of the list of companies, is in view: where its first row or card begins and how many are whole, on the screens that people have.
 *
 *   npx node bench/screens/rows.ts [--port 4420] [--dir FOLDER] [--base URL] [--shots FOLDER]
 *
 * `--base` measures a server that runs already and holds the sample. `--shots` keeps a picture of each screen.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4420' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    base: { type: 'string' },
    shots: { type: 'string' },
  },
})

type Screen = {
  readonly name: string
  readonly width: number
  readonly height: number
  readonly address?: string
  readonly compact?: true
  readonly dark?: true
  readonly phone?: true
  /** Whole rows or cards in view, and the largest y of the first. */
  readonly wanted: { readonly rows: number; readonly y?: number }
}

const DESK = { width: 1440, height: 900 }
const BUSY =
  '/report?project_name__in=%E0%B8%A3%E0%B8%B0%E0%B8%9A%E0%B8%9A&project_status__in=in_progress&utm_source=line'
const SCREENS: readonly Screen[] = [
  { name: 'desk', ...DESK, wanted: { rows: 8, y: 230 } },
  { name: 'desk, dark', ...DESK, dark: true, wanted: { rows: 8, y: 230 } },
  { name: 'desk, compact', ...DESK, compact: true, wanted: { rows: 13, y: 230 } },
  { name: 'desk, search, filter and notice', ...DESK, address: BUSY, wanted: { rows: 7 } },
  { name: 'desk, peek open', ...DESK, address: 'peek', wanted: { rows: 7 } },
  { name: 'laptop', width: 1024, height: 768, wanted: { rows: 6 } },
  { name: 'wide', width: 1920, height: 1080, wanted: { rows: 10 } },
  { name: 'companies', ...DESK, address: '/companies', wanted: { rows: 9, y: 330 } },
  { name: 'phone', width: 390, height: 844, phone: true, wanted: { rows: 2, y: 260 } },
]

await withApp(values, measureAll)

async function measureAll(chrome: Browser, baseURL: string): Promise<void> {
  const storageState = await signedInState(chrome, baseURL)
  if (values.shots) mkdirSync(values.shots, { recursive: true })
  for (const screen of SCREENS) {
    const { name, width, height, compact, dark, phone, wanted } = screen
    const context = await chrome.newContext({
      baseURL,
      storageState,
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      locale: 'th-TH',
      timezoneId: 'Asia/Bangkok',
      ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}),
    })
    if (compact) await context.addInitScript(() => localStorage.setItem('tamngan.density', 'compact'))
    const page = await context.newPage()
    await show(page, screen.address)
    const { y, rows } = await inView(page, height)
    const isMet = rows >= wanted.rows && y <= (wanted.y ?? Number.POSITIVE_INFINITY)
    console.log(
      `${`${name} ${width} × ${height}`.padEnd(44)}first at y ${y}, whole in view ${rows}   wanted: ${wanted.y === undefined ? '' : `y ≤ ${wanted.y}, `}≥ ${wanted.rows}${isMet ? '' : '   MISSED'}`,
    )
    if (values.shots) await page.screenshot({ path: path.join(values.shots, `${name.replace(/\W+/g, '-')}.png`) })
    await context.close()
  }
}

async function show(page: Page, address = '/report'): Promise<void> {
  await page.goto(address === 'peek' ? '/report' : address)
  await page.locator('main :is(tr[data-index], article, [data-company])').first().waitFor()
  await page.waitForLoadState('networkidle')
  if (address === 'peek') {
    await page.locator('main tr[data-index="1"] [data-project-link]').click()
    await page.getByRole('complementary', { name: 'ดูย่อโครงการ' }).waitFor()
  }
}

/** Where the first row or card begins, px, and how many stand whole between the head and the foot. */
function inView(page: Page, height: number): Promise<{ y: number; rows: number }> {
  return page.evaluate((windowHeight) => {
    const drawn = [...document.querySelectorAll('main :is(tr[data-index], article, [data-company])')].map((row) =>
      row.getBoundingClientRect(),
    )
    const region = document.querySelector('main table')?.parentElement
    // A row counts as in view down to the lower edge of the window, or of the table's own scroll region where that ends higher.
    const end = region
      ? Math.min(windowHeight, region.getBoundingClientRect().top + region.clientTop + region.clientHeight)
      : windowHeight
    return {
      y: Math.round(drawn[0]!.top),
      rows: drawn.filter(({ top, bottom }) => top >= 0 && bottom <= end + 0.5).length,
    }
  }, height)
}
