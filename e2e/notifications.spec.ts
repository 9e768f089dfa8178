import { devices, expect, type Locator, type Page, test } from '@playwright/test'
import { runLoad } from './admin.ts'
import { waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { signIn } from './sign-in.ts'

/** No other test marks anything with this account, so its load notifications are its own. */
const READER = 'bid@noensai.example'

const { defaultBrowserType: _type, ...PIXEL } = devices['Pixel 5']
const ON_PHONE = { ...PIXEL, viewport: { width: 390, height: 844 } }

const bell = (page: Page) => page.getByRole('button', { name: /^การแจ้งเตือน/ })
const dot = (page: Page) => page.getByRole('button', { name: 'การแจ้งเตือน มีรายการใหม่' })
const popover = (page: Page) => page.getByRole('dialog', { name: 'การแจ้งเตือน' })
const items = (page: Page) => popover(page).getByRole('tabpanel').getByRole('listitem').getByRole('link')
const unread = async (page: Page) =>
  Number(/ยังไม่อ่าน ([\d,]+)/.exec(await popover(page).innerText())?.[1]?.replace(',', '') ?? 0)
const rows = (page: Page) => page.locator('tbody tr[data-index]')

/** Expects every item of the tab to match; items of the previous tab remain for one more frame. */
const expectEach = (page: Page, text: RegExp) => expect(items(page).filter({ hasNotText: text })).toHaveCount(0)

async function openBell(page: Page): Promise<Locator> {
  await bell(page).click()
  await expect(popover(page).getByRole('tabpanel')).toBeVisible()
  return popover(page)
}

/**
 * Enables notifications about every e-bidding project of the report. The newest projects are starred, so that
 * notifications about their updates arrive too.
 */
async function enableNotifications(page: Page): Promise<void> {
  await page.goto('/settings?tab=notifications')
  const toggle = page.getByRole('switch', { name: /e-bidding/ })
  if (!(await toggle.isChecked())) await waitUntilStored(page, () => toggle.click())
  await expect(toggle).toBeChecked()
}

/** Returns to the tab, which makes it poll at once instead of within twenty seconds. */
async function returnToTab(page: Page): Promise<void> {
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

test.describe('after a load', () => {
  test.describe.configure({ mode: 'serial' })

  test('a load appears in an open tab without reload: dot, popover, project in a new tab, read mark', async ({
    page,
    context,
  }) => {
    test.slow()
    await signIn(page, READER)
    await enableNotifications(page)
    await page.goto('/report')
    await expect(rows(page).first()).toBeVisible()
    // On some days the demo load itself has created a notification, for example about contracts that end soon.
    await waitUntilLoaded(page)
    if (await dot(page).isVisible()) {
      await waitUntilStored(page, () => openBell(page))
      await waitUntilStored(page, () => popover(page).getByRole('button', { name: 'ทำเป็นอ่านแล้ว' }).click())
      await page.keyboard.press('Escape')
    }
    await expect(dot(page)).toHaveCount(0)
    const openedAt = await page.evaluate(() => performance.timeOrigin)

    runLoad()
    await returnToTab(page)
    await expect(dot(page)).toBeVisible({ timeout: 40_000 })
    expect(await page.evaluate(() => performance.timeOrigin), 'the page was not loaded anew').toBe(openedAt)

    const time = page.getByText(/ข้อมูล ณ/).first()
    const before = await time.innerText()
    await expect(page.getByText(/^มีข้อมูลใหม่/)).toBeVisible()
    expect(await time.innerText()).toBe(before)
    await page.getByRole('button', { name: 'โหลดรายงาน' }).click()
    await expect(page.getByText(/^มีข้อมูลใหม่/)).toHaveCount(0)
    await expect.poll(() => time.innerText()).not.toBe(before)

    await waitUntilStored(page, () => openBell(page))
    const panel = popover(page)
    await expect(dot(page)).toHaveCount(0)
    await expect.poll(async () => (await panel.boundingBox())?.width).toBe(354)
    await expect.poll(async () => (await panel.getByRole('tabpanel').boundingBox())?.height).toBeLessThanOrEqual(400)
    await expect.poll(() => unread(page)).toBeGreaterThan(2)
    const count = await unread(page)

    const first = items(page).first()
    await expect(first).toBeFocused()
    await expect(first).toContainText(/\d{11}/)
    await expect(first).toContainText(/\d{2}\/\d{2}\/25\d{2}/)
    await expect(first).toContainText(/เหลือ \d วัน|วันนี้วันสุดท้าย|มีการอัปเดต/)
    const id = /\d{11}/.exec(await first.innerText())![0]
    const opening = context.waitForEvent('page')
    await waitUntilStored(page, () => first.press('Enter'))
    const project = await opening
    await project.waitForURL(`**/report/${id}`)
    await expect(project.getByText(id).first()).toBeVisible()
    expect(await project.evaluate(() => window.opener)).toBeNull()
    await project.close()

    await page.bringToFront()
    await expect.poll(() => unread(page)).toBe(count - 1)
    await page.keyboard.press('ArrowDown')
    await expect(items(page).nth(1)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(bell(page)).toBeFocused()
    await page.reload()
    await openBell(page)
    await expect.poll(() => unread(page)).toBe(count - 1)
  })

  test('an item offers star and hide, and both tabs share its read state', async ({ page, context }) => {
    await signIn(page, READER)
    const otherPage = await context.newPage()
    await otherPage.goto('/report')
    await openBell(otherPage)
    await expect.poll(() => unread(otherPage)).toBeGreaterThan(1)

    const panel = await openBell(page)
    const star = panel.getByRole('button', { name: /^ติดดาว / }).first()
    const was = await star.getAttribute('aria-pressed')
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', was === 'true' ? 'false' : 'true')
    await panel.getByRole('button', { name: 'ทำเป็นอ่านแล้ว' }).click()
    await expect(panel.getByText('อ่านครบแล้ว')).toBeVisible()
    await expect(popover(otherPage).getByText('อ่านครบแล้ว')).toBeVisible()

    await panel.getByRole('tab', { name: 'อัปเดต' }).click()
    await expectEach(page, /ข้อมูลโครงการมีการอัปเดต/)
    await panel.getByRole('tab', { name: 'วันยื่นข้อเสนอ' }).click()
    await expectEach(page, /ยื่นข้อเสนอ/)
  })

  test.describe('on a phone', () => {
    test.use(ON_PHONE)
    test('the popover fits, and every target is large enough for a finger', async ({ page }) => {
      await signIn(page, READER)
      await bell(page).tap()
      const panel = popover(page)
      await expect(items(page).first()).toBeVisible()
      await expect(async () => {
        const box = (await panel.boundingBox())!
        expect(box.x).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(390)
      }).toPass()
      const small = () =>
        panel.locator('a, button').evaluateAll((all) =>
          all
            .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
            .filter(({ box }) => box.width < 44 || box.height < 43.5)
            .map(({ text, box }) => `${text} ${box.width}×${box.height}`),
        )
      await expect.poll(small).toEqual([])
    })

    test('a notification opens in the same tab, and Back returns', async ({ page, context }) => {
      await signIn(page, READER)
      await bell(page).tap()
      const item = items(page).first()
      const href = (await item.getAttribute('href'))!
      await item.tap()
      await expect(page).toHaveURL((url) => url.pathname + url.search === href)
      await expect(popover(page)).toHaveCount(0)
      expect(context.pages()).toHaveLength(1)
      await page.goBack()
      await expect(page).toHaveURL(/\/report(\?|$)/)
    })
  })
})
