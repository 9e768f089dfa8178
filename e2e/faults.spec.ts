import { expect, type Page, test } from '@playwright/test'
import { waitUntilStored } from './page-facts.ts'
import { enterDemo, readProjectIds, SALES, signIn } from './sign-in.ts'

const API = /\/api\/v2\//
const rows = (page: Page) => page.getByRole('row').filter({ hasText: /\d{11}/ })
const nextPage = (page: Page) => page.getByRole('button', { name: 'ถัดไป', exact: true }).first()

test('a failing panel names the request, leaves the page usable, and retries by keyboard', async ({ page }) => {
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
  // The focused element no longer exists, but focus stays in the panel.
  expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true)
})

test('a panel with missing or throwing code leaves the page usable, and "try again" loads it', async ({ page }) => {
  await signIn(page, SALES)
  const [id] = await readProjectIds(page)
  const code = /\/assets\/report-peek-[^/]*\.js/
  await page.route(code, (route) => route.abort())
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  await page.goto(`/report?peek=${id}`)
  const failure = page.getByRole('alert').filter({ hasText: 'เปิดส่วนนี้ไม่สำเร็จ' })
  await expect(failure).toBeVisible()
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

test('offline: the bar reports it, data stays, a star queues; back online it is sent and the bar confirms current data', async ({
  page,
  context,
}) => {
  // Makes `requestIdleCallback` never fire, so that code deferred to idle time is never loaded.
  await page.addInitScript(() => {
    window.requestIdleCallback = () => 0
  })
  // The test uses a new demo visitor, so that its stars do not affect other tests.
  await enterDemo(page)
  // The rows are found by project id, because more rows render a moment after the first ones.
  const unstarred = rows(page).filter({ has: page.getByRole('button', { name: /^ติดดาว/, pressed: false }) })
  await expect(unstarred.nth(1)).toBeVisible()
  const [onlineId, offlineId] = (await unstarred.allInnerTexts()).map((text) => /\d{11}/.exec(text)![0])
  const starOf = (id: string) =>
    rows(page)
      .filter({ hasText: id })
      .getByRole('button', { name: /^ติดดาว/ })
  await waitUntilStored(page, () => starOf(onlineId!).click())
  await context.setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'ไม่ได้เชื่อมต่ออินเทอร์เน็ต' })).toBeVisible()
  await starOf(offlineId!).click()
  await expect(page.getByRole('status').filter({ hasText: 'รอส่ง 1 รายการ' })).toBeVisible()
  const bothStarred = async () => {
    for (const id of [onlineId!, offlineId!]) await expect(starOf(id)).toHaveAttribute('aria-pressed', 'true')
  }
  await bothStarred()
  await waitUntilStored(page, () => context.setOffline(false))
  await expect(page.getByText('กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน')).toBeVisible()
  await expect(page.getByText('รอส่ง 1 รายการ')).toBeHidden()
  await bothStarred()
})

test('a slow response dims the previous rows, and after eight seconds the user can cancel', async ({ page }) => {
  await signIn(page, SALES)
  const before = await readProjectIds(page)
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
  expect((await readProjectIds(page))[0]).toBe(before[0])
  await page.unroute(/\/api\/v2\/projects\?[^?]*page=2/)
  await failure.getByRole('button', { name: 'ลองใหม่' }).click()
  await expect(failure).toHaveCount(0)
  await expect.poll(async () => (await readProjectIds(page))[0]).not.toBe(before[0])
})

test('while the server restarts an open tab shows one bar, sends few requests, and reloads the rows itself', async ({
  page,
}) => {
  await signIn(page, SALES)
  const before = await readProjectIds(page)
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
  const questionsBefore = questions
  // Two polls of `/readyz` take some seconds.
  for (const _ of [1, 2]) await page.waitForResponse('**/readyz')
  // Requests that were in flight at the outage may still arrive; after that only /readyz is polled.
  expect(questions - questionsBefore).toBeLessThanOrEqual(1)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect((await readProjectIds(page))[0]).toBe(before[0])
  await page.unroute(API)
  await page.unroute('**/readyz')
  await bar.getByRole('button', { name: 'ลองเดี๋ยวนี้' }).click()
  await expect(page.getByText('กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน')).toBeVisible()
  await expect.poll(async () => (await readProjectIds(page))[0]).not.toBe(before[0])
})
