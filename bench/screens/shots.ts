import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import AxeBuilder from '@axe-core/playwright'
import type { BrowserContext, Page } from 'playwright'
import { SCREENS, type Screen } from './every-screen.ts'
import { createSignedInState, withApp } from './with-app.ts'

/**
 * Takes a screenshot of every screen in seven window sizes and runs axe on each (WCAG 2.2 AA, serious and critical only).
 * `--base` uses a running server that has the demo data. Exits with 1 when axe reports a violation or a screen fails to
 * load.
 *
 *   npx node bench/screens/shots.ts [--only report,login] [--sizes desk,phone] [--shots FOLDER] [--no-axe] [--port 4421] [--dir FOLDER] [--base URL]
 */
const { values } = parseArgs({
  allowNegative: true,
  options: {
    port: { type: 'string', default: '4421' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    base: { type: 'string' },
    shots: { type: 'string', default: path.join(tmpdir(), 'tamngan-shots') },
    only: { type: 'string', default: '' },
    sizes: { type: 'string', default: '' },
    axe: { type: 'boolean', default: true },
  },
})

type Size = { readonly name: string; readonly width: number; readonly height: number; readonly dark?: true }
const SIZES: readonly Size[] = [
  { name: 'desk', width: 1440, height: 900 },
  { name: 'desk-dark', width: 1440, height: 900, dark: true },
  { name: 'laptop', width: 1280, height: 800 },
  { name: 'tablet', width: 1024, height: 768 },
  { name: 'wide', width: 1920, height: 1080 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'phone-dark', width: 390, height: 844, dark: true },
]
/** Maximum height of a screenshot in px; below it, pages only repeat similar rows. */
const MAX_SHOT_HEIGHT = 2400
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const isSelected = (list: string) => (name: string) => list === '' || list.split(',').includes(name)

let faults = 0
await withApp(values, async (browser, baseURL) => {
  const storageState = await createSignedInState(browser, baseURL)
  for (const size of SIZES.filter(({ name }) => isSelected(values.sizes)(name))) {
    const { width, height, dark } = size
    const isPhone = width < 500
    const windowOf = (isSignedIn: boolean) =>
      browser.newContext({
        baseURL,
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        locale: 'th-TH',
        timezoneId: 'Asia/Bangkok',
        ...(isPhone && { hasTouch: true, isMobile: true, deviceScaleFactor: 1 }),
        ...(isSignedIn && { storageState }),
      })
    const [inside, outside] = [await windowOf(true), await windowOf(false)]
    for (const screen of SCREENS.filter(({ name }) => isSelected(values.only)(name))) {
      if (isPhone ? screen.on === 'desk' : screen.on === 'phone') continue
      await take(screen.isSignedOut ? outside : inside, screen, size)
    }
    await inside.close()
    await outside.close()
  }
})
console.log(`${faults} problems, screenshots in ${values.shots}`)
process.exitCode = faults === 0 ? 0 : 1

async function take(context: BrowserContext, screen: Screen, { name: size, width, height }: Size): Promise<void> {
  const page = await context.newPage()
  const say = (fault: string) => {
    faults += 1
    console.log(`${size.padEnd(11)}${screen.name.padEnd(24)}${fault}`)
  }
  try {
    await page.goto(screen.address)
    await screen.open?.(page, width < 500)
    await page.waitForLoadState('networkidle')
    await settled(page)
    mkdirSync(path.join(values.shots, size), { recursive: true })
    const long = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.screenshot({
      animations: 'disabled',
      path: path.join(values.shots, size, `${screen.name}.png`),
      ...(long > height && { fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(long, MAX_SHOT_HEIGHT) } }),
    })
    const sideways = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    if (sideways > 0) say(`overflows horizontally by ${sideways} px`)
    if (values.axe && screen.isPaper !== true) for (const fault of await serious(page)) say(fault)
  } catch (error) {
    say(`did not load: ${String(error).split('\n')[0]}`)
  } finally {
    await page.close()
  }
}

/**
 * Waits until fades have ended, because contrast is too low halfway through a fade. Infinite animations are not
 * awaited.
 */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState === 'finished' || effect?.getComputedTiming().iterations === Infinity,
      ),
  )
}

async function serious(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page })
    .withTags(AXE_TAGS)
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `axe ${id}: ${nodes[0]?.html.slice(0, 140)}${nodes.length > 1 ? ` and ${nodes.length - 1} more` : ''}`,
    )
}
