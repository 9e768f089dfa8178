import { expect, test } from '@playwright/test'
import { runAdmin, runCommand } from './admin.ts'
import { DESK, look, PHONE } from './axe.ts'
import { ownServer } from './servers.ts'
import { SALES, signIn } from './sign-in.ts'

test.use(DESK)

test('R61: an operator sees the sources and the loads, and is told what a source needs to be switched on; another role is told that the screen is not theirs', async ({
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

  // The address reaches the other side with every request, so it is asked for first. The sample of this server keeps real sources out (decision 0053).
  await page.getByRole('button', { name: 'เปิด ประกาศ e-GP (RSS)', exact: true }).click()
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByText('รูปแบบอีเมลไม่ถูกต้อง เช่น it@company.co.th')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'เปิด โฟลเดอร์ที่เฝ้าดู', exact: true }).click()
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByText(/ข้อมูลตัวอย่างยังอยู่ในระบบ/)).toBeVisible()
  // Where the page lies scrolled, its header lies over half a button, which axe takes for its size, also behind a dialog.
  const toTop = () => page.evaluate(() => scrollTo(0, 0))
  await look(page, 'the form of a source', toTop)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'เปิดแหล่งนี้' })).toBeHidden()
  expect(runCommand(ownServer().dataDir, 'intake', 'status')).toMatch(/folder: off/)

  await look(page, 'the sources', toTop)
  await page.getByRole('link', { name: 'ประวัติการนำเข้า' }).click()
  await expect(page.getByRole('list', { name: 'การนำเข้าล่าสุด' }).getByRole('listitem').first()).toContainText('สำเร็จ')
  await look(page, 'the loads', async () => undefined)
  await page.setViewportSize(PHONE.viewport)
  await look(page, 'the loads on a phone', async () => undefined)
  await page.getByRole('link', { name: 'แหล่งข้อมูล' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'แหล่งข้อมูล' })).toBeVisible()
  await look(page, 'the sources on a phone', async () => undefined)
})
