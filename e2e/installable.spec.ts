import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { currentServer } from './servers.ts'
import { logIn, MANAGER } from './sign-in.ts'

/** Only a real browser can tell whether the product is installable. */
test.use({ serviceWorkers: 'allow' })

/** Waits for the page's service worker. `localhost` and loopback addresses count as secure. */
async function withWorker(page: Page): Promise<CDPSession> {
  await logIn(page, MANAGER)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  return page.context().newCDPSession(page)
}

test('R73: the browser reports no obstacle to installing the app and no error in the manifest', async ({ page }) => {
  const session = await withWorker(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // Playwright's window has no profile, so Chromium always reports this error; it does not concern the page.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const { url, errors, data } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []])
  const manifest = JSON.parse(data ?? '{}') as { icons: { src: string }[]; shortcuts: { url: string }[] }
  for (const { src } of manifest.icons) {
    const answer = await page.request.get(new URL(src, currentServer().url).href)
    expect([answer.status(), answer.headers()['content-type']], src).toEqual([200, expect.stringMatching(/^image\//)])
  }
  const worker = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  expect(worker).toBe('activated')
})
