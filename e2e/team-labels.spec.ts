import { expect, test } from '@playwright/test'
import { DESK } from './axe.ts'
import { makeColleague, unique } from './own.ts'
import { stored } from './page-facts.ts'
import { logIn, MANAGER, projectIds, signIn } from './sign-in.ts'

test.use(DESK)

test('a team label arrives at a colleague without reload, is filtered by, and the filter is shared as a view of the team', async ({
  page,
  browser,
}) => {
  // A second try finds what the first one made.
  const own = unique()
  const [label, view] = [`ยื่นแน่ ${own}`, `งานที่ยื่นแน่ ${own}`]
  await signIn(page, MANAGER)
  const id = (await projectIds(page, 5))[4]!
  const rowOn = (where: typeof page) => where.locator('tr', { has: where.locator(`[data-project-link="${id}"]`) })
  const context = await browser.newContext(DESK)
  const colleague = await context.newPage()
  // Of their own: how they begin is changed here, which would take the rows away from whoever uses the account beside this test.
  const { email, password } = makeColleague('tharamek', 'member_user')
  await logIn(colleague, email, '/login', password)
  await colleague.goto('/report')
  await expect(rowOn(colleague)).toBeVisible()

  // One makes it, on a row, for the team.
  await rowOn(page).hover()
  await rowOn(page).getByRole('button', { name: /^ป้าย / }).click()
  const picker = page.getByRole('dialog', { name: 'ป้ายกำกับ' })
  await picker.getByRole('textbox').fill(label)
  await stored(page, () => picker.getByRole('button', { name: `สร้างป้ายทีม ${label}` }).click(), /\/team-labels$/)
  await expect(rowOn(page)).toContainText(`ทีม ${label}`)

  // The other sees it come: the open tab asks whether there is anything new, at the latest every twenty seconds.
  await expect(async () => {
    await colleague.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(rowOn(colleague)).toContainText(`ทีม ${label}`, { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })

  // And filters by it.
  const panel = colleague.getByRole('region', { name: 'ตัวกรองทั้งหมด' })
  await panel.getByRole('button', { name: 'ป้ายทีม' }).click()
  await panel.getByRole('checkbox', { name: label }).check()
  await expect(colleague).toHaveURL(/team_label__in=/)
  await expect(rowOn(colleague)).toBeVisible()
  await expect(colleague.getByText('พบ 1 โครงการ').first()).toBeAttached()

  // The first saves the same as a filter and shares it.
  await page.keyboard.press('Escape')
  await page.goto(`/report${new URL(colleague.url()).search}`)
  await page.getByRole('button', { name: 'บันทึกตัวกรอง' }).click()
  await page.getByRole('dialog').getByLabel(/ชื่อ/).fill(view)
  await stored(page, () => page.getByRole('dialog').getByRole('button', { name: 'บันทึก', exact: true }).click())
  await page.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await stored(page, () => page.getByRole('button', { name: 'แบ่งให้ทีม' }).click())

  // It stands among the colleague's tabs with its owner's name, and opens.
  const tab = colleague.getByRole('navigation', { name: 'ตัวกรองที่บันทึก' }).getByRole('link', { name: view })
  await expect(async () => {
    await colleague.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(tab).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  await expect(tab).toContainText('ของ ')
  await tab.click()
  await expect(colleague).toHaveURL(/saved=/)
  await colleague.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await stored(colleague, () => colleague.getByRole('button', { name: 'ใช้เป็นมุมมองเริ่มต้น' }).click(), /\/team-views$/)

  // Shared no more, the colleague is told.
  await page.getByRole('button', { name: `ตัวเลือกของตัวกรอง ${view}` }).click()
  await stored(page, () => page.getByRole('button', { name: 'เลิกแบ่งให้ทีม' }).click())
  await colleague.goto('/report')
  await expect(colleague.getByText(`มุมมองเริ่มต้น “${view}”`)).toBeVisible()
  await context.close()
})
