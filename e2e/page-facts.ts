import { expect, type Page } from '@playwright/test'

/** Expects no sideways scroll. After a width change the layout follows a frame or two later, so it polls. */
export const expectNoSidewaysScroll = (page: Page, what = 'pixels to the side'): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), what)
    .toBeLessThanOrEqual(0)

/**
 * Waits until nothing in view is loading: no skeleton, no stale rows. Parts further down load when scrolled into view.
 */
export async function waitUntilLoaded(page: Page): Promise<void> {
  const loading = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role="status"], [aria-busy="true"]')]
        .filter((element) => element.ariaBusy === 'true' || element.textContent.startsWith('กำลังโหลด'))
        .filter((element) => {
          const { top, bottom } = element.getBoundingClientRect()
          return element.checkVisibility() && top < innerHeight && bottom > 0
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 120)),
    )
  await expect.poll(loading).toEqual([])
}

/**
 * Like `waitUntilLoaded`, for a first query over the whole market: a busy machine returns 503 until it has counted, and
 * the page retries by itself.
 */
export const waitUntilMarketLoaded = (page: Page): Promise<void> =>
  expect(() => waitUntilLoaded(page)).toPass({ timeout: 75_000 })

/** Waits until the last render is on screen and the work after its first frame is done. */
export const waitTwoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/**
 * Runs `act` and waits until the server has stored the change, because the screen shows it earlier (optimistic update).
 * Afterwards the test may reload the page or go offline. `holding`: text in the request body, when other requests to
 * the same path may be in flight.
 */
export async function waitUntilStored(
  page: Page,
  act: () => Promise<unknown>,
  path = /\/users\/me$/,
  holding = '',
): Promise<void> {
  const answering = page.waitForResponse((answer) => {
    const request = answer.request()
    const isIt = request.method() !== 'GET' && path.test(new URL(answer.url()).pathname)
    return isIt && (request.postData() ?? '').includes(holding)
  })
  await act()
  expect((await answering).ok()).toBe(true)
}
