import { expect, test } from '@playwright/test'
import { readFromMail } from './mailbox.ts'
import { createUniqueText } from './own.ts'
import { expectNoSidewaysScroll } from './page-facts.ts'
import { signIn } from './sign-in.ts'

const LINK = /https?:\/\/[^\s/]+(\/invitation\/[\w-]+)/

test('a super user invites a colleague by mail, who joins on a phone and later loses access', async ({
  page,
  browser,
}) => {
  test.slow()
  const suffix = createUniqueText()
  const [boss, colleague] = ['manager@noensai.example', `somsri-${suffix}@noensai.example`]
  await signIn(page, boss)
  await page.goto('/settings?tab=team')
  await page.getByLabel('อีเมล').fill(boss)
  await page.keyboard.press('Enter')
  await expect(page.getByText('คนนี้อยู่ในทีมแล้ว')).toBeVisible()
  await page.getByLabel('อีเมล').fill(colleague)
  await page.keyboard.press('Enter')
  const waiting = page.getByRole('region', { name: 'คำเชิญที่รอตอบรับ' })
  await expect(waiting.getByText(colleague)).toBeVisible()
  const link = await readFromMail(colleague, LINK)

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const phonePage = await phone.newPage()
  await phonePage.goto(new URL(link, page.url()).href)
  await expect(phonePage).toHaveTitle('คำเชิญเข้าร่วมทีม · ตามงาน')
  await expect(phonePage.getByRole('heading', { name: /^เข้าร่วม ./ })).toBeVisible()
  await expectNoSidewaysScroll(phonePage)
  await phonePage.getByLabel('ชื่อ', { exact: true }).fill('สมศรี')
  await phonePage.getByLabel('นามสกุล').fill(`ใจดี ${suffix}`)
  await phonePage.getByLabel('ตั้งรหัสผ่าน', { exact: true }).fill('Mekhong!Klong7')
  await phonePage.getByLabel('ตั้งรหัสผ่านอีกครั้ง', { exact: true }).fill('Mekhong!Klong7')
  await phonePage.getByRole('checkbox').check()
  await phonePage.getByRole('button', { name: 'เข้าร่วมทีม' }).click()
  await expect(phonePage.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await expect(phonePage).toHaveURL(/project_bidding__in=open/)
  const again = await phone.newPage()
  await again.goto(new URL(link, page.url()).href)
  await expect(again.getByRole('heading', { name: 'คำเชิญนี้ใช้ไปแล้ว' })).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: `จัดการ สมศรี ใจดี ${suffix}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'ปิดบัญชี' }).click()
  await page.getByRole('button', { name: 'ปิดบัญชี', exact: true }).click()
  await expect(page.getByText('ปิดบัญชีแล้ว', { exact: true })).toBeVisible()
  await phonePage.reload()
  await expect(phonePage).toHaveURL(/\/login/)
  await phone.close()
})
