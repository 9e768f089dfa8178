import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { enterDemo } from './sign-in.ts'

const panel = (page: Page) => page.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' })
const start = (page: Page) => page.getByRole('button', { name: /^ไล่ดู/ })
const shownId = async (page: Page) => /\d{11}/.exec(await panel(page).getByRole('article').innerText())?.[0] ?? ''
const leftBehind = (page: Page, before: string) =>
  expect.poll(async () => [before, ''].includes(await shownId(page))).toBe(false)
const done = (page: Page) => panel(page).getByRole('progressbar')
const ended = (page: Page) => panel(page).getByRole('heading', { name: /^ไล่ดูครบ/ })

/** Enters the demo with the report narrowed to a queue of this many projects. New visitors have no decisions yet. */
async function openQueueOf(size: number, page: Page): Promise<string[]> {
  await enterDemo(page)
  const all = await page.evaluate(async () => {
    const session = Object.values({ ...localStorage }).find((text) => text.includes('"access"'))!
    const { access } = JSON.parse(session) as { access: string }
    const answer = await fetch('/api/v2/projects/queue', { headers: { authorization: `Bearer ${access}` } })
    const queue = (await answer.json()) as { sections: { ids: string[] }[] }
    return queue.sections.flatMap((section) => section.ids)
  })
  const ids = all.slice(0, size)
  expect(ids).toHaveLength(size)
  await page.goto(`/report?project_id__in=${ids.join('%7C%7C')}`)
  await expect(start(page)).toHaveText(`ไล่ดูใหม่ ${size} รายการ`)
  return ids
}

async function next(page: Page, key: string): Promise<void> {
  const before = await shownId(page)
  await page.keyboard.press(key)
  await leftBehind(page, before)
}

const DECISIONS = /\/projects\/queue\/decisions$/

