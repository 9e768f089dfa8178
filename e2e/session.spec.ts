import { expect, test } from '@playwright/test'
import { BUDGET_ONLY, logIn, MANAGER, PASSWORD } from './sign-in.ts'

test('a wrong password keeps what was typed and says why', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(MANAGER)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill('Wrong#2569')
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByText('อีเมลหรือรหัสผ่านไม่ถูกต้อง')).toBeVisible()
  await expect(page.getByLabel('อีเมล')).toHaveValue(MANAGER)
  await expect(page).toHaveURL(/\/login$/)
})

test('the form names each field that is missing or wrong, in Thai', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill('someone')
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByText('รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th')).toBeVisible()
  await expect(page.getByText('กรอกรหัสผ่าน')).toBeVisible()
})

test('a page asked for before login is shown after it', async ({ page }) => {
  await logIn(page, MANAGER, '/report?project_status__in=in_progress&ordering=-project_budget')
  await expect(page).toHaveURL(/\/report\?project_status__in=in_progress&ordering=-project_budget$/)
})

for (const target of ['//evil.example', 'https://evil.example/report', '/\\evil.example', 'javascript:alert(1)']) {
  test(`a target outside the product is never followed: ${target} (R41)`, async ({ page }) => {
    await logIn(page, MANAGER, `/login?redirect=${encodeURIComponent(target)}`)
    await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/report$/)
  })
}

test('logging out ends the session, in every tab', async ({ page, context }) => {
  await logIn(page, MANAGER)
  const other = await context.newPage()
  await other.goto('/report')
  await expect(other.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await page.getByRole('button', { name: /เมนูผู้ใช้/ }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(other).toHaveURL(/\/login/)
})

test('the demo is entered by its link, says that it is one, and leaves no key in the address', async ({ page }) => {
  await page.goto('/login?refkey=demo')
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await expect(page.getByText('กำลังดูข้อมูลตัวอย่าง')).toBeVisible()
  await expect(page).toHaveURL(/\/report$/)
  await page.getByRole('button', { name: /เมนูผู้ใช้/ }).click()
  await expect(page.getByRole('dialog', { name: 'เมนูผู้ใช้' })).toBeVisible()
  await expect(page.getByText('ออกจากระบบ')).toHaveCount(0)
})

test('an organisation with budget access only does not see the report', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(BUDGET_ONLY)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page).toHaveURL(/\/budget$/)
  await expect(page.getByRole('heading', { level: 1, name: 'งบประมาณประจำปี' })).toBeVisible()
})

test('login and report work by keyboard alone', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').focus()
  await page.keyboard.type(MANAGER)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await expect(page.getByRole('table')).toBeVisible()
  // Keys are listened to once the rows are there, a moment behind the table's frame.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.locator('main input:focus')).toHaveAttribute('placeholder', /ค้นชื่อโครงการ/, { timeout: 500 })
  }).toPass()
  await page.keyboard.type('กล้อง')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/project_name__in=/)
})

for (const [name, years, days] of [
  ['543 years ahead', 543, 0],
  ['a day behind', 0, -1],
] as const) {
  test.describe(`R56: a device in Los Angeles whose clock is ${name}`, () => {
    test.use({ timezoneId: 'America/Los_Angeles' })

    test('logs in, stays in, and shows the days of Bangkok', async ({ page }) => {
      await logIn(page, MANAGER)
      const dataTime = await page
        .getByText(/ข้อมูล ณ /)
        .first()
        .innerText()
      const wrong = new Date()
      wrong.setFullYear(wrong.getFullYear() + years)
      wrong.setDate(wrong.getDate() + days)
      await page.evaluate(() => localStorage.clear())
      await page.clock.setSystemTime(wrong)
      await logIn(page, MANAGER)
      expect(
        await page
          .getByText(/ข้อมูล ณ /)
          .first()
          .innerText(),
      ).toBe(dataTime)
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
      await expect(page).toHaveURL(/\/report/)
    })
  })
}
