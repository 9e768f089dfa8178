import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitTwoFrames, waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { findSmallTargets } from './screen-fit.ts'
import { enterDemo, signIn, waitForProjectCount } from './sign-in.ts'

/**
 * Two users of an organisation that no other test file uses. Parallel tests use different users, because hiding a card
 * would affect the other test.
 */
const BUYER = 'bid@noensai.example'
const LOOKER = 'manager@noensai.example'

const PHONE = { width: 390, height: 844 }
const SMALLEST = { width: 320, height: 640 }

test.use({ viewport: PHONE, hasTouch: true, isMobile: true })

const cards = (page: Page) => page.getByRole('list', { name: 'โครงการ', exact: true }).getByRole('listitem')
const starOf = (card: Locator) => card.getByRole('button', { name: /^ติดดาว/ })
const idOf = async (card: Locator) => (await card.getAttribute('data-project-id'))!
const cardOf = (page: Page, id: string) => page.locator(`li[data-project-id="${id}"]`)

async function openReport(page: Page, email: string, address?: string): Promise<void> {
  await signIn(page, email, address)
  await expect(cards(page).first()).toBeVisible()
}

/** Swipes the card sideways step by step; with `back` the finger returns before it is lifted. */
async function swipe(page: Page, card: Locator, dx: number, { back = false } = {}): Promise<void> {
  await card.scrollIntoViewIfNeeded()
  const box = (await card.boundingBox())!
  const [x, y] = [box.x + (dx > 0 ? 70 : box.width - 70), box.y + 90]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: x + at, y }] })
  await touch('touchStart', 0)
  for (let step = 1; step <= 12; step += 1) await touch('touchMove', (dx * step) / 12)
  if (back) for (let step = 11; step >= 0; step -= 1) await touch('touchMove', (dx * step) / 12)
  await touch('touchEnd', 0)
  await session.detach()
}

const openDrawer = async (page: Page) => {
  await page.getByRole('button', { name: 'เมนู', exact: true }).tap()
  const drawer = page.getByRole('dialog', { name: 'ตามงาน' })
  await expect(drawer).toBeVisible()
  return drawer
}
const openFilters = async (page: Page) => {
  await page.getByRole('button', { name: /^กรอง/ }).tap()
  const sheet = page.getByRole('dialog', { name: 'ตัวกรอง' })
  await expect(sheet.getByRole('checkbox').first()).toBeVisible()
  return sheet
}

test('a morning on the phone: drawer, tab, filter, star, and the star is there the next time', async ({ page }) => {
  await openReport(page, BUYER)
  await expect(async () => {
    expect((await cards(page).first().boundingBox())!.y).toBeLessThanOrEqual(260)
    const second = (await cards(page).nth(1).boundingBox())!
    expect(second.y + second.height).toBeLessThanOrEqual(PHONE.height)
  }).toPass()
  const all = await waitForProjectCount(page)

  const drawer = await openDrawer(page)
  await drawer.getByRole('link', { name: /รายงาน/ }).tap()
  await expect(drawer).toHaveCount(0)

  await page.getByRole('tab', { name: 'ส่งมอบแล้ว' }).tap()
  await expect(page).toHaveURL(/is_archived=true/)
  await expect.poll(() => waitForProjectCount(page)).not.toBe(all)
  await page.getByRole('tab', { name: 'ทั้งหมด' }).tap()
  await expect.poll(() => waitForProjectCount(page)).toBe(all)

  const sheet = await openFilters(page)

  const show = sheet.getByRole('button', { name: /^แสดง [\d,]+ โครงการ$/ })
  await sheet.getByRole('checkbox', { name: /^คงเดิม/ }).tap()
  await expect(page).toHaveURL(/project_change_status__in=no_change/)
  // Polls the number on the button and the number of projects, because the address changes a moment before the rows.
  const shownInSheet = async () => Number((await show.textContent())!.replace(/\D/g, ''))
  const isShown = async () => {
    const projectCount = await waitForProjectCount(page)
    return projectCount < all && (await shownInSheet()) === projectCount
  }
  await expect.poll(isShown).toBe(true)
  await show.tap()
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^กรอง ?1 ตัวกรองที่ใช้อยู่/ })).toBeVisible()

  const card = cards(page)
    .filter({ has: page.locator('[aria-pressed="false"]') })
    .first()
  const id = await idOf(card)
  await waitUntilStored(page, () => starOf(cardOf(page, id)).tap())
  await expect(starOf(cardOf(page, id))).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(starOf(cardOf(page, id))).toHaveAttribute('aria-pressed', 'true')
})

