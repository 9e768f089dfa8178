import { expect, test } from '@playwright/test'
import { waitUntilLoaded } from './page-facts.ts'
import { signIn } from './sign-in.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('pulling down at the top reloads the report; a short pull or one further down does nothing', async ({ page }) => {
  await signIn(page, 'manager@noensai.example')
  const first = () => page.locator('li[data-project-id]').first().getAttribute('data-project-id')
  await expect(page.locator('li[data-project-id]').first()).toBeVisible()
  await waitUntilLoaded(page)
  // The touch listeners are attached one or more frames after the first cards appear.
  await expect.poll(() => page.evaluate(() => document.documentElement.style.overscrollBehaviorY)).toBe('contain')
  let requestCount = 0
  page.on('request', (request) => {
    if (/\/api\/v2\/projects\?|\/api\/v2\/projects$/.test(request.url())) requestCount += 1
  })
  const session = await page.context().newCDPSession(page)
  const pull = async (way: number) => {
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy: number) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: 195, y: 300 + dy }],
      })
    await touch('touchStart', 0)
    for (let step = 1; step <= 10; step += 1) await touch('touchMove', (way * step) / 10)
    return () => touch('touchEnd', way)
  }
  const before = await first()

  const release = await pull(60)
  await expect(page.getByText('ดึงลงเพื่อโหลดใหม่')).toBeVisible()
  await release()
  await expect(page.getByText('ดึงลงเพื่อโหลดใหม่')).toHaveCount(0)
  expect(requestCount).toBe(0)

  const releaseFar = await pull(220)
  await expect(page.getByText('ปล่อยเพื่อโหลดใหม่')).toBeVisible()
  await releaseFar()
  await expect(page.getByText('โหลดรายงานใหม่แล้ว')).toBeAttached()
  expect(requestCount).toBe(1)
  expect(await first()).toBe(before)

  await page.evaluate(() => window.scrollTo(0, 600))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  const releaseBelow = await pull(220)
  await expect(page.getByText('ปล่อยเพื่อโหลดใหม่')).toHaveCount(0)
  await releaseBelow()
  expect(requestCount).toBe(1)
  await session.detach()
})
