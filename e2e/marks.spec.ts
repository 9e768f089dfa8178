import { expect, type Locator, type Page, test } from '@playwright/test'
import { waitTwoFrames, waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { enterDemo, waitForProjectCount } from './sign-in.ts'

const USER = /\/users\/me$/
const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr[data-index]')
const starOf = (row: Locator) => row.getByRole('button', { name: /^ติดดาว / })
const labelsOf = (row: Locator) => row.getByRole('button', { name: /^ป้าย / })
const idOf = async (row: Locator) => /\d{11}/.exec(await row.innerText())![0]
const rowOf = (page: Page, id: string) => rowsOf(page).filter({ hasText: id })

/**
 * Moves to the next row by one key press and returns the row, found by its project, because rows out of view are not
 * rendered.
 */
async function nextRow(page: Page): Promise<Locator> {
  await expect(rowsOf(page).first()).toBeVisible()
  await waitUntilLoaded(page)
  const before = await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-index') ?? null)
  await page.keyboard.press('j')
  const focused = page.locator(`tbody tr[data-index="${before === null ? 0 : Number(before) + 1}"]:focus`)
  await expect(focused).toHaveCount(1)
  return rowOf(page, await idOf(focused))
}

test('an analyst stars and labels ten projects, and a reload keeps everything', async ({ page }) => {
  await enterDemo(page)
  const ids: string[] = []
  for (let index = 0; index < 10; index += 1) {
    const row = await nextRow(page)
    ids.push(await idOf(row))
    if ((await starOf(row).getAttribute('aria-pressed')) === 'false')
      await waitUntilStored(page, () => starOf(row).click())
    await expect(starOf(row)).toHaveAttribute('aria-pressed', 'true')
    await labelsOf(row).click()
    const picker = page.getByRole('dialog', { name: /ป้าย/ })
    if (index === 0) {
      await picker.getByLabel('ค้นหาหรือสร้างป้าย').fill('  งานเร่ง  ')
      await waitUntilStored(page, () => picker.getByRole('button', { name: /สร้างป้าย/ }).click())
    } else {
      await waitUntilStored(page, () => picker.getByRole('checkbox', { name: 'งานเร่ง' }).check())
    }
    await page.keyboard.press('Escape')
    await expect(picker).toHaveCount(0)
    await expect(row.getByText('งานเร่ง')).toBeVisible()
  }
  await page.reload()
  await expect(rowsOf(page).first()).toBeVisible()
  for (const id of ids) {
    const row = await nextRow(page)
    expect(await idOf(row)).toBe(id)
    await expect(starOf(row)).toHaveAttribute('aria-pressed', 'true')
    await expect(row.getByText('งานเร่ง')).toBeVisible()
  }
})

test('when one of three saves fails, only its row reverts, with the reason and a retry', async ({ page }) => {
  await enterDemo(page)
  const rows = [0, 1, 2].map((index) => rowsOf(page).nth(index))
  for (const row of rows) {
    if ((await starOf(row).getAttribute('aria-pressed')) === 'true')
      await waitUntilStored(page, () => starOf(row).click())
  }
  const doomed = await idOf(rows[1]!)
  let refused = 0
  await page.route('**/api/v2/users/me', async (route) => {
    const body = route.request().postData() ?? ''
    if (route.request().method() !== 'PATCH' || !body.includes(doomed) || refused > 0) return route.fallback()
    refused += 1
    await route.fulfill({ status: 500, json: { code: 'internal', request_id: 'e2e' } })
  })
  const [first, , third] = await Promise.all(rows.map(idOf))
  // Wait until the server has stored the other marks before the page reloads.
  await waitUntilStored(
    page,
    () =>
      waitUntilStored(
        page,
        async () => {
          for (const row of rows) await starOf(row).click()
        },
        USER,
        first,
      ),
    USER,
    third,
  )
  await expect(starOf(rows[0]!)).toHaveAttribute('aria-pressed', 'true')
  await expect(starOf(rows[1]!)).toHaveAttribute('aria-pressed', 'false')
  await expect(starOf(rows[2]!)).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(/ติดดาวไม่สำเร็จ/)).toBeVisible()
  await waitUntilStored(page, () => page.getByRole('button', { name: 'ลองอีกครั้ง' }).click())
  await expect(starOf(rows[1]!)).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  for (const row of rows) await expect(starOf(row)).toHaveAttribute('aria-pressed', 'true')
})

