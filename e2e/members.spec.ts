import { expect, test } from '@playwright/test'
import { readFromMail } from './mailbox.ts'
import { unique } from './own.ts'
import { expectNoSideways } from './page-facts.ts'
import { signIn } from './sign-in.ts'

const LINK = /https?:\/\/[^\s/]+(\/invitation\/[\w-]+)/

test('a colleague is invited by mail, joins on the phone, and is closed out again', async ({ page, browser }) => {
  test.slow()
  // Another try has another colleague.
  const own = unique()
  const [boss, colleague] = ['manager@noensai.example', `somsri-${own}@noensai.example`]
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
  const theirs = await phone.newPage()
  await theirs.goto(new URL(link, page.url()).href)
  await expect(theirs).toHaveTitle('คำเชิญเข้าร่วมทีม · ตามงาน')
  await expect(theirs.getByRole('heading', { name: /^เข้าร่วม ./ })).toBeVisible()
  await expectNoSideways(theirs)
  await theirs.getByLabel('ชื่อ', { exact: true }).fill('สมศรี')
  await theirs.getByLabel('นามสกุล').fill(`ใจดี ${own}`)
  await theirs.getByLabel('ตั้งรหัสผ่าน', { exact: true }).fill('Mekhong!Klong7')
  await theirs.getByLabel('ตั้งรหัสผ่านอีกครั้ง', { exact: true }).fill('Mekhong!Klong7')
  await theirs.getByRole('checkbox').check()
  await theirs.getByRole('button', { name: 'เข้าร่วมทีม' }).click()
  await expect(theirs.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  // The start view, not every project.
  await expect(theirs).toHaveURL(/project_bidding__in=open/)
  // The link works once.
  const again = await phone.newPage()
  await again.goto(new URL(link, page.url()).href)
  await expect(again.getByRole('heading', { name: 'คำเชิญนี้ใช้ไปแล้ว' })).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: `จัดการ สมศรี ใจดี ${own}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'ปิดบัญชี' }).click()
  await page.getByRole('button', { name: 'ปิดบัญชี', exact: true }).click()
  await expect(page.getByText('ปิดบัญชีแล้ว', { exact: true })).toBeVisible()
  await theirs.reload()
  await expect(theirs).toHaveURL(/\/login/)
  await phone.close()
})
