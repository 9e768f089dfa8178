import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitTwoFrames, waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { enterDemo, MANAGER, signIn, waitForProjectCount } from './sign-in.ts'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr[data-index]')
const idOf = async (row: Locator) => /\d{11}/.exec(await row.innerText())![0]
const title = (page: Page) => page.getByRole('heading', { level: 1 })
/** Waits for the address and the first frame: a key pressed earlier still goes to the previous page. */
async function onPage(page: Page, id: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/report/${id}(\\?|$)`))
  await expect(page.getByRole('navigation', { name: 'ตำแหน่งของหน้านี้' })).toContainText(id)
  await waitTwoFrames(page)
}

/**
 * Moves down the report by keyboard to this row and opens its project. Returns its id and those of the neighbouring
 * rows.
 */
async function openRow(page: Page, rowIndex: number): Promise<string[]> {
  await expect(rowsOf(page).first()).toBeVisible()
  await waitUntilLoaded(page)
  // J continues from the focused row, and focus moves only once the row is rendered.
  for (let at = 0; at <= rowIndex; at += 1) {
    await page.keyboard.press('j')
    await expect(page.locator(`tbody tr[data-index="${at}"]`)).toBeFocused()
  }
  const ids: string[] = []
  for (const index of [rowIndex - 1, rowIndex, rowIndex + 1])
    ids.push(await idOf(page.locator(`tbody tr[data-index="${index}"]`)))
  await page.keyboard.press('Enter')
  await onPage(page, ids[1]!)
  await expect(page.getByRole('list', { name: 'วันสำคัญของโครงการ' })).toBeVisible()
  // The project page installs its key handlers after its first frame.
  await waitTwoFrames(page)
  return ids
}

test('opens a project from the report, then its neighbours, and returns to the same row with the filter', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  await page.goto('/report?project_status__in=in_progress')
  const total = await waitForProjectCount(page)
  const region = page.getByRole('region', { name: 'ตารางโครงการ เลื่อนได้' })
  const [before, id, after] = (await openRow(page, 15)) as [string, string, string]
  await expect(page.getByText(`16 จาก ${total.toLocaleString('th-TH')}`)).toBeVisible()
  await expect(title(page)).toBeFocused()
  const name = ((await title(page).textContent()) ?? '').trim()
  await expect.poll(() => page.title()).toContain(name)
  await expect(page).toHaveTitle(/ · ตามงาน$/)

  await page.keyboard.press('j')
  await onPage(page, after)
  await expect(page.getByText(`17 จาก ${total.toLocaleString('th-TH')}`)).toBeVisible()
  await page.keyboard.press('k')
  await onPage(page, id)
  await page.keyboard.press('k')
  await onPage(page, before)

  await page.getByRole('tab', { name: /เอกสาร/ }).click()
  await expect(page).toHaveURL(/tab=files/)
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'ภาพรวม' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page).toHaveURL(/\/report\?project_status__in=in_progress$/)
  await expect(page.locator('tbody tr[data-index]:focus')).toContainText(id)
  await expect(page.locator('tbody tr[data-index]:focus')).toBeInViewport()
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBeGreaterThan(200)
})

test('Esc and the link above return to the filtered list, also when the project was opened by a link', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  await page.goto('/report?is_archived=true')
  const [, id] = (await openRow(page, 1)) as [string, string, string]
  await page.getByRole('tab', { name: /ประวัติ/ }).click()
  await expect(page).toHaveURL(/tab=changes/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/report\?is_archived=true$/)
  await expect(page.locator('tbody tr[data-index]:focus')).toContainText(id)

  await page.goto(`/report/${id}?from=is_archived%3Dtrue`)
  await page.getByRole('link', { name: 'กลับไปยังรายงาน' }).click()
  await expect(page).toHaveURL(/\/report\?is_archived=true$/)
  await expect(page.getByRole('tab', { name: 'ส่งมอบแล้ว' })).toHaveAttribute('aria-selected', 'true')
})

test('stars, labels, hides and undoes by keyboard alone', async ({ page }) => {
  // The test uses a new demo visitor, so that its marks do not affect other tests.
  await enterDemo(page)
  const [, id, after] = (await openRow(page, 2)) as [string, string, string]
  const star = page.getByRole('button', { name: 'ติดดาว', exact: true })
  const wasOn = (await star.getAttribute('aria-pressed')) === 'true'
  await waitUntilStored(page, () => page.keyboard.press('b'))
  await expect(star).toHaveAttribute('aria-pressed', String(!wasOn))

  await page.keyboard.press('l')
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  const box = picker.getByLabel('ค้นหาหรือสร้างป้าย')
  await expect(picker.locator(':focus')).toHaveCount(1)
  await waitTwoFrames(page)
  if (!(await box.evaluate((element) => element === document.activeElement))) await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await page.keyboard.type('ยื่นแน่')
  await waitUntilStored(page, () => page.keyboard.press('Enter'))
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await expect(page.locator('header').getByText('ยื่นแน่')).toBeVisible()

  await waitUntilStored(page, () => page.keyboard.press('x'))
  await onPage(page, after)
  await page.keyboard.press('k')
  await onPage(page, id)
  await expect(page.getByText(/คุณซ่อนโครงการนี้ไว้/)).toBeVisible()
  await waitUntilStored(page, () => page.keyboard.press('x'))
  await expect(page.getByText(/คุณซ่อนโครงการนี้ไว้/)).toHaveCount(0)

  await page.reload()
  await expect(page.locator('header').getByText('ยื่นแน่')).toBeVisible()
  await expect(star).toHaveAttribute('aria-pressed', String(!wasOn))
})

test('the decision stays beside the page, whose columns end together, and prints on one sheet', async ({ page }) => {
  await signIn(page, MANAGER)
  const ids = (await openRow(page, 1)) as [string, string, string]
  const [, id] = ids
  const rail = page.getByRole('complementary', { name: 'กำหนดและการตัดสินใจ' })
  const bid = rail.getByRole('button', { name: 'ยื่น', exact: true })
  await expect(bid).toBeInViewport()
  await expect(rail.getByRole('region', { name: 'กำหนดเวลา' })).toBeInViewport()
  await waitUntilLoaded(page)
  // It was 3,926 px, with a left column that ended at 1,300.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(bid).toBeInViewport()
  await page.goto(`/report/${id}?tab=documents`)
  await expect(page.getByRole('tab', { name: /เอกสาร/ })).toHaveAttribute('aria-selected', 'true')
  for (const printed of ids) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`/report/${printed}`)
    await expect(page.getByRole('list', { name: 'วันสำคัญของโครงการ' })).toBeVisible()
    await waitUntilLoaded(page)
    await page.emulateMedia({ media: 'print' })
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(sheets.match(/\/Type\s*\/Page\b/g), printed).toHaveLength(1)
  }
})

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a card opens its project without sideways scroll, Back returns to the card, and its menu opens the summary', async ({
    page,
  }) => {
    await signIn(page, MANAGER)
    const card = page.locator('li[data-project-id]').nth(3)
    await expect(card).toBeVisible()
    const id = (await card.getAttribute('data-project-id'))!
    // Scroll position at the press itself: a tap first scrolls its target into view.
    await page.evaluate(() => {
      addEventListener('click', () => Object.assign(window, { pressedAt: scrollY }), { capture: true, once: true })
    })
    const same = page.locator(`li[data-project-id="${id}"]`)
    const open = async () => {
      await same.getByRole('heading').getByRole('link').tap()
      await onPage(page, id)
    }
    await open()
    await page.goBack()
    await expect(same).toBeInViewport()
    const moved = () => page.evaluate(() => Math.abs(scrollY - (window as unknown as { pressedAt: number }).pressedAt))
    await expect.poll(moved).toBeLessThan(10)
    await same.getByRole('button', { name: `เพิ่มเติม ${id}` }).tap()
    await page.getByRole('menuitem', { name: 'ดูข้อมูลย่อ' }).tap()
    await expect(page).toHaveURL(new RegExp(`peek=${id}`))
    await page.goBack()
    await expect(page).not.toHaveURL(/peek=/)

    await open()
    await expect(page.getByRole('list', { name: 'วันสำคัญของโครงการ' })).toBeVisible()
    const bar = page.getByRole('group', { name: 'ตัดสินใจเรื่องนี้' })
    for (const name of ['ยื่น', 'ไม่ยื่น', 'ติดดาว', 'แชร์'])
      await expect(bar.getByRole('button', { name, exact: true })).toBeInViewport()
    await expect(page.getByRole('region', { name: 'กำหนดเวลา' })).toBeInViewport()
    for (const tab of [/ภาพรวม/, /^ราคา/, /ผู้เสนอราคา/, /เอกสาร/, /ประวัติ/]) {
      await page.getByRole('tab', { name: tab }).tap()
      await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true')
      await waitUntilLoaded(page)
      await expectNoSidewaysScroll(page)
    }
    await page.getByRole('link', { name: 'กลับไปยังรายงาน' }).tap()
    await expect(same).toBeInViewport()
  })
})
