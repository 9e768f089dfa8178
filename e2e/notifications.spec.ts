import { devices, expect, type Locator, type Page, test } from '@playwright/test'
import { runLoad } from './admin.ts'
import { expectNothingSerious } from './axe.ts'
import { signIn } from './sign-in.ts'

/** Accounts that no other test marks anything with: what a load tells them of is theirs alone. */
const READER = 'bid@noensai.example'
const PHONE = 'shop@ruamchai.example'

const { defaultBrowserType: _type, ...PIXEL } = devices['Pixel 5']
const ON_PHONE = { ...PIXEL, viewport: { width: 390, height: 844 } }

const bell = (page: Page) => page.getByRole('button', { name: /^การแจ้งเตือน/ })
const dot = (page: Page) => page.getByRole('button', { name: 'การแจ้งเตือน มีรายการใหม่' })
const popover = (page: Page) => page.getByRole('dialog', { name: 'การแจ้งเตือน' })
const items = (page: Page) => popover(page).getByRole('tabpanel').getByRole('link')
const unread = async (page: Page) =>
  Number(/ยังไม่อ่าน ([\d,]+)/.exec(await popover(page).innerText())?.[1]?.replace(',', '') ?? 0)
const rows = (page: Page) => page.locator('tbody tr[data-index]')

async function openBell(page: Page): Promise<Locator> {
  await bell(page).click()
  await expect(popover(page).getByRole('tabpanel')).toBeVisible()
  return popover(page)
}

/** Warnings of every e-bidding project of the report, and of updates: the newest projects are starred. */
async function wantNotifications(page: Page): Promise<void> {
  await page.goto('/settings?tab=notifications')
  const wanted = page.getByRole('switch', { name: /e-bidding/ })
  await wanted.click()
  await expect(wanted).toBeChecked()
  await page.waitForLoadState('networkidle')
}

/** A tab that somebody has open looks again within twenty seconds; coming back to it asks at once. */
async function comeBack(page: Page): Promise<void> {
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

test.describe('after a load', () => {
  test.describe.configure({ mode: 'serial' })

  test('a load reaches an open tab without reload: dot, popover, the project in a tab of its own, read', async ({
    page,
    context,
  }) => {
    test.slow()
    await signIn(page, READER)
    await wantNotifications(page)
    await page.goto('/report')
    await expect(rows(page).first()).toBeVisible()
    await expect(dot(page)).toHaveCount(0)
    const loaded = await page.evaluate(() => performance.timeOrigin)

    runLoad()
    await comeBack(page)
    await expect(dot(page)).toBeVisible({ timeout: 40_000 })
    expect(await page.evaluate(() => performance.timeOrigin), 'the page was not loaded anew').toBe(loaded)

    // The rows stay until somebody asks for the new ones.
    const time = page.getByText(/ข้อมูล ณ/).first()
    const before = await time.innerText()
    await expect(page.getByText(/^มีข้อมูลใหม่/)).toBeVisible()
    expect(await time.innerText()).toBe(before)
    await page.getByRole('button', { name: 'โหลดรายงาน' }).click()
    await expect(page.getByText(/^มีข้อมูลใหม่/)).toHaveCount(0)
    await expect.poll(() => time.innerText()).not.toBe(before)

    const panel = await openBell(page)
    await expect(dot(page)).toHaveCount(0)
    const box = await panel.boundingBox()
    expect(box?.width).toBe(354)
    expect((await panel.getByRole('tabpanel').boundingBox())!.height).toBeLessThanOrEqual(400)
    const count = await unread(page)
    expect(count).toBeGreaterThan(2)

    const first = items(page).first()
    await expect(first).toBeFocused()
    await expect(first).toContainText(/\d{11}/)
    await expect(first).toContainText(/\d{2}\/\d{2}\/25\d{2}/)
    await expect(first).toContainText(/ในอีก \d วัน|คือพรุ่งนี้|คือวันนี้|สิ้นสุดพรุ่งนี้|สิ้นสุดวันนี้|มีการอัปเดต/)
    const id = /\d{11}/.exec(await first.innerText())![0]
    const [project] = await Promise.all([context.waitForEvent('page'), first.press('Enter')])
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
    await page.waitForLoadState('networkidle')
    await page.reload()
    await openBell(page)
    expect(await unread(page)).toBe(count - 1)
  })

  test('star and hide stand on the item, and what is read in one tab is read in the other', async ({
    page,
    context,
  }) => {
    await signIn(page, READER)
    const other = await context.newPage()
    await other.goto('/report')
    await openBell(other)
    const count = await unread(other)
    expect(count).toBeGreaterThan(1)

    const panel = await openBell(page)
    const star = panel.getByRole('button', { name: /^ติดดาว / }).first()
    const was = await star.getAttribute('aria-pressed')
    await star.click()
    await expect(star).toHaveAttribute('aria-pressed', was === 'true' ? 'false' : 'true')
    await panel.getByRole('button', { name: 'อ่านทั้งหมด' }).click()
    await expect(panel.getByText('อ่านครบแล้ว')).toBeVisible()
    await expect(popover(other).getByText('อ่านครบแล้ว')).toBeVisible()

    await panel.getByRole('tab', { name: 'อัปเดต' }).click()
    for (const text of await items(page).allInnerTexts()) expect(text).toContain('ข้อมูลโครงการมีการอัปเดต')
    await panel.getByRole('tab', { name: 'วันยื่นข้อเสนอ' }).click()
    for (const text of await items(page).allInnerTexts()) expect(text).toMatch(/ยื่นข้อเสนอ/)
  })

  test.describe('on a phone', () => {
    test.use(ON_PHONE)
    test('the popover fits, and everything can be hit by a finger', async ({ page }) => {
      test.slow()
      await signIn(page, READER)
      await bell(page).tap()
      const panel = popover(page)
      await expect(items(page).first()).toBeVisible()
      const box = (await panel.boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(390)
      const small = await panel.locator('a, button').evaluateAll((all) =>
        all
          .map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }))
          .filter(({ box }) => box.width < 44 || box.height < 43.5)
          .map(({ text, box }) => `${text} ${box.width}×${box.height}`),
      )
      expect(small).toEqual([])
      await expectNothingSerious(page)
    })
  })

  test('the popover has nothing serious against it', async ({ page }) => {
    test.slow()
    await signIn(page, READER)
    await openBell(page)
    await expect(items(page).first()).toBeVisible()
    await expectNothingSerious(page)
  })
})

