import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitTwoFrames, waitUntilLoaded } from './page-facts.ts'
import { readProjectIds } from './sign-in.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Selector of the rows below the fifth. They are excluded once an earlier step has checked the whole table, because
 * axe's run time grows with each cell.
 */
export const LOWER_ROWS_SELECTOR = 'tbody tr:nth-child(n+6)'

/**
 * Expects no serious or critical violation of WCAG 2.2 AA on screen, outside the elements of `except`. In the other
 * theme only colours are checked, because nothing else differs.
 */
async function expectNothingSerious(page: Page, except?: string): Promise<void> {
  const createAxe = () => {
    // These options halve axe's run time: the result omits passed checks, and no second page is opened for frames.
    const axe = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      // Ends of a menu that pass the focus on and are therefore hidden from screen readers.
      .exclude('[data-base-ui-focus-guard]')
    return except === undefined ? axe : axe.exclude(except)
  }
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const violations = await faults(page, createAxe().withTags(TAGS))
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  const otherTheme = await faults(page, createAxe().withRules(['color-contrast']))
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  expect([...violations, ...otherTheme]).toEqual([])
}

async function faults(page: Page, axe: AxeBuilder): Promise<object[]> {
  // Wait for fades to end, because contrast is too low half-way through one. A fade starts a frame after its element
  // appears. Endless animations, such as pulsing placeholders, are not awaited.
  await waitTwoFrames(page)
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState === 'finished' || effect?.getComputedTiming().iterations === Infinity,
      ),
  )
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) }))
}

/**
 * For accessibility*.spec.ts only: every screen and its overlays are checked once on a desk and once on a phone, each
 * in both themes.
 */
export const DESKTOP = { viewport: { width: 1440, height: 900 } }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const isPhone = (page: Page) => page.viewportSize()!.width < 500

/** Checks the screen that `open` shows. Once a table has been checked completely, its first rows are enough. */
export async function checkAccessibility(
  page: Page,
  what: string,
  open: () => Promise<unknown>,
  except?: string,
): Promise<void> {
  await test.step(what, async () => {
    await open()
    await waitUntilLoaded(page)
    await expectNothingSerious(page, except)
    if (isPhone(page)) await expectNoSidewaysScroll(page, `${what}: sideways`)
  })
}

/**
 * On a busy machine the first query over the whole market returns 503; the page shows a notice and retries by itself.
 */
const RETRY_TIMEOUT = { timeout: 60_000 }

export const createPageOpener = (page: Page, address: string, text: string | RegExp) => async () => {
  await page.goto(address)
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible(RETRY_TIMEOUT)
}
export const PROJECT_ID_PATTERN = /\d{11}/

export async function readFirstProjectId(page: Page): Promise<string> {
  if (!isPhone(page)) return (await readProjectIds(page))[0]!
  return (await page.locator('li[data-project-id]').first().getAttribute('data-project-id'))!
}