test('a morning by keyboard alone: move, preview, star, label, hide, undo', async ({ page }) => {
  await enterDemo(page)
  const total = await waitForProjectCount(page)
  await nextRow(page)
  await expect(rowsOf(page).nth(0)).toBeFocused()
  await nextRow(page)
  const row = rowsOf(page).nth(1)
  await expect(row).toBeFocused()
  const id = await idOf(row)
  const before = await starOf(row).getAttribute('aria-pressed')
  await page.keyboard.press('b')
  await expect(starOf(row)).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true')

  await page.keyboard.press('Space')
  await expect(page).toHaveURL(new RegExp(`peek=${id}`))
  await expect(page.getByRole('complementary', { name: /ดูย่อ|โครงการ/ }).last()).toContainText(id)
  await page.keyboard.press('j')
  await expect(page).not.toHaveURL(new RegExp(`peek=${id}`))
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/peek=/)
  await page.keyboard.press('k')
  await expect(row).toBeFocused()

  await page.keyboard.press('l')
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  const box = picker.getByLabel('ค้นหาหรือสร้างป้าย')
  await expect(picker.locator(':focus')).toHaveCount(1)
  // The label list takes focus one frame after the panel opens, so that digits tick; other characters go to the text
  // box.
  await waitTwoFrames(page)
  if (!(await box.evaluate((element) => element === document.activeElement))) await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await page.keyboard.type('ดูต่อ')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(row.getByText('ดูต่อ')).toBeVisible()
  await expect(row).toBeFocused()

  await page.keyboard.press('x')
  await expect(rowOf(page, id)).toHaveCount(0)
  await expect(rowsOf(page).nth(1)).toBeFocused()
  await expect.poll(() => waitForProjectCount(page)).toBe(total - 1)
  await page.getByRole('button', { name: 'เลิกทำ' }).last().press('Enter')
  await expect(rowOf(page, id)).toHaveCount(1)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('two tabs stay in sync', async ({ page, context }) => {
  await enterDemo(page)
  const otherPage = await context.newPage()
  await otherPage.goto('/report')
  const id = await idOf(rowsOf(page).nth(3))
  const star = starOf(rowOf(page, id))
  const otherStar = starOf(rowOf(otherPage, id))
  const before = await otherStar.getAttribute('aria-pressed')
  await star.click()
  await expect(otherStar).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true')
  await labelsOf(rowOf(otherPage, id)).click()
  await otherPage.getByLabel('ค้นหาหรือสร้างป้าย').fill('สองแท็บ')
  await otherPage.getByRole('button', { name: /สร้างป้าย/ }).click()
  await expect(rowOf(page, id).getByText('สองแท็บ')).toBeVisible()
})

test('stars, hides and restores a selection in one step', async ({ page }) => {
  await enterDemo(page)
  const total = await waitForProjectCount(page)
  for (const index of [0, 1, 2]) await rowsOf(page).nth(index).getByRole('checkbox').check()
  const bar = page.getByRole('region', { name: 'ทำกับโครงการที่เลือก' })
  await expect(bar).toContainText('3')
  await bar.getByRole('button', { name: /^ซ่อน/ }).click()
  await expect.poll(() => waitForProjectCount(page)).toBe(total - 3)
  await page.getByRole('button', { name: /^(?=.*ดู).*ซ่อนไว้/ }).click()
  await expect(page).toHaveURL(/project_hidden=true/)
  await expect.poll(() => waitForProjectCount(page)).toBe(3)
  await page.getByRole('checkbox', { name: 'เลือกทุกโครงการในหน้านี้' }).check()
  await waitUntilStored(page, () => bar.getByRole('button', { name: 'เลิกซ่อน' }).click())
  await page.goto('/report')
  await expect.poll(() => waitForProjectCount(page)).toBe(total)
})