test('a swipe right stars, a swipe left hides with undo, and a swipe back does nothing', async ({ page }) => {
  // The test uses a new demo visitor, so that hiding projects does not affect other tests.
  await enterDemo(page)
  await expect(cards(page).first()).toBeVisible()
  const id = await idOf(
    cards(page)
      .filter({ has: page.locator('[aria-pressed="false"]') })
      .first(),
  )
  const card = cardOf(page, id)
  await swipe(page, card, 200, { back: true })
  await expect(starOf(card)).toHaveAttribute('aria-pressed', 'false')
  await swipe(page, card, 200)
  await expect(starOf(card)).toHaveAttribute('aria-pressed', 'true')

  await swipe(page, card, -200)
  await expect(card).toHaveCount(0)
  const toast = page.getByRole('status').filter({ hasText: 'ซ่อน 1 โครงการแล้ว' })
  // The tap is retried, because emulated touch occasionally drops a tap a tenth of a second after a swipe. No user taps
  // that fast.
  await expect(async () => {
    if ((await toast.count()) > 0) await toast.getByRole('button', { name: 'เลิกทำ' }).tap()
    await expect(card).toBeVisible({ timeout: 1500 })
  }).toPass({ timeout: 9000 })
  // Waits for both responses, the one without the card and the one with it, because the card may flicker until then.
  await waitUntilLoaded(page)
  await swipe(page, card, 200)
  await expect(starOf(card)).toHaveAttribute('aria-pressed', 'false')
})

test('overlays restore focus: the card menu on Esc, the 270 px drawer on Esc and on a tap outside', async ({
  page,
}) => {
  await openReport(page, LOOKER)
  const more = page.getByRole('button', { name: `เพิ่มเติม ${await idOf(cards(page).nth(1))}` })
  await more.tap()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  const drawer = await openDrawer(page)
  // Waits until the drawer has slid in, because a drawer that is still moving cannot be closed with a tap.
  const expectDrawerSettled = () =>
    expect.poll(() => drawer.locator('[data-modal-panel]').boundingBox()).toMatchObject({ x: 0, width: 270 })
  await expectDrawerSettled()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'เมนู', exact: true })).toBeFocused()
  await openDrawer(page)
  await expectDrawerSettled()
  await page.touchscreen.tap(360, 500)
  await expect(drawer).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'เมนู', exact: true })).toBeFocused()
})

test('the bottom bar leads to งานของเรา and its tabs, covers no content, and makes room for the decision about a project', async ({
  page,
}) => {
  await openReport(page, LOOKER)
  const bar = page.getByRole('navigation', { name: 'เมนูลัด' })
  await expect(bar.getByRole('link', { name: 'รายงาน', exact: true })).toHaveAttribute('aria-current', 'page')
  const barTop = (await bar.boundingBox())!.y
  const end = page.getByRole('main').locator('> *').last()
  await expect
    .poll(async () => {
      // Cards get their real height as they come into view, which moves the end.
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      const box = (await end.boundingBox())!
      return box.y + box.height
    })
    .toBeLessThanOrEqual(barTop)

  await bar.getByRole('link', { name: 'งานของเรา' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: 'บอร์ด' })).toBeVisible()
  const tabs = page.getByRole('navigation', { name: 'งานของเรา' })
  await tabs.getByRole('link', { name: 'ติดดาว' }).tap()
  await expect(page).toHaveURL(/project_bookmark=true/)
  await expect(bar.getByRole('link', { name: 'งานของเรา' })).toHaveAttribute('aria-current', 'page')
  await expect(tabs.getByRole('link', { name: 'ติดดาว' })).toHaveAttribute('aria-current', 'page')

  await page.goto('/report')
  await cards(page).first().getByRole('link').first().tap()
  await expect(page.getByRole('group', { name: 'ตัดสินใจเรื่องนี้' })).toBeVisible()
  await expect(bar).toBeHidden()
})

