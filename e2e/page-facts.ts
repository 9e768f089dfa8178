import { expect, type Page } from '@playwright/test'

/** The page cannot be pushed sideways. After a change of the window's width the screen follows a frame or two later, so it is asked again. */
export const expectNoSideways = (page: Page, what = 'pixels to the side'): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), what)
    .toBeLessThanOrEqual(0)

/** Nothing in sight is still being fetched: no skeleton, no rows of before. Parts further down load when somebody comes to them. */
export async function loaded(page: Page): Promise<void> {
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

/** The same for a first question over the whole market, which a busy machine answers 503 until it has counted: the page asks again by itself. */
export const loadedInTime = (page: Page): Promise<void> => expect(() => loaded(page)).toPass({ timeout: 75_000 })

/**
 * The keys of the page that was loaded are listened to, and those pressed before are done (src/shell/shortcuts/early-keys.ts). For a screen that has keys of its own
 * and was loaded by its address; before it a key does nothing or is done later, where the focus is by then.
 */
export const keysHeard = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const early = (window as { earlyKeys?: { readonly palette?: unknown; readonly single?: unknown } }).earlyKeys
    return early !== undefined && early.palette === undefined && early.single === undefined
  })

/** Waits until the last render is on the screen and the work that follows its first frame is done. */
export const twoFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/**
 * Does what changes something, and waits until the server has stored it: the screen shows a change before. What follows may reload the page, or
 * take its network away. `holding` is a text of the request, where others to the same path may still be under way.
 */
export async function stored(
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
