import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { readXlsx } from 'hucre/xlsx'
import { MANAGER, signIn } from './sign-in.ts'

test('a manager finds searches and opened projects in the log, and saves it as Excel', async ({ page }) => {
  await signIn(page, MANAGER)
  const searchRows = page.getByRole('row').filter({ hasText: 'ค้นหาในรายงาน' }).filter({ hasText: 'e-market' })
  const search = async () => {
    await page.goto('/report?project_method__in=e_market')
    await expect(page.getByText(/\d{11}/).first()).toBeVisible()
  }
  await search()
  await page.getByRole('button', { name: /^เมนูผู้ใช้/ }).click()
  await page.getByRole('link', { name: 'ประวัติการใช้งาน' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ประวัติการใช้งาน' })).toBeVisible()
  // Searches are logged in batches, some seconds later. Searches of one user within five seconds become one line, and
  // other tests search as the same user, so retry.
  await expect(async () => {
    await search()
    await expect(async () => {
      await page.goto('/logs?type=search')
      await expect(searchRows.first()).toBeVisible({ timeout: 3_000 })
    }).toPass({ timeout: 12_000 })
  }).toPass()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'ส่งออก Excel' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^USAGE_HISTORY_\d{8}\.xlsx$/)
  const { sheets } = await readXlsx(await readFile(await file.path()))
  expect(sheets[0]!.rows.some((row) => row[3] === 'ค้นหาในรายงาน' && String(row[4]).includes('e-market'))).toBe(true)
})
