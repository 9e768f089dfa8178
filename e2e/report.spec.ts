import { expect, type Page, test } from '@playwright/test'
import { waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import {
  enterDemo,
  MANAGER,
  readProjectIds,
  SALES,
  signIn,
  waitForProjectCount,
  waitForProjectCountAfter,
} from './sign-in.ts'

/** Eight filters, among them `##` and Thai text; realistic for users of the first demo organisation. */
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

test('a shared link with eight filters shows a colleague the same rows at the same address', async ({ browser }) => {
  const [senderContext, readerContext] = await Promise.all([browser.newContext(), browser.newContext()])
  const sender = await senderContext.newPage()
  await signIn(sender, MANAGER, `/report?${SHARED}`)
  const total = await waitForProjectCount(sender)
  expect(total).toBeGreaterThan(0)
  const link = sender.url()
  expect(link).toContain('%23%23')

  const receiver = await readerContext.newPage()
  // The table renders some rows first and the rest of the window a moment later.
  const expectSameRows = () =>
    expect(async () => expect(await readProjectIds(receiver)).toEqual(await readProjectIds(sender))).toPass({
      timeout: 15_000,
    })
  await signIn(receiver, SALES, link)
  expect(await waitForProjectCount(receiver)).toBe(total)
  await expectSameRows()
  expect(queryOf(receiver)).toBe(queryOf(sender))
  await receiver.reload()
  await expectSameRows()
  expect(queryOf(receiver)).toBe(queryOf(sender))
  await Promise.all([senderContext.close(), readerContext.close()])
})

test('Back undoes one filter at a time, and typing a search does not fill the history', async ({ page }) => {
  await signIn(page, MANAGER)
  const unfiltered = await waitForProjectCount(page)
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  const newCount = await waitForProjectCountAfter(page, 'project_change_status__in=new', () =>
    panel.getByRole('checkbox', { name: /^ใหม่/ }).check(),
  )
  await expect(page).toHaveURL(/project_change_status__in=new$/)
  expect(newCount).toBeLessThan(unfiltered)
  await panel.getByRole('checkbox', { name: /^ภายใน 7 วัน/ }).check()
  await expect(page).toHaveURL(/submission_end_date__range=/)
  await page.goBack()
  await expect(page).toHaveURL(/project_change_status__in=new$/)
  await expect.poll(() => waitForProjectCount(page)).toBe(newCount)
  await page.goBack()
  await expect(page).toHaveURL(/\/report$/)
  await expect.poll(() => waitForProjectCount(page)).toBe(unfiltered)

  const before = await page.evaluate(() => history.length)
  await page.keyboard.press('/')
  await expect(page.locator('main input:focus')).toHaveAttribute('placeholder', /ค้นชื่อ เลขที่/)
  await page.keyboard.type('กล้องวงจรปิด', { delay: 40 })
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/project_search__in=/)
  // Going back leaves forward entries in the history, and the next search replaces them.
  expect((await page.evaluate(() => history.length)) - before).toBeLessThanOrEqual(1)
})

test('a new account has nine columns and underlined words, can show all 25, sorts, and sees unreadable link parameters', async ({
  page,
}) => {
  // The test uses a new demo visitor, so that what it stores does not affect other tests.
  await enterDemo(page)
  await page.goto('/report?project_status__in=sold&colour=line')
  await expect(page.getByText(/^(?=.*ตัวกรองบางส่วนอ่านไม่ได้)(?=.*สถานะโครงการ).*sold/)).toBeVisible()
  await expect(page.getByText(/ไม่รู้จัก: colour/)).toBeVisible()
  const table = page.getByRole('table')
  await expect(table.getByRole('columnheader')).toHaveCount(9)
  await chooseInReportMenu(page, /^คอลัมน์/)
  const dialog = page.getByRole('dialog', { name: 'คอลัมน์ในตาราง' })
  await dialog.getByRole('button', { name: /^ทั้งหมด/ }).click()
  await waitUntilStored(page, () => dialog.getByRole('button', { name: 'บันทึก', exact: true }).click())
  await expect(table.getByRole('columnheader')).toHaveCount(25)
  await expect(table.locator('u').first()).toBeVisible()
  await expect(page).toHaveURL(/project_status__in=sold/)
  await table
    .getByRole('columnheader', { name: /^งบประมาณ/ })
    .getByRole('button')
    .click()
  await expect(page).toHaveURL(/ordering=-?project_budget/)
  await expect(table.locator('th[aria-sort="ascending"], th[aria-sort="descending"]')).toHaveCount(1)
  await expect(table).toHaveAttribute('aria-rowcount', /^[1-9]\d*$/)
})

