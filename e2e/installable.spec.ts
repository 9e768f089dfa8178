import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { ownServer } from './servers.ts'
import { logIn, MANAGER } from './sign-in.ts'

/** What a real browser alone can say: that the product is an app to it. */
test.use({ serviceWorkers: 'allow' })

/** The worker of the page is there. `localhost` and numbers of this machine count as secure. */
async function withWorker(page: Page): Promise<CDPSession> {
  await logIn(page, MANAGER)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  return page.context().newCDPSession(page)
}

test('R73: the browser finds nothing that keeps the product from being installed, and reads the manifest without an error', async ({
  page,
}) => {
  const session = await withWorker(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A window without a profile is never offered it: Chromium's word for the browser of the test, not for the page.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const { url, errors, data } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []])
  const manifest = JSON.parse(data ?? '{}') as { icons: { src: string }[]; shortcuts: { url: string }[] }
  for (const { src } of manifest.icons) {
    const answer = await page.request.get(new URL(src, ownServer().url).href)
    expect([answer.status(), answer.headers()['content-type']], src).toEqual([200, expect.stringMatching(/^image\//)])
  }
  const worker = await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  expect(worker).toBe('activated')
})
