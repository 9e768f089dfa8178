import { expect, type Page, test } from '@playwright/test'
import { stored } from './page-facts.ts'
import { enterDemo, projectIds, SALES, signIn } from './sign-in.ts'

const API = /\/api\/v2\//
const rows = (page: Page) => page.getByRole('row').filter({ hasText: /\d{11}/ })
const nextPage = (page: Page) => page.getByRole('button', { name: 'ถัดไป', exact: true }).first()

test('a panel that fails leaves the rest, names the request, and comes back by the keyboard', async ({ page }) => {
  await signIn(page, SALES)
  await page.route(/\/company-winners/, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal' }, headers: { 'x-request-id': 'req-faults-7' } }),
  )
  await page.goto('/companies')
  const panel = page.getByRole('region', { name: /^ผู้ชนะในรายงานของเรา/ })
  const alert = panel.getByRole('alert')
  await expect(alert).toContainText('โหลดผู้ชนะล่าสุดไม่สำเร็จ')
  await expect(alert).toContainText('รหัสอ้างอิง req-faults-7')
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'รายการบริษัท' }).getByRole('row').nth(1)).toBeVisible()
  await page.unroute(/\/company-winners/)
  await alert.getByRole('button', { name: 'ลองใหม่' }).focus()
  await page.keyboard.press('Enter')
  await expect(alert).toHaveCount(0)
  await expect(panel.getByText(/(?<!\d)\d+ โครงการ/).first()).toBeVisible()
  // What had the focus is gone; the focus is not.
  expect(await panel.evaluate((one) => one.contains(document.activeElement))).toBe(true)
})

test('a panel whose code is missing or throws takes nothing along, and "try again" brings it', async ({ page }) => {
  await signIn(page, SALES)
  const [id] = await projectIds(page)
  const code = /\/assets\/report-peek-[^/]*\.js/
  await page.route(code, (route) => route.abort())
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.goto(`/report?peek=${id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'เปิดส่วนนี้ไม่สำเร็จ' })
  await expect(failure).toBeVisible()
  // The page was fetched anew once, in case of a new version, and no more often.
  expect(loads).toBe(2)
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('navigation').first()).toBeVisible()

  await page.unroute(code)
  await page.route(code, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export const ReportPeek = () => { throw new Error("no such column") }',
    }),
  )
  await page.reload()
  await expect(failure).toBeVisible()
  await expect(rows(page).first()).toBeVisible()
  await page.unroute(code)
  await page.reload()
  await expect(
    page
      .getByRole('complementary', { name: /โครงการ/ })
      .or(page.getByText('เปิดหน้าโครงการ'))
      .first(),
  ).toBeVisible()
})

test('offline: the bar says so, what is there stays, and a star waits; back online it is sent, and it is said when the data is current', async ({
  page,
  context,
}) => {
  // requestIdleCallback never calls back: code that waits for an idle moment is never loaded.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  // This test has a demo visitor of its own, so its stars disturb no other test.
  await enterDemo(page)
  // Found by their numbers, because more rows are drawn a moment after the first ones.
  const unstarred = rows(page).filter({ has: page.getByRole('button', { name: /^ติดดาว/, pressed: false }) })
  await expect(unstarred.nth(1)).toBeVisible()
  const [one, other] = (await unstarred.allInnerTexts()).map((text) => /\d{11}/.exec(text)![0])
  const starOf = (id: string) =>
    rows(page)
      .filter({ hasText: id })
      .getByRole('button', { name: /^ติดดาว/ })
  await stored(page, () => starOf(one!).click())
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต' })).toBeVisible()
  await starOf(other!).click()
  await expect(page.getByRole('status').filter({ hasText: 'รอส่ง 1 รายการ' })).toBeVisible()
  const bothStarred = async () => {
    for (const id of [one!, other!]) await expect(starOf(id)).toHaveAttribute('aria-pressed', 'true')
  }
  await bothStarred()
  await stored(page, () => context.setOffline(false))
  await expect(page.getByText('กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน')).toBeVisible()
  await expect(page.getByText('รอส่ง 1 รายการ')).toBeHidden()
  await bothStarred()
})

test('a slow answer: the rows before stay and are dimmed, after eight seconds the wait can be ended', async ({
  page,
}) => {
  await signIn(page, SALES)
  const before = await projectIds(page)
  await page.route(/\/api\/v2\/projects\?[^?]*page=2/, () => undefined)
  await nextPage(page).click()
  await expect(page.locator('[aria-busy="true"]').first()).toBeVisible()
  const hint = page.getByRole('status').filter({ hasText: 'โหลดช้ากว่าปกติ' })
  await expect(hint).toHaveCount(0)
  await expect(hint).toBeVisible()
  await hint.getByRole('button', { name: 'ยกเลิกการโหลด' }).click()
  await expect(hint).toHaveCount(0)
  const failure = page.getByRole('alert').filter({ hasText: 'ยกเลิกการโหลดแล้ว' })
  await expect(failure).toContainText('แถวที่เห็นเป็นของรอบก่อน')
  expect((await projectIds(page))[0]).toBe(before[0])
  await page.unroute(/\/api\/v2\/projects\?[^?]*page=2/)
  await failure.getByRole('button', { name: 'ลองใหม่' }).click()
  await expect(failure).toHaveCount(0)
  await expect.poll(async () => (await projectIds(page))[0]).not.toBe(before[0])
})

test('the server goes and comes back under an open tab: one bar, few questions, and the rows come by themselves', async ({
  page,
}) => {
  await signIn(page, SALES)
  const before = await projectIds(page)
  const unavailable = { status: 503, headers: { 'retry-after': '2' }, json: { non_field_errors: ['ระบบยังไม่พร้อม'] } }
  let questions = 0
  await page.route(API, (route) => {
    questions += 1
    return route.fulfill(unavailable)
  })
  await page.route('**/readyz', (route) => route.fulfill(unavailable))
  await nextPage(page).click()
  const bar = page.getByRole('status').filter({ hasText: 'ระบบไม่พร้อมชั่วคราว' })
  await expect(bar).toContainText(/ใน \d+ วินาที/)
  const asked = questions
  // It is asked twice whether it is back, which takes some seconds.
  for (const _ of [1, 2]) await page.waitForResponse('**/readyz')
  // Those that were under way when it went; after that only /readyz is asked.
  expect(questions - asked).toBeLessThanOrEqual(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await projectIds(page))[0]).toBe(before[0])
  await page.unroute(API)
  await page.unroute('**/readyz')
  await bar.getByRole('button', { name: 'ลองเดี๋ยวนี้' }).click()
  await expect(page.getByText('กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน')).toBeVisible()
  await expect.poll(async () => (await projectIds(page))[0]).not.toBe(before[0])
})
