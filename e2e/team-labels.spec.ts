import { expect, test } from '@playwright/test'
import { DESKTOP } from './axe.ts'
import { createColleague, createUniqueText } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { logIn, MANAGER, readProjectIds, signIn } from './sign-in.ts'

test.use(DESKTOP)

test('a team label reaches a colleague without reload, works as a filter, and the filter is shared as a team view', async ({
  page,
  browser,
}) => {
  // The name is unique, because a retry finds the labels of the first try.
  const suffix = createUniqueText()
  const [label, view] = [`ยื่นแน่ ${suffix}`, `งานที่ยื่นแน่ ${suffix}`]
  await signIn(page, MANAGER)
  const id = (await readProjectIds(page, 5))[4]!
  const rowOn = (where: typeof page) => where.locator('tr', { has: where.locator(`[data-project-link="${id}"]`) })
  const context = await browser.newContext(DESKTOP)
  const colleague = await context.newPage()
  // New accounts: this test changes their start view, which would remove the rows of parallel tests on a shared
  // account.
  const { email, password } = createColleague('tharamek', 'member_user')
  await logIn(colleague, email, '/login', password)
  await colleague.goto('/report')
  await expect(rowOn(colleague)).toBeVisible()

  await rowOn(page).hover()
  await rowOn(page).getByRole('button', { name: /^ป้าย / }).click()
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  await picker.getByRole('textbox').fill(label)
  await waitUntilStored(
    page,
    () => picker.getByRole('button', { name: `สร้างป้ายทีม ${label}` }).click(),
    /\/team-labels$/,
  )
  await expect(rowOn(page)).toContainText(`ทีม ${label}`)

  // The open tab polls for changes at least every twenty seconds.
  await expect(async () => {
    await colleague.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(rowOn(colleague)).toContainText(`ทีม ${label}`, { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })

  const panel = colleague.getByRole('region', { name: 'ตัวกรองทั้งหมด' })
  await panel.getByRole('button', { name: /^ตัวกรองเพิ่มเติม/ }).click()
  await panel.getByRole('button', { name: 'ป้ายทีม' }).click()
  await panel.getByRole('checkbox', { name: label }).check()
  await expect(colleague).toHaveURL(/team_label__in=/)
  await expect(rowOn(colleague)).toBeVisible()
  await expect(colleague.getByText('พบ 1 โครงการ').first()).toBeAttached()

  await page.keyboard.press('Escape')
  await page.goto(`/report${new URL(colleague.url()).search}`)
  await page.getByRole('button', { name: 'บันทึกตัวกรอง' }).click()
  await page.getByRole('dialog').getByLabel(/ชื่อ/).fill(view)
  await waitUntilStored(page, () => page.getByRole('dialog').getByRole('button', { name: 'บันทึก', exact: true }).click())
  await page.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await waitUntilStored(page, () => page.getByRole('button', { name: 'แบ่งให้ทีม' }).click())

  const tab = colleague.getByRole('navigation', { name: 'ตัวกรองที่บันทึก' }).getByRole('link', { name: view })
  await expect(async () => {
    await colleague.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(tab).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await expect(tab).toContainText('ของ ')
  await tab.click()
  await expect(colleague).toHaveURL(/saved=/)
  await colleague.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await waitUntilStored(
    colleague,
    () => colleague.getByRole('button', { name: 'ใช้เป็นมุมมองเริ่มต้น' }).click(),
    /\/team-views$/,
  )

  await page.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await waitUntilStored(page, () => page.getByRole('button', { name: 'เลิกแบ่งให้ทีม' }).click())
  await colleague.goto('/report')
  await expect(colleague.getByText(`มุมมองเริ่มต้น “${view}”`)).toBeVisible()
  await context.close()
})
