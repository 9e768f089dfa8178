import { expect, type Page, test } from '@playwright/test'
import { expectNothingSerious, LOWER_ROWS } from './axe.ts'
import { enterDemo, MANAGER, signIn } from './sign-in.ts'

for (const [size, viewport] of [
  ['desk', { width: 1440, height: 900 }],
  ['phone', { width: 390, height: 800 }],
] as const) {
  test.describe(size, () => {
    test.use({ viewport })

    test('login', async ({ page }) => {
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
      await expectNothingSerious(page)
    })

    test('registration and reset, empty and with every error', async ({ page }) => {
      await page.goto('/register')
      await page.getByRole('button', { name: 'ต่อไป' }).click()
      await expect(page.getByText('กรอกอีเมล')).toBeVisible()
      await page.getByLabel('รหัสผ่าน', { exact: true }).fill('Ta7#')
      await expectNothingSerious(page)
      await page.getByLabel('อีเมลที่ทำงาน').fill(`axe-${size}@axe.example`)
      for (const label of ['รหัสผ่าน', 'รหัสผ่านอีกครั้ง'])
        await page.getByLabel(label, { exact: true }).fill('Chaophraya#2569')
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'ต่อไป' }).click()
      await page.getByRole('button', { name: /ส่งรหัสยืนยัน/ }).click()
      await expect(page.getByText('กรอกชื่อองค์กร')).toBeVisible()
      await expectNothingSerious(page)
      await page.goto('/reset-password')
      await expect(page.getByRole('button', { name: 'ส่งลิงก์' })).toBeVisible()
      await expectNothingSerious(page)
      await page.goto('/reset-password/unknown')
      await expect(page.getByRole('heading', { name: 'ลิงก์นี้ใช้ไม่ได้' })).toBeVisible()
      await expectNothingSerious(page)
    })

    test('every tab of the settings', async ({ page }) => {
      await signIn(page, MANAGER)
      for (const tab of ['profile', 'notifications', 'saved-filters', 'labels', 'columns', 'display', 'organisation'])
        await test.step(tab, async () => {
          await page.goto(`/settings?tab=${tab}`)
          await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
          await expectNothingSerious(page)
        })
    })

    test('a page that does not exist', async ({ page }) => {
      await page.goto('/nowhere')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNothingSerious(page)
    })

    test('report, filled and empty', async ({ page }) => {
      const violations: string[] = []
      await page.exposeFunction('recordViolation', (text: string) => violations.push(text))
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          void (window as unknown as { recordViolation(text: string): void }).recordViolation(
            `${event.violatedDirective} ${event.blockedURI}`,
          )
        })
      })
      await signIn(page, MANAGER)
      await page.goto('/report?page_size=20')
      await expect(page.getByText(/\d{11}/).first()).toBeVisible()
      await expectNothingSerious(page)
      await page.goto('/report?project_budget__range=1,2')
      await expect(page.getByText('ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้')).toBeVisible()
      await expectNothingSerious(page)
      expect(violations).toEqual([])
    })
  })
}

/** What opens over the report on a desk, one after the other; each is closed again. */
const PANELS: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['columns', (page) => page.getByRole('button', { name: /^คอลัมน์/ }).click()],
  ['label picker', (page) => page.getByRole('button', { name: /^ป้าย / }).first().click()],
  ['keys', (page) => page.keyboard.press('?')],
  ['calendar', (page) => openCalendar(page)],
  ['peek', (page) => peekAtARow(page)],
  ['selection', (page) => page.getByRole('table').getByRole('checkbox').nth(1).check()],
]

async function peekAtARow(page: Page): Promise<void> {
  await page.keyboard.press('j')
  await expect(page.locator('tbody tr[data-index]:focus')).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/peek=/)
}

async function openCalendar(page: Page): Promise<void> {
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  const fields = panel.getByRole('group', { name: /วันสิ้นสุดยื่นข้อเสนอ/ })
  await fields.getByRole('button', { name: /กำหนดเอง/ }).click()
  await fields.getByRole('button', { name: /ปฏิทิน/ }).first().click()
  await expect(page.getByRole('dialog', { name: /ปฏิทิน/ })).toBeVisible()
}

test('each panel, dialog and menu of the report', async ({ page }) => {
  // Axe looks at the whole page sixteen times, some seconds each.
  test.slow()
  await enterDemo(page)
  // Axe takes its time by the cell: twenty rows hold all that fifty do.
  await page.goto('/report?page_size=20')
  await expect(page.getByText(/\d{11}/).first()).toBeVisible()
  for (const [name, open] of PANELS) {
    await test.step(name, async () => {
      await open(page)
      await page.waitForTimeout(300)
      await expectNothingSerious(page, LOWER_ROWS)
      await page.keyboard.press('Escape')
    })
  }
  await page.goto('/report?project_change_status__in=no_change&page_size=20')
  await page.getByRole('button', { name: 'บันทึกตัวกรอง' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNothingSerious(page, LOWER_ROWS)
})
