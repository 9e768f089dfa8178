import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { foundProjects, logIn, MANAGER, PASSWORD, projectIds, signIn } from './sign-in.ts'

/** Of another organisation than MANAGER: other words, other projects. */
const OTHER = 'manager@noensai.example'
const SEARCH = new URLSearchParams({
  project_status__in: '<<project_cancelled',
  project_budget__range: '500000,',
  project_province__in: 'northeast',
  ordering: '-project_budget',
}).toString()

/** The short link of the open report, as the copy button leaves it in the clipboard. */
async function copied(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'คัดลอกลิงก์' }).click()
  await expect(page.getByText('คัดลอกลิงก์แล้ว')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

const someone = async (browser: Browser): Promise<readonly [BrowserContext, Page]> => {
  const context = await browser.newContext()
  return [context, await context.newPage()]
}
const searchOf = (page: Page) => new URL(page.url()).search.slice(1)

test('a copied link is a short one: another organisation opens its own projects with it, and who is signed out comes there through the login', async ({
  browser,
}) => {
  const [mine, sender] = await someone(browser)
  await mine.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(sender, MANAGER, `/report?${SEARCH}`)
  const own = await projectIds(sender)
  const link = await copied(sender)
  expect(link).toMatch(/^http:\/\/[^/]+\/s\/[\w-]{6,16}$/)

  // The same filters over what their own words let in.
  const [theirs, reader] = await someone(browser)
  await signIn(reader, OTHER)
  const all = await foundProjects(reader)
  await reader.goto(link)
  await expect(reader).toHaveURL(/\/report\?/)
  expect(searchOf(reader)).toBe(searchOf(sender))
  await expect.poll(() => foundProjects(reader)).toBeLessThan(all)
  const found = await projectIds(reader)
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter((id) => own.includes(id))).toEqual([])
  const filtered = await foundProjects(reader)

  // Signed out: the login, and from there to the list and not to the start view.
  const [late, stranger] = await someone(browser)
  await stranger.goto(link)
  await expect(stranger).toHaveURL(/\/login\?/)
  await stranger.getByLabel('อีเมล').fill(OTHER)
  await stranger.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await stranger.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(stranger).toHaveURL(/\/report\?/)
  expect(searchOf(stranger)).toBe(searchOf(sender))
  expect(await foundProjects(stranger)).toBe(filtered)
  await Promise.all([mine, theirs, late].map((context) => context.close()))
})

test('a link of nobody says so and leads to the report', async ({ page }) => {
  await logIn(page, OTHER)
  await page.goto('/s/abcdefgh')
  await expect(page.getByText('ลิงก์นี้ไม่มี หรือหมดอายุแล้ว')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'ไปหน้ารายงานโครงการ' }).click()
  expect(await foundProjects(page)).toBeGreaterThan(0)
})
