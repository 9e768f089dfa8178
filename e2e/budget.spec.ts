import { expect, type Page, test } from '@playwright/test'
import { waitUntilStored } from './page-facts.ts'
import { BUDGET_ONLY, MANAGER, PASSWORD, signIn } from './sign-in.ts'

const LINKS = /\/budgets\/\d+\/links\/\d+$/
const words = (page: Page) => page.getByRole('table', { name: 'รายการและวงเงินของแต่ละคำติดตาม' })
const items = (page: Page) => page.getByRole('table', { name: /^พบ [\d,]+ รายการ/ })
async function countItems(page: Page): Promise<number> {
  const countText = page.getByText(/^พบ [\d,]+ รายการ$/)
  await expect(countText).toBeAttached()
  return Number((await countText.textContent())!.replace(/\D/g, ''))
}
const countIn = (text: string) => Number(/(?<![\d,])([\d,]+) รายการ/.exec(text)![1]!.replaceAll(',', ''))

test('the word with the most budget for next year links to exactly its items', async ({ page }) => {
  await signIn(page, MANAGER)
  await page.getByRole('link', { name: 'งบประมาณประจำปี' }).click()
  await expect(page).toHaveTitle('งบประมาณประจำปี · ตามงาน')
  const newest = page.getByRole('tablist', { name: 'ปีงบประมาณ' }).getByRole('tab').first()
  await expect(newest).toHaveAttribute('aria-selected', 'true')
  const year = /\d{4}/.exec((await newest.textContent())!)![0]
  await expect(page.getByRole('heading', { name: `คำไหนของเรามีเงินในปี ${year}` })).toBeVisible()
  const row = words(page).getByRole('row').nth(1)
  const itemCount = countIn((await row.getByRole('cell').first().textContent())!)
  const word = (await row.getByRole('rowheader').textContent())!

  await row.getByRole('button').click()
  await expect(page).toHaveURL(/keyword__in=/)
  await expect.poll(() => countItems(page)).toBe(itemCount)
  await expect(items(page).getByRole('row').nth(1)).toContainText(word)
  await page.goBack()
  await expect(page).not.toHaveURL(/keyword__in=/)
})

test('keyboard drill-down to an item; a confirmed link changes its state and survives a reload', async ({ page }) => {
  await signIn(page, MANAGER)
  await page.goto('/budget')
  const path = page.getByRole('navigation', { name: 'ระดับของงบประมาณ' })
  await page.getByRole('list', { name: 'วงเงินแยกตามกระทรวง' }).getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/ministry=/)
  await page.getByRole('list', { name: 'วงเงินแยกตามหน่วยรับงบประมาณ' }).getByRole('button').first().press('Enter')
  await expect(page).toHaveURL(/unit=/)
  await page.goBack()
  await expect(page).not.toHaveURL(/unit=/)
  await path.getByRole('button', { name: 'ทุกกระทรวง' }).click()
  await expect(page).not.toHaveURL(/ministry=/)

  // Opens an item without a confirmed project, for which the page suggests a possible one.
  await page.goto('/budget?state=none')
  const row = items(page).getByRole('row').filter({ hasText: 'รอยืนยัน' }).first()
  const button = row.getByRole('button')
  const name = (await button.textContent())!
  await button.press('Enter')
  const panel = page.getByRole('dialog', { name: 'รายการงบประมาณ' })
  await expect(panel.getByRole('heading', { name })).toBeVisible()
  const confirm = panel.getByRole('button', { name: /^ใช่ รายการนี้/ }).first()
  await waitUntilStored(page, () => confirm.click(), LINKS)
  await expect(confirm).toHaveAttribute('aria-pressed', 'true')
  await expect(panel.getByText(/^ยืนยันแล้วโดย/)).toBeVisible()
  await page.reload()
  await expect(confirm).toHaveAttribute('aria-pressed', 'true')
  await expect(
    panel
      .getByRole('listitem')
      .filter({ hasText: 'ร่าง TOR ถึงแล้ว' })
      .or(panel.getByText('โครงการของรายการนี้ถูกยกเลิกทั้งหมด')),
  ).toBeVisible()

  await waitUntilStored(page, () => confirm.click(), LINKS)
  await expect(confirm).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(page).not.toHaveURL(/item=/)
})

test('shows budget-only organisations every item and no dead link', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(BUDGET_ONLY)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page).toHaveURL(/\/budget$/)
  await expect(items(page)).toBeVisible()
  expect(await countItems(page)).toBeGreaterThan(100)
  await items(page).getByRole('row').nth(1).getByRole('button').click()
  await expect(page.getByRole('dialog', { name: 'รายการงบประมาณ' }).getByText('ที่มาในงบประมาณ')).toBeVisible()
  const hrefs = await page
    .locator('a[href^="/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(hrefs.filter((href) => !/^\/(budget|settings)/.test(href!))).toEqual([])
  await page.goto('/report')
  await expect(page).toHaveURL(/\/budget$/)
})
