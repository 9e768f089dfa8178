import { expect, test } from '@playwright/test'
import { PHONE } from './axe.ts'
import { drawn, screensOf, signInWithAll, WIDE } from './every-screen.ts'
import { findMisfits, findScrollFailures, findSmallTargets } from './screen-fit.ts'

/**
 * Every screen at every window size, for an account with all kinds of data. Each screen is loaded once and then
 * resized.
 */

const DESKS = [WIDE, { width: 1366, height: 768 }, { width: 1280, height: 720 }, { width: 1024, height: 768 }] as const

test('fits 1440, 1366, 1280 and 1024 px: no sideways scroll, no clipped control, no document taller than the app', async ({
  page,
}) => {
  test.setTimeout(420_000)
  const world = await signInWithAll(page)
  for (const address of screensOf(world)) {
    await test.step(address, async () => {
      await page.goto(address)
      await drawn(page)
      for (const size of DESKS) {
        await page.setViewportSize(size)
        const at = `${address} at ${size.width} px`
        // The layout follows a resize one or two frames later, so the check polls.
        await expect.soft.poll(() => findMisfits(page), at).toEqual([])
        // The row of tabs scrolls without a visible scrollbar, so it must fit, or the last tab would be hidden.
        // Not by `evaluate`, which would wait for a row that a dialog has just hidden.
        const overflows = await page
          .getByRole('tablist', { name: 'การยื่นข้อเสนอ' })
          .evaluateAll((rows) => rows.map((row) => row.scrollWidth - row.clientWidth).filter((px) => px > 0))
        expect.soft(overflows, `${at}: segments`).toEqual([])
        if (size.width === 1440 || size.width === 1280)
          expect.soft(await findScrollFailures(page), `${at}, scrolled to the end`).toEqual([])
      }
    })
  }
  // Three words do not fit into the unfocused search box, which then shows how many words are hidden.
  await page.setViewportSize(DESKS[2])
  const words = ['ก่อสร้างถนนคอนกรีตเสริมเหล็ก', 'ปรับปรุงระบบประปา', 'กล้องวงจรปิด']
  await page.goto(`/report?project_name__in=${encodeURIComponent(words.join('||'))}`)
  await drawn(page)
  const search = page.getByRole('search')
  await expect(search.getByText(/^\+[12]$/)).toBeVisible()
  await search.getByRole('textbox').focus()
  for (const word of words) await expect(search.getByText(word, { exact: true })).toBeInViewport({ ratio: 1 })
  // A list opens below its button, aligned to its right edge in the right half of the window (specification section 9).
  // The search box is open then, with its button in the left half.
  for (const [address, name, edge] of [
    ['/report', /^ค้นใน/, 'left'],
    [`/report/${world.project}`, /^ขั้น/, 'right'],
  ] as const) {
    await page.goto(address)
    await drawn(page)
    // The idle search box shows the list of its fields only on focus.
    if (address === '/report') await page.getByRole('search').getByRole('textbox').focus()
    const button = page.getByRole('button', { name }).first()
    await button.click()
    const options = page.getByRole('listbox', { name })
    await expect(options).toBeVisible()
    const edgeOf = (locator: typeof button) =>
      locator.evaluate((element, side) => Math.round(element.getBoundingClientRect()[side]), edge)
    await expect.poll(async () => (await edgeOf(options)) - (await edgeOf(button)), `${name}`).toBe(0)
    await page.keyboard.press('Escape')
  }
  await page.goto('/report')
  await drawn(page)
  for (const size of DESKS) {
    await page.setViewportSize(size)
    for (const name of [/^เมนูผู้ใช้/, /การแจ้งเตือน/]) {
      const button = page.getByRole('banner').getByRole('button', { name }).first()
      await button.click()
      await expect(page.getByRole('dialog').or(page.getByRole('menu')).first()).toBeVisible()
      expect.soft(await findMisfits(page), `${name} at ${size.width} px`).toEqual([])
      await page.keyboard.press('Escape')
    }
  }
})

test.describe('phone', () => {
  test.use(PHONE)

  test('fits 390 px, has targets for fingers and shows the project decision without scrolling', async ({ page }) => {
    test.setTimeout(240_000)
    const world = await signInWithAll(page)
    await page.setViewportSize(PHONE.viewport)
    for (const address of screensOf(world)) {
      await test.step(address, async () => {
        await page.goto(address)
        await drawn(page)
        await expect.soft.poll(() => findMisfits(page), address).toEqual([])
        expect
          .soft(await findSmallTargets(page, { minPx: 40, allowsInlineLinks: true }), `${address}, small targets`)
          .toEqual([])
        expect.soft(await findScrollFailures(page), `${address}, scrolled to the end`).toEqual([])
      })
    }
    await page.goto(`/report/${world.project}`)
    for (const name of ['ยื่น', 'ไม่ยื่น'])
      await expect(
        page.getByRole('group', { name: 'ตัดสินใจเรื่องนี้' }).getByRole('button', { name, exact: true }),
      ).toBeInViewport({ ratio: 1 })
  })
})