test('without notifications every tab says so', async ({ page }) => {
  await signIn(page, PHONE)
  const panel = await openBell(page)
  await expect(panel).toContainText('ยังไม่มีการแจ้งเตือน')
  await panel.getByRole('tab', { name: 'ช่วงวิจารณ์' }).click()
  await expect(panel).toContainText('ไม่มีโครงการที่ช่วงวิจารณ์ใกล้สิ้นสุด')
})

test('from a row to its page and back: the same list, the same place, the same row', async ({ page }) => {
  await signIn(page, READER)
  await page.goto('/report?page_size=50')
  await expect(rows(page).first()).toBeVisible()
  const region = page.getByRole('region', { name: 'ตารางโครงการ เลื่อนได้' })
  const focused = page.locator('tbody tr[data-index]:focus')
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(focused).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  for (let step = 0; step < 15; step += 1) await page.keyboard.press('ArrowDown')
  const id = /\d{11}/.exec(await focused.innerText())![0]
  const top = await region.evaluate((element) => element.scrollTop)
  expect(top).toBeGreaterThan(200)

  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/report/${id}\\?from=`))
  await expect(page.getByText(id).first()).toBeVisible()
  await page.goBack()
  await expect(rows(page).first()).toBeVisible()
  await expect(focused).toContainText(id)
  // Rows that were never measured may be a few pixels off.
  await expect
    .poll(async () => Math.abs((await region.evaluate((element) => element.scrollTop)) - top))
    .toBeLessThan(100)
})

test('the name of a row opens the panel on a press and the page in a new tab with Ctrl; the panel leads to the page', async ({
  page,
  context,
}) => {
  await signIn(page, READER)
  const row = rows(page).nth(2)
  const id = /\d{11}/.exec(await row.innerText())![0]
  const name = row.locator('a[data-project-link]')
  const [project] = await Promise.all([context.waitForEvent('page'), name.click({ modifiers: ['ControlOrMeta'] })])
  await project.waitForURL(new RegExp(`/report/${id}`))
  await project.close()
  // Opened in the same moment as the page, its code may still be on the way.
  await page.waitForLoadState('networkidle')
  await name.click()
  await expect(page).toHaveURL(new RegExp(`peek=${id}`))
  await page.getByRole('link', { name: 'เปิดหน้าโครงการ' }).click()
  await expect(page).toHaveURL(new RegExp(`/report/${id}`))
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`peek=${id}`))
})

test('the text of a name can be marked without opening anything', async ({ page }) => {
  await signIn(page, READER)
  await page.waitForLoadState('networkidle')
  const box = (await rows(page).nth(1).locator('a[data-project-link]').boundingBox())!
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 10, { steps: 8 })
  await page.mouse.up()
  expect(await page.evaluate(() => getSelection()?.toString().length ?? 0)).toBeGreaterThan(3)
  await expect(page).not.toHaveURL(/peek=|\/report\//)
})

test.describe('on a phone', () => {
  test.use(ON_PHONE)
  test('on a phone a card opens the page, its menu the summary', async ({ page }) => {
    await signIn(page, READER)
    const card = page.locator('li[data-project-id]').nth(3)
    const id = (await card.getAttribute('data-project-id'))!
    await page.waitForLoadState('networkidle')
    await card.scrollIntoViewIfNeeded()
    const top = await page.evaluate(() => scrollY)
    await card.getByRole('heading').getByRole('link').tap()
    await expect(page).toHaveURL(new RegExp(`/report/${id}\\?from=`))
    await page.goBack()
    await expect(card).toBeVisible()
    await expect.poll(async () => Math.abs((await page.evaluate(() => scrollY)) - top)).toBeLessThan(60)
    await card.getByRole('button', { name: `เพิ่มเติม ${id}` }).tap()
    await page.getByRole('menuitem', { name: 'ดูข้อมูลย่อ' }).tap()
    await expect(page).toHaveURL(new RegExp(`peek=${id}`))
  })
})