test('twenty projects by keyboard alone: star, label, hide, undo, reload halfway, end screen', async ({ page }) => {
  const ids = await openQueueOf(20, page)
  await waitUntilLoaded(page)
  const box = page.locator('[data-shortcut="search"] input').first()
  // The `/` key does nothing until the search box exists.
  await expect(box).toBeVisible()
  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  // Twenty chips of the search and the saved filters come between.
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Shift+Tab')
    if (await start(page).evaluate((button) => button === document.activeElement)) break
  }
  await expect(start(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toBeVisible()
  await expect(page).toHaveURL(/queue=true/)
  await expect(panel(page).getByRole('article')).toContainText(ids[0]!)
  await expect(done(page)).toHaveAttribute('aria-valuetext', '0 จาก 20 โครงการ')

  await page.keyboard.press('b')
  await expect(panel(page).getByRole('button', { name: 'ติดดาว' })).toHaveAttribute('aria-pressed', 'true')
  await next(page, 'j')
  await page.keyboard.press('l')
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  await expect(picker.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('ลงทะเบียนแล้ว')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await expect(panel(page).getByRole('article')).toContainText('ลงทะเบียนแล้ว')
  await next(page, 'Space')
  const hidden = await shownId(page)
  await next(page, 'x')

  await page.keyboard.press('u')
  await expect.poll(() => shownId(page)).toBe(hidden)
  await expect(panel(page).getByRole('button', { name: 'ซ่อน', exact: true })).toHaveAttribute('aria-pressed', 'false')
  await expect(done(page)).toHaveAttribute('aria-valuetext', '2 จาก 20 โครงการ')
  await next(page, 'x')
  const fourth = await shownId(page)
  await page.keyboard.press('b')
  await next(page, 'ArrowRight')
  await page.keyboard.press('Control+z')
  await expect.poll(() => shownId(page)).toBe(fourth)
  await expect(panel(page).getByRole('button', { name: 'ติดดาว' })).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('b')
  for (let index = 0; index < 5; index += 1) await next(page, index % 2 === 0 ? 'j' : 'Enter')
  await waitUntilStored(page, () => next(page, 'Enter'), DECISIONS, await shownId(page))
  await next(page, 'k')
  await next(page, 'j')
  await expect(done(page)).toHaveAttribute('aria-valuetext', '9 จาก 20 โครงการ')

  const at = await shownId(page)
  await page.reload()
  await expect(panel(page)).toBeVisible()
  await expect(panel(page).getByRole('article')).toContainText(at)
  await expect(done(page)).toHaveAttribute('aria-valuetext', '9 จาก 20 โครงการ')
  for (let index = 0; index < 10; index += 1) await next(page, 'j')
  await waitUntilStored(page, () => page.keyboard.press('j'), DECISIONS, await shownId(page))
  await expect(ended(page)).toHaveText('ไล่ดูครบ 20 โครงการแล้ว')
  await expect(panel(page).locator('dd')).toHaveText(['2', '1', '1', '16'])

  await expect(panel(page).getByRole('button', { name: 'กลับไปรายงาน', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel(page)).toHaveCount(0)
  await expect(page).not.toHaveURL(/queue=/)
  await expect(start(page)).toHaveText('ไล่ดูครบแล้ว')
  await page.reload()
  await expect(start(page)).toHaveText('ไล่ดูครบแล้ว')
})

test('Q opens it, Back and Esc close it and restore focus; offline decisions queue and are sent later', async ({
  page,
  context,
}) => {
  await openQueueOf(3, page)
  await waitUntilLoaded(page)
  await page.keyboard.press('q')
  await expect(panel(page)).toBeVisible()
  await expect(panel(page).getByRole('article')).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.locator('[data-shortcut="search"] input')).not.toBeFocused()
  await page.goBack()
  await expect(panel(page)).toHaveCount(0)
  await start(page).click()
  await expect(panel(page).getByRole('article')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(start(page)).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(panel(page).getByRole('article')).toBeVisible()
  await context.setOffline(true)
  await next(page, 'j')
  await expect(panel(page).getByText(/ยังบันทึกไม่ได้ 1 โครงการ/)).toBeVisible()
  await waitUntilStored(page, () => context.setOffline(false), DECISIONS)
  await expect(panel(page).getByText(/ยังบันทึกไม่ได้/)).toHaveCount(0)
  await page.reload()
  await expect(done(page)).toHaveAttribute('aria-valuetext', '1 จาก 3 โครงการ')
})

test('the links on the end screen list exactly the projects starred this morning', async ({ page }) => {
  const ids = await openQueueOf(3, page)
  await start(page).click()
  await expect(panel(page).getByRole('article')).toContainText(ids[0]!)
  await waitUntilStored(page, () => page.keyboard.press('b'))
  for (let index = 0; index < 2; index += 1) await next(page, 'j')
  await page.keyboard.press('j')
  await expect(ended(page)).toBeVisible()
  await panel(page).getByRole('link', { name: 'ดูที่ติดดาวเช้านี้' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('row').filter({ hasText: /\d{11}/ })).toHaveCount(1)
  await expect(page.getByRole('row').filter({ hasText: ids[0]! })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('taps and swipes star, hide, label and undo, up to the end screen', async ({ page }) => {
    await openQueueOf(5, page)
    await start(page).tap()
    await expect(panel(page).getByRole('article')).toBeVisible()
    const button = (name: string) => panel(page).getByRole('button', { name, exact: true })
    const tapOn = async (name: string) => {
      const before = await shownId(page)
      await button(name).tap()
      await leftBehind(page, before)
    }
    await button('ติดดาว').tap()
    await expect(button('ติดดาว')).toHaveAttribute('aria-pressed', 'true')
    await tapOn('ถัดไป')
    await tapOn('ซ่อน')
    await tapOn('ย้อน')
    await tapOn('ซ่อน')
    await button('ป้าย').tap()
    const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
    await picker.getByRole('textbox').fill('ดูต่อ')
    await picker.getByRole('button', { name: /สร้างป้าย/ }).tap()
    await picker.getByRole('button', { name: 'ปิด' }).tap()
    await expect(picker).toHaveCount(0)
    await expect(panel(page).getByRole('article')).toContainText('ดูต่อ')
    await expectNoSidewaysScroll(page)
    for (const name of ['ย้อน', 'ซ่อน', 'ป้าย', 'ติดดาว', 'ถัดไป']) {
      await expect
        .poll(async () => {
          const box = (await button(name).boundingBox())!
          return Math.min(box.width, box.height)
        }, name)
        .toBeGreaterThanOrEqual(44)
    }
    await tapOn('ถัดไป')
    await tapOn('ถัดไป')
    // The swipe is last, because Chromium drops the click of a tap right after a swipe.
    await swipe(page, 240)
    await expect(ended(page)).toBeVisible()
    await expect(panel(page).locator('dd')).toHaveText(['2', '1', '1', '1'])
  })
})

async function swipe(page: Page, dx: number): Promise<void> {
  const box = (await panel(page).getByRole('article').boundingBox())!
  const from = { x: box.x + 80, y: box.y + 160 }
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: from.y }] })
  await touch('touchStart', from.x)
  for (let step = 1; step <= 8; step += 1) await touch('touchMove', from.x + (dx * step) / 8)
  await touch('touchEnd', from.x + dx)
}
