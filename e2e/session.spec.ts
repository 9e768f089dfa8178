import { expect, test } from '@playwright/test'
import { logIn, MANAGER, PASSWORD } from './sign-in.ts'

test('logging out ends the session, in every tab', async ({ page, context }) => {
  await logIn(page, MANAGER)
  const otherPage = await context.newPage()
  await otherPage.goto('/report')
  await expect(otherPage.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await page.getByRole('button', { name: /เมนูผู้ใช้/ }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(otherPage).toHaveURL(/\/login/)
})

test('login and report work by keyboard alone, and a redirect to another site is ignored (R41)', async ({ page }) => {
  await page.goto(`/login?redirect=${encodeURIComponent('//evil.example')}`)
  await page.getByLabel('อีเมล').focus()
  await page.keyboard.type(MANAGER)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await expect(page).toHaveURL(
    /^http:\/\/127\.0\.0\.1:\d+\/report\?project_bidding__in=open&ordering=submission_end_date$/,
  )
  await expect(page.getByRole('table')).toBeVisible()
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.locator('main input:focus')).toHaveAttribute('placeholder', /ค้นชื่อ เลขที่/, { timeout: 500 })
  }).toPass()
  await page.keyboard.type('กล้อง')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/project_search__in=/)
})

test.describe('R56: a device in Los Angeles with a wrong clock', () => {
  test.use({ timezoneId: 'America/Los_Angeles' })

  test('logs in, stays logged in and shows Bangkok days, 543 years ahead and a day behind', async ({ page }) => {
    const dataTime = () =>
      page
        .getByText(/ข้อมูล ณ /)
        .first()
        .innerText()
    await logIn(page, MANAGER)
    const right = await dataTime()
    for (const [years, days] of [
      [543, 0],
      [0, -1],
    ] as const) {
      const wrong = new Date()
      wrong.setFullYear(wrong.getFullYear() + years)
      wrong.setDate(wrong.getDate() + days)
      await page.evaluate(() => localStorage.clear())
      await page.clock.setSystemTime(wrong)
      await logIn(page, MANAGER)
      await expect.poll(dataTime).toBe(right)
      await page.reload()
      await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
      await expect(page).toHaveURL(/\/report/)
    }
  })
})
