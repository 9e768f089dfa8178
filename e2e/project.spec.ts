import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNothingSerious } from './axe.ts'
import { enterDemo, foundProjects, MANAGER, signIn } from './sign-in.ts'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr[data-index]')
const idOf = async (row: Locator) => /\d{11}/.exec(await row.innerText())![0]
const title = (page: Page) => page.getByRole('heading', { level: 1 })
/** By its address, and drawn: a key pressed before that is still the page's before. */
async function onPage(page: Page, id: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`/report/${id}(\\?|$)`))
  await expect(page.getByRole('navigation', { name: 'ตำแหน่งของหน้านี้' })).toContainText(id)
}
/** How far the page can be pushed sideways, px. */
const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Goes down the report by keyboard to the row of this place, and opens its project. Answers its number and those of the rows around it. */
async function openRow(page: Page, place: number): Promise<string[]> {
  await expect(rowsOf(page).first()).toBeVisible()
  const focused = page.locator('tbody tr[data-index]:focus')
  await expect(async () => {
    await page.keyboard.press('j')
    await expect(focused).toHaveAttribute('data-index', String(place), { timeout: 1000 })
  }).toPass()
  const ids: string[] = []
  for (const index of [place - 1, place, place + 1])
    ids.push(await idOf(page.locator(`tbody tr[data-index="${index}"]`)))
  await page.keyboard.press('Enter')
  await onPage(page, ids[1]!)
  // The project is there, not only its address.
  await expect(page.getByRole('list', { name: 'ขั้นตอนของโครงการ' })).toBeVisible()
  return ids
}

test('from the report to a project, on to its neighbours, and back to the row with filter and focus as they were', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  await page.goto('/report?project_status__in=in_progress')
  const total = await foundProjects(page)
  const [before, id, after] = (await openRow(page, 6)) as [string, string, string]
  await expect(page.getByText(`7 จาก ${total.toLocaleString('th-TH')}`)).toBeVisible()
  await expect(title(page)).toBeFocused()
  await expect(page).toHaveTitle(/ · ตามงาน$/)
  expect(await page.title()).toContain(((await title(page).textContent()) ?? '').trim())

  await page.keyboard.press('j')
  await onPage(page, after)
  await expect(page.getByText(`8 จาก ${total.toLocaleString('th-TH')}`)).toBeVisible()
  await page.keyboard.press('k')
  await onPage(page, id)
  await page.keyboard.press('k')
  await onPage(page, before)

  // A tab is a step of its own; walking through the list is none.
  await page.getByRole('tab', { name: /เอกสาร/ }).click()
  await expect(page).toHaveURL(/tab=files/)
  await page.goBack()
  await expect(page.getByRole('tab', { name: 'ภาพรวม' })).toHaveAttribute('aria-selected', 'true')
  await page.goBack()
  await expect(page).toHaveURL(/\/report\?project_status__in=in_progress$/)
  await expect(page.locator('tbody tr[data-index]:focus')).toContainText(id)
})

