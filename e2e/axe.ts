import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { expectNoSideways, loaded } from './page-facts.ts'
import { projectIds } from './sign-in.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Rows below the fifth, for a step that has looked at a whole table before: axe takes its time by the cell. */
export const LOWER_ROWS = 'tbody tr:nth-child(n+6)'

/**
 * Expects no serious or critical violation of WCAG 2.2 AA on screen, outside the elements of `except`. Colours are checked in the other theme too,
 * which differs in nothing else.
 */
async function expectNothingSerious(page: Page, except?: string): Promise<void> {
  const look = () => {
    // Without passes and without the second page axe opens for frames it takes half the time.
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
    return except === undefined ? axe : axe.exclude(except)
  }
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const found = await faults(page, look().withTags(TAGS))
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' })
  const otherTheme = await faults(page, look().withRules(['color-contrast']))
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' })
  expect([...found, ...otherTheme]).toEqual([])
}

async function faults(page: Page, axe: AxeBuilder): Promise<object[]> {
  // Half-way through a fade every contrast is too low, and it begins a frame after what fades is there. What waits out of sight may pulse for ever.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
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

/** For accessibility*.spec.ts alone: every screen, and what opens over it, is looked at once on a desk and once on a phone, each time in both themes. */
export const DESK = { viewport: { width: 1440, height: 900 } }
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const isPhone = (page: Page) => page.viewportSize()!.width < 500

/** Looks at what `open` brings to the screen. A table has been looked at whole once; after that its first rows are enough. */
export async function look(page: Page, what: string, open: () => Promise<unknown>, except?: string): Promise<void> {
  await test.step(what, async () => {
    await open()
    await loaded(page)
    await expectNothingSerious(page, except)
    if (isPhone(page)) await expectNoSideways(page, `${what}: sideways`)
  })
}

/** On a busy machine the first question over the whole market is answered 503: the page says so, and asks again by itself. */
const ASKED_AGAIN = { timeout: 60_000 }

/** Opens an address and waits for what is on it. */
export const opened = (page: Page, address: string, text: string | RegExp) => async () => {
  await page.goto(address)
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible(ASKED_AGAIN)
}
export const NUMBER = /\d{11}/

/** Number of the first project of the open report. */
export async function firstProject(page: Page): Promise<string> {
  if (!isPhone(page)) return (await projectIds(page))[0]!
  return (await page.locator('li[data-project-id]').first().getAttribute('data-project-id'))!
}
