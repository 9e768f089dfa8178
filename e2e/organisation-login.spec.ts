import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll } from './page-facts.ts'
import { currentServer } from './servers.ts'
import { PASSWORD } from './sign-in.ts'

const BOSS = 'manager@noensai.example'
const MEMBER = 'bid@noensai.example'
let server: ChildProcess
let home = ''

test.beforeAll(async () => {
  const port = currentServer().port + 30 + test.info().parallelIndex
  home = `http://127.0.0.1:${port}`
  server = fork('e2e/organisation-login-server.ts', [String(port)])
  await once(server, 'message')
})
test.afterAll(async () => {
  server.disconnect()
  await once(server, 'exit')
})

const faults = async (page: Page) =>
  (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes[0]?.html])
/** Checks that the page has no sideways scroll and, when LOOK_DIR names a folder, takes screenshots for review. */
const checkLayout = async (page: Page, name: string) => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectNoSidewaysScroll(page)
    if (process.env.LOOK_DIR)
      await page.screenshot({ path: `${process.env.LOOK_DIR}/${name}-${width}.png`, fullPage: true })
  }
  expect(await faults(page)).toEqual([])
}

test('a super user verifies a domain, and a member signs in through the provider, by keyboard alone', async ({
  page,
  browser,
}) => {
  test.slow()
  await page.goto(`${home}/login`)
  await page.getByLabel('อีเมล').fill(BOSS)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/login/)
  await page.goto(`${home}/settings?tab=team`)
  const section = page.getByRole('region', { name: 'เข้าสู่ระบบด้วยบัญชีองค์กร' })
  await section.getByLabel('โดเมนของบริษัท').fill('@Noensai.example')
  await page.keyboard.press('Enter')
  const domain = section.getByRole('group', { name: 'noensai.example' })
  await expect(domain.getByText('_tamngan.noensai.example')).toBeVisible()
  await domain.getByRole('button', { name: 'ตรวจระเบียน' }).press('Enter')
  await expect(domain.getByText('ยังไม่พบระเบียน TXT นี้')).toBeVisible()
  await checkLayout(page, 'team-waiting')
  server.send('zone')
  await domain.getByRole('button', { name: 'ตรวจระเบียน' }).press('Enter')
  await expect(domain.getByText('เชื่อมแล้ว', { exact: true })).toBeVisible()
  await domain.getByRole('switch', { name: 'บังคับใช้บัญชีองค์กร' }).press('Enter')
  await expect(page.getByText('ของคุณเองให้สำเร็จสักครั้งก่อน')).toBeVisible()
  await checkLayout(page, 'team-connected')

  const colleaguePage = await (await browser.newContext()).newPage()
  await colleaguePage.goto(`${home}/login?redirect=${encodeURIComponent('/settings?tab=me&part=security')}`)
  const way = colleaguePage.getByRole('button', { name: 'เข้าสู่ระบบด้วยบัญชีองค์กร' })
  await way.press('Enter')
  await expect(colleaguePage.getByText('กรอกอีเมลของบริษัทก่อน')).toBeVisible()
  await expect(colleaguePage.getByLabel('อีเมล')).toBeFocused()
  await colleaguePage.keyboard.type('somebody@elsewhere.example')
  await way.press('Enter')
  await expect(colleaguePage.getByText('ยังไม่ได้เชื่อมกับบัญชีองค์กร')).toBeVisible()
  await checkLayout(colleaguePage, 'login')
  await colleaguePage.getByLabel('อีเมล').fill(MEMBER)
  await way.press('Enter')
  await expect(colleaguePage).toHaveURL(`${home}/settings?tab=me&part=security`)
  await colleaguePage.goBack()
  expect(colleaguePage.url()).not.toContain('code=')

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(`${home}/login`)
  await stranger.getByLabel('อีเมล').fill('nobody@noensai.example')
  await stranger.getByRole('button', { name: 'เข้าสู่ระบบด้วยบัญชีองค์กร' }).press('Enter')
  await expect(stranger.getByRole('heading', { name: 'ยังเข้าสู่ระบบไม่ได้' })).toBeVisible()
  await checkLayout(stranger, 'refused')
  await stranger.getByRole('button', { name: 'กลับไปหน้าเข้าสู่ระบบ' }).press('Enter')
  await expect(stranger.getByRole('heading', { name: 'เข้าสู่ระบบ' })).toBeVisible()
})
