import { expect, type Page, type Route, test } from '@playwright/test'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { screensOf } from './every-screen.ts'
import { waitUntilLoaded } from './page-facts.ts'
import { MANAGER, readProjectIds, signIn } from './sign-in.ts'

/** The session context, without which no screen opens at all. */
const SESSION = /\/api\/v2\/(users|organisations)\/me(\/pulse)?$/

/** Screens without a request of their own, or whose request only adds an example. */
const WITHOUT_MAIN_REQUEST = ['/settings?tab=me&part=display', '/group-watch', '/nowhere']
/** Other filters, tabs and dialogs of a screen repeat its main request. */
const REPEATS = /^\/report\?project_|^\/report#|^\/report\?is_|^\/report\/\d+\?|view=week|view=agenda|^\/report\/1{11}$/

const REASON = 'ทำรายการถี่เกินไป'

async function openWithFailures(
  page: Page,
  answer: (route: Route) => Promise<void>,
  check: (address: string) => unknown,
) {
  await signIn(page, MANAGER)
  const [project] = (await readProjectIds(page)) as [string]
  await page.route(/\/api\/v2\//, (route) => {
    const isSession = SESSION.test(new URL(route.request().url()).pathname)
    return isSession || route.request().method() !== 'GET' ? route.continue() : answer(route)
  })
  const addresses = screensOf({ project, company: 'บริษัท ก จำกัด', agency: 'กรมโยธาธิการและผังเมือง' })
  for (const address of addresses) {
    if (WITHOUT_MAIN_REQUEST.includes(address) || REPEATS.test(address)) continue
    await test.step(address, async () => {
      await page.goto('about:blank')
      await page.goto(address)
      await expect.soft(page.locator('h1').first(), address).toBeAttached()
      await check(address)
    })
  }
}

test('every screen whose requests fail shows why, with a retry, and no endless placeholder', async ({ page }) => {
  await openWithFailures(
    page,
    // The app repeats a 500 for some seconds (faults.spec.ts) and a 429 without `retry-after` never.
    (route) => route.fulfill({ status: 429, json: { non_field_errors: [REASON] } }),
    async (address) => {
      const alert = page.getByRole('alert').filter({ hasText: REASON, visible: true }).first()
      await expect.soft(alert, address).toContainText('ไม่สำเร็จ')
      await expect.soft(alert.getByRole('button', { name: 'ลองใหม่' }), address).toBeVisible()
      await waitUntilLoaded(page)
    },
  )
})

test('every screen that the account may not use says so, without a retry that cannot help', async ({ page }) => {
  await openWithFailures(
    page,
    (route) =>
      route.fulfill({ status: 403, json: { code: 'forbidden', non_field_errors: [API_PROBLEM_TEXTS.forbidden] } }),
    async (address) => {
      await waitUntilLoaded(page)
      const main = page.getByRole('main')
      await expect
        .soft(main.getByText(/ไม่มีสิทธิ์|ยังไม่(ได้)?เปิด|สำหรับผู้ดูแล|ไม่มี(บอร์ด|ผลงาน)ของทีม/).first(), address)
        .toBeVisible()
      await expect.soft(main.getByRole('button', { name: 'ลองใหม่' }), address).toHaveCount(0)
    },
  )
})
