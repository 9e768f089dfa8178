import { expect, test } from '@playwright/test'
import { logIn, SALES, signIn } from './sign-in.ts'

const BOX = { name: 'ค้นหาทั้งระบบ' } as const

test('Ctrl+K opens a project, a screen and an action from any screen by keyboard alone, and lists recent items', async ({
  page,
}) => {
  // The test logs in separately, because it also logs out.
  await logIn(page, SALES)
  await page.goto('/watch')
  await expect(page.getByRole('heading', { level: 1, name: 'คำติดตาม' })).toBeVisible()
  const box = page.getByRole('combobox', BOX)
  const take = async (words: string, name: string) => {
    await expect(box).toBeFocused()
    await page.keyboard.type(words)
    await expect(page.getByRole('option', { name }).first()).toHaveAttribute('data-focus', '')
    await page.keyboard.press('Enter')
  }
  await page.keyboard.press('Control+k')
  await expect(box).toBeFocused()
  await expect(page.getByRole('group', { name: 'ตัวกรองที่บันทึก' })).toBeVisible()
  await page.keyboard.type('กล้อง')
  const first = page.getByRole('group', { name: 'โครงการ', exact: true }).getByRole('option').first()
  await expect(first).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /^พบ [\d,]+ รายการ$/ })).toBeAttached()
  const id = /\d{11}/.exec(await first.innerText())![0]
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(first).toHaveAttribute('data-focus', '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/report/${id}$`))
  await expect(box).toBeHidden()

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'ล่าสุด' })).toContainText(id)
  await take('ธีมมืด', 'ธีมมืด')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(box).toBeHidden()

  await page.keyboard.press('Control+k')
  await take('ออกจาก', 'ออกจากระบบ')
  await expect(page).toHaveURL(/\/login/)
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tamngan.palette'))),
  ).toEqual([])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('opens from the menu and from the bottom bar, and opens a pasted project number', async ({ page }) => {
    await signIn(page, SALES)
    await page.getByRole('button', { name: 'เมนู', exact: true }).tap()
    await page.getByRole('dialog').getByRole('button', { name: 'ค้นหา', exact: true }).tap()
    await expect(page.getByRole('combobox', BOX)).toBeFocused()
    await page.keyboard.press('Escape')
    await page.getByRole('navigation', { name: 'เมนูลัด' }).getByRole('button', { name: 'ค้นหา' }).tap()
    await expect(page.getByRole('combobox', BOX)).toBeFocused()
    await page.getByRole('combobox', BOX).fill('๖๙๑๑๙-๐๐ ๐๐๐๑')
    await page.getByRole('option', { name: /^เปิดโครงการ \d{11}$/ }).tap()
    await expect(page).toHaveURL(/\/report\/\d{11}$/)
  })
})