/** A report that shows everything that can appear above the cards at once: chips, a notice, two tabs and the pager. */
const CROWDED =
  '/report?project_status__in=in_progress&project_budget__range=500000,90000000&project_label__in=none&colour=line&project_criteria_for_consideration=sold'

/** Opens each screen and each overlay in turn and calls `visit` for each. */
async function walk(page: Page, visit: (what: string) => Promise<void>): Promise<void> {
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
  await visit('login')
  await openReport(page, LOOKER, CROWDED)
  await visit('crowded')
  await page
    .getByRole('button', { name: /^เพิ่มเติม/ })
    .first()
    .tap()
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await visit('menu of a card')
  await page.keyboard.press('Escape')
  const sheet = await openFilters(page)
  await sheet.getByRole('button', { name: /^ตัวกรองเพิ่มเติม/ }).tap()
  const closed = sheet.locator('h3 button[aria-expanded="false"]')
  for (let left = await closed.count(); left > 0; left -= 1) {
    await closed.first().tap()
    await expect(closed).toHaveCount(left - 1)
  }
  await visit('filters')
  await page.keyboard.press('Escape')
  await openDrawer(page)
  await visit('drawer')
  await page.keyboard.press('Escape')
}

test('nothing scrolls sideways at 320 px, text at 100% and at 200%', async ({ page }) => {
  await page.setViewportSize(SMALLEST)
  const still = async (what: string) => {
    for (const size of ['100%', '200%']) {
      await page.evaluate((text) => {
        document.documentElement.style.fontSize = text
      }, size)
      await expectNoSidewaysScroll(page, `${what}, text at ${size}`)
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = ''
    })
  }
  await walk(page, still)
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect(page.getByRole('button', { name: 'เลื่อนกลับขึ้นบน' })).toBeVisible()
  // A trial click fails if another element covers the button.
  await page
    .getByRole('navigation', { name: 'หน้าของรายงาน' })
    .getByRole('button', { name: 'ถัดไป' })
    .click({ trial: true, timeout: 10_000 })
  await still('end of the page, with the pager')
  await page.goto('/report?project_budget__range=1,2')
  await expect(page.getByText('ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้')).toBeVisible()
  await still('empty')
  await page.route(/\/projects(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', request_id: 'a-long-request-id-0123456789' } }),
  )
  await page.goto('/report')
  await expect(
    page
      .getByRole('main')
      .getByText(/ไม่สำเร็จ/)
      .first(),
  ).toBeVisible()
  await still('error')
})

test('every target is at least 44 px under a finger', async ({ page }) => {
  // The check is retried, because overlays are smaller while they animate in.
  await walk(page, (what) =>
    expect
      .configure({ soft: true })
      .poll(() => findSmallTargets(page), what)
      .toEqual([]),
  )
})

test('the layout does not shift while the first cards load over a slow connection', async ({ page }) => {
  await openReport(page, LOOKER)
  // The rows are requested before the code has loaded; their response is delayed until the card skeletons are visible.
  const seen = Promise.withResolvers<void>()
  await page.route(/\/projects(\?|\/|$)/, async (route) => {
    await seen.promise
    await route.continue()
  })
  await page.addInitScript(() => {
    const noted = { shift: 0 }
    Object.assign(window, { noted })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.reload()
  await expect(page.getByText('กำลังโหลดโครงการ')).toBeAttached()
  // Everything except the rows is loaded; anything that appears above the cards later would shift them.
  await expect(page.getByRole('button', { name: 'เมนู', exact: true })).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  await waitTwoFrames(page)
  seen.resolve()
  await expect(cards(page).first()).toBeVisible()
  await waitUntilLoaded(page)
  // The browser reports a layout shift after the frame in which it happened.
  await waitTwoFrames(page)
  const shift = await page.evaluate(() => (window as unknown as { noted: { shift: number } }).noted.shift)
  // "Good" is below 0.1; a line of text that appears above the cards already costs 0.02.
  expect(shift).toBeLessThan(0.02)
})
