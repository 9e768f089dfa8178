import { expect, type Page, test } from '@playwright/test'
import { DESKTOP } from './axe.ts'
import { readFromMail } from './mailbox.ts'
import { claimProject, createUniqueText } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { MANAGER, SALES, signIn } from './sign-in.ts'

const LINK = /https?:\/\/[^\s/]+(\/invitation\/[\w-]+)/
const PURSUIT = /\/pursuits\/\d+$/
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const block = (page: Page) => page.getByRole('region', { name: 'งานของเรา' })
async function moveTo(page: Page, stage: string): Promise<void> {
  await block(page).getByRole('button', { name: /^ขั้น/ }).click()
  await waitUntilStored(page, () => page.getByRole('option', { name: stage, exact: true }).click(), PURSUIT)
}
/** Reads one figure of the results page. Waits for it, because the seeded team always has pursuits. */
const figure = async (page: Page, name: string): Promise<number> => {
  const cell = page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
  return Number((await cell.locator('dd').innerText()).split('\n')[0])
}

test('an invited colleague finds a tender on the phone, decides, prepares, bids and wins; the manager sees it in the results', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESKTOP.viewport)
  await signIn(page, MANAGER, '/report')
  await page.goto('/results')
  const wonBefore = await figure(page, 'ชนะ')
  const email = `mali-${createUniqueText()}@tharamek.example`
  await page.goto('/settings?tab=team')
  await page.getByLabel('อีเมล').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'คำเชิญที่รอตอบรับ' }).getByText(email)).toBeVisible()
  const link = await readFromMail(email, LINK)

  const phone = await browser.newContext(PHONE)
  const phonePage = await phone.newPage()
  await phonePage.goto(new URL(link, page.url()).href)
  await phonePage.getByLabel('ชื่อ', { exact: true }).fill('มะลิ')
  await phonePage.getByLabel('นามสกุล').fill('ทองดี')
  await phonePage.getByLabel('ตั้งรหัสผ่าน', { exact: true }).fill('Mekhong!Klong7')
  await phonePage.getByLabel('ตั้งรหัสผ่านอีกครั้ง', { exact: true }).fill('Mekhong!Klong7')
  await phonePage.getByRole('checkbox').check()
  await phonePage.getByRole('button', { name: 'เข้าร่วมทีม' }).click()

  await expect(phonePage.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  const id = await claimProject(phonePage)
  await phonePage.goto(`/report/${id}`)
  await waitUntilStored(
    phonePage,
    () => block(phonePage).getByRole('button', { name: 'ยื่น', exact: true }).click(),
    PURSUIT,
  )
  await moveTo(phonePage, 'เตรียมยื่น')
  await waitUntilStored(
    phonePage,
    async () => {
      await block(phonePage).getByLabel('ราคาที่เราจะเสนอ (บาท)').fill('1.2 ล้าน')
      await phonePage.keyboard.press('Enter')
    },
    PURSUIT,
  )
  await moveTo(phonePage, 'ยื่นแล้ว')
  await moveTo(phonePage, 'ชนะ')
  await phone.close()

  await page.goto('/results')
  // The count may grow by more than one, because parallel tests may mark other pursuits as won.
  await expect.poll(() => figure(page, 'ชนะ')).toBeGreaterThan(wonBefore)
  await page.goto('/results?rows=won')
  await expect(page.getByRole('dialog').locator(`a[href="/report/${id}"]`)).toBeVisible()
})

test('a colleague’s page shows board changes of the team without a reload', async ({ page, browser }) => {
  await page.setViewportSize(DESKTOP.viewport)
  await signIn(page, SALES)
  const id = await claimProject(page)
  const colleague = await browser.newContext(DESKTOP)
  const colleaguePage = await colleague.newPage()
  await signIn(colleaguePage, MANAGER)
  await colleaguePage.goto(`/report/${id}`)
  await expect(block(colleaguePage).getByRole('button', { name: 'ยื่น', exact: true })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
  const opened = await colleaguePage.evaluate(() => performance.timeOrigin)

  await page.goto(`/report/${id}`)
  await waitUntilStored(page, () => block(page).getByRole('button', { name: 'ยื่น', exact: true }).click(), PURSUIT)
  await moveTo(page, 'รอราคา')

  await colleaguePage.bringToFront()
  await colleaguePage.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(block(colleaguePage).getByRole('button', { name: /^ขั้น/ })).toContainText('รอราคา', { timeout: 40_000 })
  await expect(block(colleaguePage).getByRole('button', { name: 'ยื่น', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(await colleaguePage.evaluate(() => performance.timeOrigin), 'the page was not loaded anew').toBe(opened)
  await colleague.close()
})
