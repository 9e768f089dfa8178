import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Rows below the fifth, for a test that has looked at a whole table before: axe takes its time by the cell. */
export const LOWER_ROWS = 'tbody tr:nth-child(n+6)'

/**
 * No serious or critical fault by WCAG 2.2 AA in what is on screen now, without the elements of `except`; its colours are looked at in the other
 * theme too, which differs in nothing else.
 */
export async function expectNothingSerious(page: Page, except?: string): Promise<void> {
  const look = () => {
    // What passes is not told, and no second page is opened to gather what frames say: half the time.
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
  // Half-way through a fade every contrast is too low. What waits out of sight may pulse for ever.
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
