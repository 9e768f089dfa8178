import { expect, test } from '@playwright/test'
import { runAdmin, runCommand } from './admin.ts'
import { checkAccessibility, DESKTOP, PHONE } from './axe.ts'
import { createOperator, getLastLine, NAME_ARGS, openOperation } from './operator.ts'
import { currentServer } from './servers.ts'
import { SALES, signIn } from './sign-in.ts'

test.use(DESKTOP)

test('R61: operators see sources, loads and what a source needs to be enabled; other roles see that the screen is not theirs', async ({
  page,
}) => {
  const operator = createOperator()

  await signIn(page, SALES)
  await page.goto('/operation/sources')
  await expect(page.getByText('หน้านี้สำหรับผู้ดูแลระบบตามงาน')).toBeVisible()
  await page.context().setStorageState({ cookies: [], origins: [] })

  await openOperation(page, operator)
  await page.getByRole('link', { name: 'แหล่งข้อมูล', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'แหล่งข้อมูล' })).toBeVisible()
  await expect(page).toHaveURL(/\/operation\/sources$/)

  // The operator's e-mail address is sent to the source with every request, so the form requires it first. The demo
  // data on this server disables real sources (decision 0053).
  await page.getByRole('button', { name: 'เปิด ประกาศ e-GP (RSS)', exact: true }).click()
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByText('รูปแบบอีเมลไม่ถูกต้อง เช่น it@company.co.th')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'เปิด โฟลเดอร์ที่เฝ้าดู', exact: true }).click()
  await page.getByRole('button', { name: 'เปิดแหล่งนี้' }).click()
  await expect(page.getByText(/ข้อมูลตัวอย่างยังอยู่ในระบบ/)).toBeVisible()
  // Scroll to the top first: on a scrolled page the header covers half of a button, which axe then measures as too
  // small, even behind a dialog.
  const toTop = () => page.evaluate(() => scrollTo(0, 0))
  await checkAccessibility(page, 'the form of a source', toTop)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'เปิดแหล่งนี้' })).toBeHidden()
  expect(runCommand(currentServer().dataDir, 'intake', 'status')).toMatch(/folder: off/)

  await checkAccessibility(page, 'the sources', toTop)
  await page.getByRole('link', { name: 'ประวัติการนำเข้า' }).click()
  await expect(page.getByRole('list', { name: 'การนำเข้าล่าสุด' }).getByRole('listitem').first()).toContainText('สำเร็จ')
  await checkAccessibility(page, 'the loads', async () => undefined)
  await page.setViewportSize(PHONE.viewport)
  await checkAccessibility(page, 'the loads on a phone', async () => undefined)
  await page.getByRole('link', { name: 'แหล่งข้อมูล' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'แหล่งข้อมูล' })).toBeVisible()
  await checkAccessibility(page, 'the sources on a phone', async () => undefined)
})

test('an operator opens a pending keyword from the overview, sees its effect, approves it, and sets a limit', async ({
  page,
}) => {
  const code = `siam-${Date.now()}`
  const name = `บริษัท สยาม ${Date.now()} จำกัด`
  const manager = `${code}@siam.example`
  runAdmin('create-organisation', code, name)
  runAdmin('set-window', code, 'off')
  const key = getLastLine(runAdmin('create-user', code, manager, ...NAME_ARGS, '--role', 'super_user'))
  const login = await page.request.post('/api/v2/auth/login/', { data: { email: manager, password: key } })
  const headers = { authorization: `Bearer ${(await login.json()).access}` }
  const added = await page.request.post('/api/v2/organisations/me', {
    headers,
    data: { include_keywords: [{ word: 'ก่อสร้าง' }] },
  })
  expect((await added.json()).include).toMatchObject([{ word: 'ก่อสร้าง', approved: false }])
  await page.context().setStorageState({ cookies: [], origins: [] })

  const operator = createOperator()
  await openOperation(page, operator)
  await checkAccessibility(page, 'the overview', async () => undefined)
  await page.getByRole('link', { name: /คำติดตามที่รออนุมัติ/ }).click()
  const row = page.getByRole('list', { name: 'คำที่รออนุมัติ' }).getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText(/^เพิ่ม [1-9][\d,]* โครงการ$/)).toBeVisible()
  await checkAccessibility(page, 'keywords that wait', async () => undefined)
  await row.getByRole('button', { name: 'อนุมัติ ก่อสร้าง' }).click()
  await expect(row).toBeHidden()
  await expect(page.getByText(`อนุมัติ “ก่อสร้าง” แล้ว`)).toBeVisible()
  const lists = await page.request.get('/api/v2/organisations/me', { headers })
  expect((await lists.json()).include).toMatchObject([{ word: 'ก่อสร้าง', approved: true }])

  await page.getByRole('link', { name: 'งานและอีเมล' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'งานและอีเมล' })).toBeVisible()
  await checkAccessibility(page, 'jobs and mails', async () => undefined)
  await page.getByRole('link', { name: 'องค์กร', exact: true }).click()
  await page.getByRole('button', { name: `ตั้งค่า ${name}` }).click()
  const panel = page.getByRole('dialog', { name })
  await panel.getByLabel('คำที่ต้องมี').fill('77')
  await checkAccessibility(page, 'the settings of an organisation', async () => undefined)
  await panel.getByRole('button', { name: 'บันทึก' }).click()
  await expect(page.getByText(`บันทึก ${name} แล้ว`)).toBeVisible()
  expect(runAdmin('show', code)).toMatch(/words in include\s+77/)
})
