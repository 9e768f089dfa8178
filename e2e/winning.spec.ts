import { expect, type Page, test } from '@playwright/test'
import { DESK } from './axe.ts'
import { readFromMail } from './mailbox.ts'
import { takeProject, unique } from './own.ts'
import { stored } from './page-facts.ts'
import { MANAGER, SALES, signIn } from './sign-in.ts'

const LINK = /https?:\/\/[^\s/]+(\/invitation\/[\w-]+)/
const PURSUIT = /\/pursuits\/\d+$/
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const block = (page: Page) => page.getByRole('region', { name: 'งานของเรา' })
async function moveTo(page: Page, stage: string): Promise<void> {
  await block(page).getByRole('button', { name: /^ขั้น/ }).click()
  await stored(page, () => page.getByRole('option', { name: stage, exact: true }).click(), PURSUIT)
}
/** How many a figure of the results says. The seeded team has pursuits, so the figures are always there: they are waited for. */
const figure = async (page: Page, name: string): Promise<number> => {
  const cell = page.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
  return Number((await cell.locator('dd').innerText()).split('\n')[0])
}

test('a colleague is invited on the phone, finds a tender, decides, prepares, bids and wins it, and the boss has it in the results', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESK.viewport)
  await signIn(page, MANAGER, '/report')
  await page.goto('/results')
  const wonBefore = await figure(page, 'ชนะ')
  const email = `mali-${unique()}@tharamek.example`
  await page.goto('/settings?tab=team')
  await page.getByLabel('อีเมล').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'คำเชิญที่รอตอบรับ' }).getByText(email)).toBeVisible()
  const link = await readFromMail(email, LINK)

  const phone = await browser.newContext(PHONE)
  const theirs = await phone.newPage()
  await theirs.goto(new URL(link, page.url()).href)
  await theirs.getByLabel('ชื่อ', { exact: true }).fill('มะลิ')
  await theirs.getByLabel('นามสกุล').fill('ทองดี')
  await theirs.getByLabel('ตั้งรหัสผ่าน', { exact: true }).fill('Mekhong!Klong7')
  await theirs.getByLabel('ตั้งรหัสผ่านอีกครั้ง', { exact: true }).fill('Mekhong!Klong7')
  await theirs.getByRole('checkbox').check()
  await theirs.getByRole('button', { name: 'เข้าร่วมทีม' }).click()

  await expect(theirs.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  const id = await takeProject(theirs)
  await theirs.goto(`/report/${id}`)
  await stored(theirs, () => block(theirs).getByRole('button', { name: 'ยื่น', exact: true }).click(), PURSUIT)
  await moveTo(theirs, 'เตรียมยื่น')
  await stored(
    theirs,
    async () => {
      await block(theirs).getByLabel('ราคาที่เราจะเสนอ (บาท)').fill('1.2 ล้าน')
      await theirs.keyboard.press('Enter')
    },
    PURSUIT,
  )
  await moveTo(theirs, 'ยื่นแล้ว')
  await moveTo(theirs, 'ชนะ')
  await phone.close()

  await page.goto('/results')
  // Others of the team may win meanwhile.
  await expect.poll(() => figure(page, 'ชนะ')).toBeGreaterThan(wonBefore)
  await page.goto('/results?rows=won')
  await expect(page.getByRole('dialog').locator(`a[href="/report/${id}"]`)).toBeVisible()
})

test('what one of the team does on the board stands on the page of a colleague without a reload', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(DESK.viewport)
  await signIn(page, SALES)
  const id = await takeProject(page)
  const colleague = await browser.newContext(DESK)
  const theirs = await colleague.newPage()
  await signIn(theirs, MANAGER)
  await theirs.goto(`/report/${id}`)
  await expect(block(theirs).getByRole('button', { name: 'ยื่น', exact: true })).toHaveAttribute('aria-pressed', 'false')
  const opened = await theirs.evaluate(() => performance.timeOrigin)

  await page.goto(`/report/${id}`)
  await stored(page, () => block(page).getByRole('button', { name: 'ยื่น', exact: true }).click(), PURSUIT)
  await moveTo(page, 'รอราคา')

  // An open tab looks every twenty seconds; one that somebody comes back to at once.
  await theirs.bringToFront()
  await theirs.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(block(theirs).getByRole('button', { name: /^ขั้น/ })).toContainText('รอราคา', { timeout: 40_000 })
  await expect(block(theirs).getByRole('button', { name: 'ยื่น', exact: true })).toHaveAttribute('aria-pressed', 'true')
  expect(await theirs.evaluate(() => performance.timeOrigin), 'the page was not loaded anew').toBe(opened)
  await colleague.close()
})
