import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** No serious or critical fault by WCAG 2.2 AA in what is on screen now. */
export async function expectNothingSerious(page: Page): Promise<void> {
  // Half-way through a fade every contrast is too low.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === 'finished'))
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) }))
  expect(serious).toEqual([])
}
