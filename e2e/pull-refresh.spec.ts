import { expect, test } from '@playwright/test'
import { loaded } from './page-facts.ts'
import { signIn } from './sign-in.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('pulled down from its top the report is loaded anew; a short pull and one further down do nothing', async ({
  page,
}) => {
  await signIn(page, 'manager@noensai.example')
  const first = () => page.locator('li[data-project-id]').first().getAttribute('data-project-id')
  await expect(page.locator('li[data-project-id]').first()).toBeVisible()
  await loaded(page)
  // Its listeners come a frame or more after the first cards.
  await expect.poll(() => page.evaluate(() => document.documentElement.style.overscrollBehaviorY)).toBe('contain')
  let asked = 0
  page.on('request', (request) => {
    if (/\/api\/v2\/projects\?|\/api\/v2\/projects$/.test(request.url())) asked += 1
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

  const letGo = await pull(60)
  await expect(page.getByText('ดึงลงเพื่อโหลดใหม่')).toBeVisible()
  await letGo()
  await expect(page.getByText('ดึงลงเพื่อโหลดใหม่')).toHaveCount(0)
  expect(asked).toBe(0)

  const letGoFar = await pull(220)
  await expect(page.getByText('ปล่อยเพื่อโหลดใหม่')).toBeVisible()
  await letGoFar()
  await expect(page.getByText('โหลดรายงานใหม่แล้ว')).toBeAttached()
  expect(asked).toBe(1)
  expect(await first()).toBe(before)

  await page.evaluate(() => window.scrollTo(0, 600))
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(500)
  const letGoBelow = await pull(220)
  await expect(page.getByText('ปล่อยเพื่อโหลดใหม่')).toHaveCount(0)
  await letGoBelow()
  expect(asked).toBe(1)
  await session.detach()
})
