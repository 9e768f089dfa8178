import { type BrowserContext, expect, type Page } from '@playwright/test'

/** Accounts of the sample data; printed by `npm start` and in the README. */
export const MANAGER = 'manager@tharamek.example'
export const SALES = 'sales@tharamek.example'
export const BUDGET_ONLY = 'research@fahkhram.example'
export const PASSWORD = 'Tamngan#2569'

/** Logs in through the form, as a person does, and waits for the report. For tests of logging in, or of a session that the test ends. */
export async function logIn(page: Page, email: string, address = '/login'): Promise<void> {
  await page.goto(address)
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expectReport(page)
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>
/** What a browser keeps after logging in, for each user. Lasts half an hour, which no worker lives; then the product renews it as for anybody. */
const states = new Map<string, State>()

/** Opens the report, or an address that leads there, as somebody who logged in before: through the form once for each user and worker. */
export async function signIn(page: Page, email: string, address = '/report'): Promise<void> {
  const state = states.get(email)
  if (state === undefined) {
    // Somebody else may have been here.
    await page.context().setStorageState({ cookies: [], origins: [] })
    await logIn(page, email)
    states.set(email, await page.context().storageState())
  } else await page.context().setStorageState(state)
  await page.goto(address)
  await expectReport(page)
}

const expectReport = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()

/** Enters the demo, as a visitor of its own whose marks nobody else sees, and opens the report without any filter. */
export async function enterDemo(page: Page): Promise<void> {
  await page.goto('/login?refkey=demo')
  await expectReport(page)
  await page.goto('/report')
  await expectReport(page)
}

/** Number of projects that the report says it found, once the answer for the present address is there. */
export async function foundProjects(page: Page): Promise<number> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  const said = page.getByText(/^พบ [\d,]+ โครงการ$/).first()
  await expect(said).toBeAttached()
  return Number((await said.textContent())!.replace(/\D/g, ''))
}

/** Project numbers of the rows drawn, top to bottom. */
export async function projectIds(page: Page): Promise<string[]> {
  const rows = page.getByRole('row').filter({ hasText: /\d{11}/ })
  await expect(rows.first()).toBeVisible()
  const texts = await rows.allInnerTexts()
  return texts.map((text) => /\d{11}/.exec(text)![0])
}