test('a row name is selectable text; a click opens the panel, Ctrl+click a new tab, and the panel links to the page', async ({
  page,
  context,
}) => {
  await signIn(page, SALES)
  const row = page.locator('tbody tr[data-index]').nth(2)
  const id = /\d{11}/.exec(await row.innerText())![0]
  const name = row.locator('a[data-project-link]')
  const opening = context.waitForEvent('page')
  await name.click({ modifiers: ['ControlOrMeta'] })
  const project = await opening
  await project.waitForURL(new RegExp(`/report/${id}`))
  await project.close()

  // Content that appears late above the table moves the rows away from the pointer, so the drag is retried.
  await expect(async () => {
    const box = (await name.boundingBox())!
    await page.mouse.move(box.x + 4, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x + 120, box.y + 10, { steps: 8 })
    await page.mouse.up()
    expect(await page.evaluate(() => getSelection()?.toString().length ?? 0)).toBeGreaterThan(3)
  }).toPass()
  await expect(page).not.toHaveURL(/peek=|\/report\//)
  await page.evaluate(() => getSelection()?.removeAllRanges())

  await name.click()
  await expect(page).toHaveURL(new RegExp(`peek=${id}`))
  await page.getByRole('link', { name: 'เปิดหน้าโครงการ' }).click()
  await expect(page).toHaveURL(new RegExp(`/report/${id}`))
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`peek=${id}`))
})

/** Returns the top of the first row in px, and the number of fully visible rows. */
const rowsInView = (page: Page) =>
  page.evaluate(() => {
    const region = document.querySelector('main table')!.parentElement!
    const end = region.getBoundingClientRect().top + region.clientTop + region.clientHeight
    const rows = [...region.querySelectorAll('tr[data-index]')].map((row) => row.getBoundingClientRect())
    return { y: rows[0]!.top, whole: rows.filter(({ bottom }) => bottom <= end + 0.5).length }
  })

test('1440 × 900 shows eight rows from y 230, thirteen compact, seven below search, filter and notice or beside the panel', async ({
  page,
}) => {
  const expectRows = (minRows: number) =>
    expect(async () => expect((await rowsInView(page)).whole).toBeGreaterThanOrEqual(minRows)).toPass()
  await signIn(page, SALES)
  await expectRows(8)
  await expect.poll(async () => (await rowsInView(page)).y).toBeLessThanOrEqual(230)
  const { y } = await rowsInView(page)

  await chooseInReportMenu(page, 'แถวกะทัดรัด', 'menuitemradio')
  await expectRows(13)
  await chooseInReportMenu(page, 'แถวสบายตา', 'menuitemradio')

  await page.locator('tbody tr[data-index="1"] td').nth(2).click()
  await expect(page.getByRole('complementary', { name: 'ดูย่อโครงการ' })).toBeVisible()
  await expectRows(7)
  await expect.poll(async () => (await rowsInView(page)).y).toBe(y)
  await page.keyboard.press('Escape')

  await page.goto('/report?project_name__in=ระบบ&project_status__in=in_progress&colour=line')
  await expect(page.getByText(/ไม่รู้จัก: colour/)).toBeVisible()
  await expectRows(7)

  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto('/report')
  await expectRows(6)
  const deadline = page.getByRole('columnheader', { name: 'วันสิ้นสุดยื่นข้อเสนอ' })
  await expect.poll(async () => (await deadline.boundingBox())!.x).toBeLessThan(1024 - 106)
})
