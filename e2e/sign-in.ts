import { type BrowserContext, expect, type Page } from '@playwright/test'

/** Accounts of the demo data; also printed by `npm start` and listed in the README. */
export const MANAGER = 'manager@tharamek.example'
export const SALES = 'sales@tharamek.example'
export const BUDGET_ONLY = 'research@fahkhram.example'
export const PASSWORD = 'Tamngan#2569'

/**
 * Logs in through the form and waits for the report. For tests of the login itself, or of a session that the test ends.
 */
export async function logIn(page: Page, email: string, address = '/login', password = PASSWORD): Promise<void> {
  await page.goto(address)
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expectReport(page)
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>
/**
 * Storage state per user after logging in. The token lasts half an hour, longer than any worker; after that the product
 * renews it as usual.
 */
const states = new Map<string, State>()

/** Opens the report, or another address, as a signed-in user: logs in through the form once per user and worker. */
export async function signIn(page: Page, email: string, address = '/report', password = PASSWORD): Promise<void> {
  const state = states.get(email)
  if (state === undefined) {
    await page.context().setStorageState({ cookies: [], origins: [] })
    await logIn(page, email, '/login', password)
    states.set(email, await page.context().storageState())
  } else await page.context().setStorageState(state)
  await page.goto(address)
  await expectReport(page)
}

const expectReport = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()

/** Enters the demo as a new visitor, whose marks no one else sees, and opens the report without filters. */
export async function enterDemo(page: Page): Promise<void> {
  await page.goto('/login?refkey=demo')
  await expectReport(page)
  await page.goto('/report')
  await expectReport(page)
}

/** Returns the project count of the report once the response for the current address has arrived. */
export async function waitForProjectCount(page: Page): Promise<number> {
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
  const countText = page.getByText(/^พบ [\d,]+ โครงการ$/).first()
  await expect(countText).toBeAttached()
  return Number((await countText.textContent())!.replace(/\D/g, ''))
}

/**
 * Like `waitForProjectCount`, after a search that `act` starts: the address changes some frames before the request is sent.
 * `query`: text in the request's query string.
 */
export async function waitForProjectCountAfter(
  page: Page,
  query: string,
  act: () => Promise<unknown>,
): Promise<number> {
  const answering = page.waitForResponse((answer) => {
    const { pathname, search } = new URL(answer.url())
    return pathname === '/api/v2/projects' && decodeURIComponent(search).includes(query)
  })
  await act()
  const { total_project: total } = (await (await answering).json()) as { total_project: number }
  await expect.poll(() => waitForProjectCount(page)).toBe(total)
  return total
}

/**
 * Returns the project ids of the rendered rows, top to bottom. `minRows`: the table renders some rows first and the
 * rest of the window a moment later.
 */
export async function readProjectIds(page: Page, minRows = 1): Promise<string[]> {
  const rows = page.getByRole('row').filter({ hasText: /\d{11}/ })
  await expect(rows.nth(minRows - 1)).toBeVisible()
  const texts = await rows.allInnerTexts()
  return texts.flatMap((text) => /\d{11}/.exec(text)?.[0] ?? [])
}
