import { expect, type Page, test } from '@playwright/test'
import { enterDemo, foundProjects, MANAGER, projectIds, SALES, signIn } from './sign-in.ts'

/** Eight filters, among them `##` and Thai text; each is one that people of the first sample organisation would set. */
const SHARED = new URLSearchParams({
  project_name__in: '(กล้อง||คอมพิวเตอร์)##ระบบ<<ซ่อม',
  project_status__in: '<<project_cancelled',
  project_budget__range: '100000,400000000',
  project_province_dept_sub__in: '<<ภูเก็ต||ตราด',
  bidding_invite_date__range: ',@60',
  project_method__in: 'e_bidding||selective||specific',
  project_method_type__in: 'buy||service||lease',
  project_criteria_for_consideration: 'price||price_and_other||no_data',
  ordering: '-project_budget',
}).toString()

const queryOf = (page: Page) => new URL(page.url()).search.slice(1)

test('a shared link with eight filters opens for a colleague with the same rows and the same address', async ({
  browser,
}) => {
  const [mine, theirs] = await Promise.all([browser.newContext(), browser.newContext()])
  const sender = await mine.newPage()
  await signIn(sender, MANAGER, `/report?${SHARED}`)
  const total = await foundProjects(sender)
  expect(total).toBeGreaterThan(0)
  const link = sender.url()
  expect(link).toContain('%23%23')

  const receiver = await theirs.newPage()
  // A table draws some rows first and the rest of the window a moment later.
  const expectSameRows = () =>
    expect(async () => expect(await projectIds(receiver)).toEqual(await projectIds(sender))).toPass({ timeout: 15_000 })
  await signIn(receiver, SALES, link)
  expect(await foundProjects(receiver)).toBe(total)
  await expectSameRows()
  expect(queryOf(receiver)).toBe(queryOf(sender))
  await receiver.reload()
  await expectSameRows()
  expect(queryOf(receiver)).toBe(queryOf(sender))
  await Promise.all([mine.close(), theirs.close()])
})

test('Back undoes one filter at a time', async ({ page }) => {
  await signIn(page, MANAGER)
  const unfiltered = await foundProjects(page)
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  await panel.getByRole('checkbox', { name: /^ใหม่/ }).check()
  await expect(page).toHaveURL(/project_change_status__in=new$/)
  const one = await foundProjects(page)
  expect(one).toBeLessThan(unfiltered)
  await page
    .getByRole('list', { name: 'ตัวกรองด่วน' })
    .getByRole('button', { name: /ใกล้ปิด/ })
    .click()
  await expect(page).toHaveURL(/submission_end_date__range=/)
  await page.goBack()
  await expect(page).toHaveURL(/project_change_status__in=new$/)
  await expect.poll(() => foundProjects(page)).toBe(one)
  await page.goBack()
  await expect(page).toHaveURL(/\/report$/)
  await expect.poll(() => foundProjects(page)).toBe(unfiltered)
})

test('what a link asks for and nobody understands is said, and stays in the address until a filter changes', async ({
  page,
}) => {
  await signIn(page, MANAGER, '/report?project_status__in=sold&utm_source=line')
  await expect(page.getByText(/^(?=.*ตัวกรองบางส่วนอ่านไม่ได้)(?=.*สถานะโครงการ).*sold/)).toBeVisible()
  await expect(page.getByText(/ไม่รู้จัก: utm_source/)).toBeVisible()
  await expect(page).toHaveURL(/project_status__in=sold/)
})

test('filters that remove everything name the one to take away', async ({ page }) => {
  await signIn(page, MANAGER, '/report?project_budget__range=1,2&project_status__in=in_progress')
  expect(await foundProjects(page)).toBe(0)
  const remedy = page
    .getByRole('main')
    .getByRole('button', { name: /งบประมาณ/ })
    .last()
  await expect(remedy).toBeVisible()
  await remedy.click()
  await expect(page).not.toHaveURL(/project_budget__range/)
  await expect.poll(() => foundProjects(page)).toBeGreaterThan(0)
})

test('a new account starts with the columns for sorting out; all 25 are one press away, the table sorts by its headers and says so', async ({
  page,
}) => {
  // A visitor of its own: what is stored here is in nobody's way.
  await enterDemo(page)
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveCount(9)
  await page.getByRole('button', { name: /^คอลัมน์/ }).click()
  const dialog = page.getByRole('dialog', { name: 'คอลัมน์ในตาราง' })
  await dialog.getByRole('button', { name: /^ทั้งหมด/ }).click()
  await dialog.getByRole('button', { name: 'บันทึก', exact: true }).click()
  await expect(table.getByRole('columnheader')).toHaveCount(25)
  await table
    .getByRole('columnheader', { name: /^งบประมาณ/ })
    .getByRole('button')
    .click()
  await expect(page).toHaveURL(/ordering=-?project_budget/)
  await expect(table.locator('th[aria-sort="ascending"], th[aria-sort="descending"]')).toHaveCount(1)
  await expect(table).toHaveAttribute('aria-rowcount', /^[1-9]\d*$/)
})

test('matched words are marked in the names', async ({ page }) => {
  await signIn(page, MANAGER)
  await expect(page.getByRole('table').locator('mark').first()).toBeVisible()
})

test('typing a search does not fill the history', async ({ page }) => {
  await signIn(page, MANAGER)
  const before = await page.evaluate(() => history.length)
  // Keys are listened to once the rows are there, a moment behind the table's frame.
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(page.locator('main input:focus')).toHaveAttribute('placeholder', /ค้นชื่อโครงการ/, { timeout: 500 })
  }).toPass()
  await page.keyboard.type('กล้องวงจรปิด', { delay: 40 })
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/project_name__in=/)
  const after = await page.evaluate(() => history.length)
  expect(after - before).toBeLessThanOrEqual(1)
})
