import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Page, test } from '@playwright/test'
import { PHONE } from './axe.ts'
import { drawn, screensOf, signInWithAll, WIDE } from './every-screen.ts'
import { waitTwoFrames } from './page-facts.ts'
import { MANAGER, signIn } from './sign-in.ts'

/** Half of the limit of a good page by https://web.dev/articles/cls. */
const MAX_SHIFT = 0.05

type Shift = PerformanceEntry & {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}
type Watched = { shifts: { value: number; at: number; of: string[] }[] }

/** Records what moves on its own while a page loads, with the elements that moved. */
const watchShifts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const watched: Watched = { shifts: [] }
    Object.assign(window, { watched })
    const named = (node: Node | null) => {
      const element = node instanceof Element ? node : node?.parentElement
      return element ? `${element.tagName.toLowerCase()} “${element.textContent.trim().slice(0, 40)}”` : 'removed'
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput)
          watched.shifts.push({
            value: entry.value,
            at: entry.startTime,
            of: entry.sources.map(({ node }) => named(node)),
          })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/**
 * Returns the cumulative layout shift since the page loaded: the largest sum within five seconds without a pause of one.
 */
async function shiftOf(page: Page): Promise<{ readonly total: number; readonly largest: string }> {
  // The browser reports a layout shift after the frame in which it happened.
  await waitTwoFrames(page)
  const { shifts } = await page.evaluate(() => (window as unknown as { watched: Watched }).watched)
  let [total, sum, start, last] = [0, 0, 0, Number.NEGATIVE_INFINITY]
  for (const { value, at } of shifts) {
    const continues = at - last < 1_000 && at - start < 5_000
    if (!continues) start = at
    sum = continues ? sum + value : value
    last = at
    total = Math.max(total, sum)
  }
  const largest = shifts.toSorted((a, b) => b.value - a.value).slice(0, 3)
  return { total, largest: largest.map(({ value, of }) => `${value.toFixed(3)} ${of.join(', ')}`).join('; ') }
}

async function expectStillScreens(page: Page, size: { width: number; height: number }): Promise<void> {
  test.setTimeout(420_000)
  const world = await signInWithAll(page)
  await page.setViewportSize(size)
  await watchShifts(page)
  for (const address of screensOf(world)) {
    await test.step(address, async () => {
      // The second load counts: at the first one the server may compute figures of the whole market for so long that
      // the bar about slow loading appears. Each load is of its own, since a change of the fragment loads nothing.
      for (let load = 0; load < 2; load += 1) {
        await page.goto('about:blank')
        await page.goto(address)
        await drawn(page)
      }
      const { total, largest } = await shiftOf(page)
      expect.soft(total, `${address}: ${largest}`).toBeLessThanOrEqual(MAX_SHIFT)
    })
  }
}

test('no screen moves while it loads at 1440 px', ({ page }) => expectStillScreens(page, WIDE))

test.describe('phone', () => {
  test.use(PHONE)

  test('no screen moves while it loads at 390 px', ({ page }) => expectStillScreens(page, PHONE.viewport))

  test('late data lifts no sheet that an address opens, and moves no watch list', async ({ page }) => {
    await signIn(page, MANAGER)
    const project = await page.locator('li[data-project-id]').first().getAttribute('data-project-id')
    await watchShifts(page)
    // Longer than the 500 ms after input for which browsers report no shift.
    await page.route(/\/api\/v2\//, async (route) => {
      await sleep(700)
      await route.continue()
    })
    const dialogs = ['/report#saved-filters', '/report#labels', `/report?peek=${project}`, '/report?queue=true']
    for (const address of [...dialogs, '/watch']) {
      await page.goto('about:blank')
      await page.goto(address)
      await page.waitForLoadState('networkidle')
      await drawn(page)
      const { total, largest } = await shiftOf(page)
      expect.soft(total, `${address}: ${largest}`).toBeLessThanOrEqual(MAX_SHIFT)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
