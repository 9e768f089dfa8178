import { expect, test } from '@playwright/test'
import { runAdmin, runCommand } from './admin.ts'
import { DESK, look, PHONE } from './axe.ts'
import { ownServer } from './servers.ts'
import { SALES, signIn } from './sign-in.ts'

test.use(DESK)

test('R61: an operator sees the sources, switches one on with a contact and off again; another role is told that the screen is not theirs', async ({
  page,
}) => {
  const email = `it-${Date.now()}@tamngan.example`
  const password = runAdmin('create-operator', email, '--first-name', 'อนงค์', '--last-name', 'ใจดี')
    .trim()
    .split('\n')
    .at(-1)!

  await signIn(page, SALES)
  await page.goto('/operation/sources')
  await expect(page.getByText('หน้านี้สำหรับผู้ดูแลระบบตามงาน')).toBeVisible()
  await page.context().setStorageState({ cookies: [], origins: [] })

  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'แหล่งข้อมูล' })).toBeVisible()
  await expect(page).toHaveURL(/\/operation\/sources$/)

  // A folder asks nobody, so that this test asks nobody either; the feed wants its agencies first, and says so.
  await page.getByRole('button', { name: 'เปิด ประกาศ e-GP (RSS)', exact: true }).click()
  await page.getByLabel('อีเมลติดต่อ').fill('it@tamngan.example')
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByText(/ยังไม่มีรายชื่อหน่วยงาน/)).toBeVisible()
  await look(page, 'the form of a source', async () => undefined)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'เปิด โฟลเดอร์ที่เฝ้าดู', exact: true }).click()
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByRole('button', { name: 'ปิด โฟลเดอร์ที่เฝ้าดู', exact: true })).toBeVisible()
  expect(runCommand(ownServer().dataDir, 'intake', 'status')).toMatch(/folder: on/)
  await look(page, 'the sources', async () => undefined)
  await page.getByRole('link', { name: 'ประวัติการนำเข้า' }).click()
  await expect(page.getByRole('list', { name: 'การนำเข้าล่าสุด' }).getByRole('listitem').first()).toContainText('สำเร็จ')
  await look(page, 'the loads', async () => undefined)
  await page.getByRole('link', { name: 'แหล่งข้อมูล' }).click()
  await expect(page.getByRole('button', { name: 'ปิด โฟลเดอร์ที่เฝ้าดู', exact: true })).toBeVisible()
  await page.setViewportSize(PHONE.viewport)
  await look(page, 'the sources on a phone', async () => undefined)

  await page.getByRole('button', { name: 'ปิด โฟลเดอร์ที่เฝ้าดู', exact: true }).click()
  await page.getByRole('button', { name: 'ปิดแหล่งนี้' }).click()
  await expect(page.getByRole('button', { name: 'เปิด โฟลเดอร์ที่เฝ้าดู', exact: true })).toBeVisible()
})