test('Esc and the link above lead back to the list with its filters, also where the project was opened by a link', async ({
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

test('star, label, hide and take back by keyboard alone', async ({ page }) => {
  // A visitor of its own: what is marked here is in nobody's way.
  await enterDemo(page)
  const [, id, after] = (await openRow(page, 2)) as [string, string, string]
  const star = page.getByRole('button', { name: 'ติดดาว', exact: true })
  const wasOn = (await star.getAttribute('aria-pressed')) === 'true'
  await page.keyboard.press('b')
  await expect(star).toHaveAttribute('aria-pressed', String(!wasOn))

  await page.keyboard.press('l')
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  const box = picker.getByLabel('ค้นหาหรือสร้างป้าย')
  await expect(picker.locator(':focus')).toHaveCount(1)
  if (!(await box.evaluate((element) => element === document.activeElement))) await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await page.keyboard.type('ยื่นแน่')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(picker).toHaveCount(0)
  await expect(page.locator('header').getByText('ยื่นแน่')).toBeVisible()

  await page.keyboard.press('x')
  await onPage(page, after)
  await page.keyboard.press('k')
  await onPage(page, id)
  await expect(page.getByText(/คุณซ่อนโครงการนี้ไว้/)).toBeVisible()
  await page.keyboard.press('x')
  await expect(page.getByText(/คุณซ่อนโครงการนี้ไว้/)).toHaveCount(0)

  await page.waitForLoadState('networkidle')
  await page.reload()
  await expect(page.locator('header').getByText('ยื่นแน่')).toBeVisible()
  await expect(star).toHaveAttribute('aria-pressed', String(!wasOn))
})

test('a project that the report does not hold is told with its reason, and an unknown number too', async ({ page }) => {
  await signIn(page, MANAGER)
  await page.goto('/watch?tab=hidden')
  const kept = page.getByText(/^\d{11}$/).first()
  await expect(kept).toBeVisible()
  const id = (await kept.textContent())!
  await page.goto(`/report/${id}`)
  await expect(title(page)).toHaveText('ไม่มีโครงการนี้ในรายงานขององค์กร')
  await expect(page.getByText(/^ไม่อยู่ในรายงาน ติด \d+ เงื่อนไข$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'นำเข้ารายงาน' })).toBeVisible()
  await expectNothingSerious(page)

  await page.goto('/report/11111111111')
  await expect(page.getByText(/ไม่พบเลขที่ 11111111111 ในข้อมูลที่ระบบมี/)).toBeVisible()
  await page.goto('/report/../report/%3Cscript%3E')
  await expect(title(page)).toHaveText('ไม่มีโครงการนี้ในรายงานขององค์กร')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/report$/)
})

test('a lost network keeps what was shown and a panel that fails takes nothing with it', async ({ page }) => {
  await signIn(page, MANAGER)
  await page.route('**/similar-prices', (route) => route.fulfill({ status: 400, json: { code: 'bad_input' } }))
  const [, , after] = await openRow(page, 1)
  const prices = page.getByRole('region', { name: 'ราคาที่ชนะในงานคล้ายกัน' })
  await prices.scrollIntoViewIfNeeded()
  await expect(prices.getByRole('alert')).toBeVisible()
  await page.unroute('**/similar-prices')
  await prices.getByRole('button', { name: 'ลองใหม่' }).click()
  await expect(prices.getByRole('alert')).toHaveCount(0)

  // The next one was asked for ahead; asked again it has no answer.
  await page.waitForLoadState('networkidle')
  await page.route(`**/projects/${after}`, (route) => route.abort())
  await page.keyboard.press('j')
  await onPage(page, after!)
  await expect(page.getByText('อัปเดตข้อมูลโครงการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม')).toBeVisible()
  await expect(page.getByRole('list', { name: 'ขั้นตอนของโครงการ' })).toBeVisible()
  await page.unroute(`**/projects/${after}`)
  await page.getByRole('button', { name: 'ลองใหม่' }).first().click()
  await expect(page.getByText('อัปเดตข้อมูลโครงการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม')).toHaveCount(0)
})

test('every tab of a project holds to WCAG', async ({ page }) => {
  test.slow()
  await signIn(page, MANAGER)
  await openRow(page, 1)
  for (const tab of [/ภาพรวม/, /ประวัติ/, /ผู้เสนอราคา/, /เอกสาร/])
    await test.step(String(tab), async () => {
      await page.getByRole('tab', { name: tab }).click()
      await page.waitForLoadState('networkidle')
      await expectNothingSerious(page)
    })
  // The short heading that stands for the one scrolled away.
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expectNothingSerious(page)
})

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a card leads to the project, which has no sideways scroll, and Back to the card', async ({ page }) => {
    await signIn(page, MANAGER)
    const card = page.locator('li[data-project-id]').nth(3)
    await expect(card).toBeVisible()
    const id = (await card.getAttribute('data-project-id'))!
    await card.getByRole('link').first().tap()
    await onPage(page, id)
    await expect(page.getByRole('list', { name: 'ขั้นตอนของโครงการ' })).toBeVisible()
    for (const tab of [/ภาพรวม/, /ประวัติ/, /ผู้เสนอราคา/, /เอกสาร/]) {
      await page.getByRole('tab', { name: tab }).tap()
      await page.waitForLoadState('networkidle')
      expect(await sideways(page)).toBe(0)
      await expectNothingSerious(page)
    }
    await page.getByRole('link', { name: 'กลับไปยังรายงาน' }).tap()
    await expect(page.locator(`li[data-project-id="${id}"]`)).toBeInViewport()
  })
})
