import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { logIn, MANAGER, PASSWORD, readProjectIds, signIn, waitForProjectCount } from './sign-in.ts'

/** User of another organisation than MANAGER's, with other watch words and so other projects. */
const OTHER = 'manager@noensai.example'
const SEARCH = new URLSearchParams({
  project_status__in: '<<project_cancelled',
  project_budget__range: '500000,',
  project_province__in: 'northeast',
  ordering: '-project_budget',
}).toString()

async function copied(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'แชร์' }).click()
  await expect(page.getByText('คัดลอกลิงก์แล้ว')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

const someone = async (browser: Browser): Promise<readonly [BrowserContext, Page]> => {
  const context = await browser.newContext()
  return [context, await context.newPage()]
}
const searchOf = (page: Page) => new URL(page.url()).search.slice(1)

test('a copied link is short: another organisation opens its own projects, and a signed-out user logs in first', async ({
  browser,
}) => {
  const [senderContext, sender] = await someone(browser)
  await senderContext.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(sender, MANAGER, `/report?${SEARCH}`)
  const senderIds = await readProjectIds(sender)
  const link = await copied(sender)
  expect(link).toMatch(/^http:\/\/[^/]+\/s\/[\w-]{6,16}$/)

  const [readerContext, reader] = await someone(browser)
  await signIn(reader, OTHER)
  const all = await waitForProjectCount(reader)
  await reader.goto(link)
  await expect(reader).toHaveURL(/\/report\?/)
  expect(searchOf(reader)).toBe(searchOf(sender))
  await expect.poll(() => waitForProjectCount(reader)).toBeLessThan(all)
  const readerIds = await readProjectIds(reader)
  expect(readerIds.length).toBeGreaterThan(0)
  expect(readerIds.filter((id) => senderIds.includes(id))).toEqual([])
  const filtered = await waitForProjectCount(reader)

  const [late, stranger] = await someone(browser)
  await stranger.goto(link)
  await expect(stranger).toHaveURL(/\/login\?/)
  await stranger.getByLabel('อีเมล').fill(OTHER)
  await stranger.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await stranger.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(stranger).toHaveURL(/\/report\?/)
  expect(searchOf(stranger)).toBe(searchOf(sender))
  expect(await waitForProjectCount(stranger)).toBe(filtered)
  await Promise.all([senderContext, readerContext, late].map((context) => context.close()))
})

test('an unknown link shows an error and leads to the report', async ({ page }) => {
  await logIn(page, OTHER)
  await page.goto('/s/abcdefgh')
  await expect(page.getByText('ลิงก์นี้ไม่มี หรือหมดอายุแล้ว')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'ไปหน้ารายงานโครงการ' }).click()
  expect(await waitForProjectCount(page)).toBeGreaterThan(0)
})
