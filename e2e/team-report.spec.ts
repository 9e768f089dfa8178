import { expect, test } from '@playwright/test'
import { DESKTOP } from './axe.ts'
import { claimProject } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { MANAGER, signIn } from './sign-in.ts'

test.use(DESKTOP)

const PURSUIT = /\/pursuits\/\d+$/

test('filters the report by stage and owner, shows both in the row, and links to the filtered board and back', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  const id = await claimProject(page)
  await page.goto(`/report/${id}`)
  const block = page.getByRole('region', { name: 'งานของเรา' })
  await block.getByRole('button', { name: /^ขั้น/ }).click()
  await waitUntilStored(page, () => page.getByRole('option', { name: 'รอราคา' }).click(), PURSUIT)
  await block.getByRole('button', { name: /^ผู้ดูแล/ }).click()
  await waitUntilStored(page, () => page.getByRole('option').nth(1).click(), PURSUIT)

  await page.goto('/report')
  const panel = page.getByRole('region', { name: 'ตัวกรองทั้งหมด' })
  await panel.getByRole('button', { name: /^ตัวกรองเพิ่มเติม/ }).click()
  await panel.getByRole('button', { name: 'งานของทีม' }).click()
  await panel.getByRole('checkbox', { name: /รอราคา/ }).check()
  await expect(page).toHaveURL(/pursuit_stage__in=pricing/)
  const row = page.locator('tr', { has: page.locator(`[data-project-link="${id}"]`) })
  await expect(row).toContainText('รอราคา')
  await expect(page.getByRole('list', { name: 'ตัวกรองที่ใช้อยู่' })).toContainText('รอราคา')

  await chooseInReportMenu(page, 'บอร์ดของตัวกรองนี้')
  await expect(page).toHaveURL(/\/board\?pursuit_stage__in=pricing/)
  await expect(page.locator(`[data-column="pricing"] [data-card="${id}"]`)).toBeVisible()
  await expect(page.getByRole('list', { name: 'ตัวกรองจากรายงาน' })).toContainText('รอราคา')
  await page.getByRole('link', { name: 'ดูเป็นตาราง' }).click()
  await expect(page).toHaveURL(/\/report\?pursuit_stage__in=pricing/)
})
