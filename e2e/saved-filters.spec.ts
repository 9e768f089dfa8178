import { expect, test } from '@playwright/test'
import { waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { enterDemo, waitForProjectCount, waitForProjectCountAfter } from './sign-in.ts'

test('saves, leaves, reopens, changes, overwrites, deletes and restores a view', async ({ page }) => {
  await enterDemo(page)
  const all = await waitForProjectCount(page)
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  // The checkbox shows the state of the address, which on a busy machine changes some frames after the click.
  const tick = async (name: RegExp) => {
    const box = panel.getByRole('checkbox', { name })
    await box.click()
    await expect(box).toBeChecked()
  }
  const filtered = await waitForProjectCountAfter(page, 'no_change', () => tick(/^คงเดิม/))
  await expect(page).toHaveURL(/project_change_status__in=no_change/)
  expect(filtered).toBeLessThan(all)

  await page.getByRole('button', { name: 'บันทึกตัวกรอง' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/ชื่อ/).fill('ของเช้านี้')
  await waitUntilStored(page, () => dialog.getByRole('button', { name: 'บันทึก', exact: true }).click())
  const tabs = page.getByRole('navigation', { name: 'ตัวกรองที่บันทึก' })
  const tab = tabs.getByRole('link', { name: /ของเช้านี้/ })
  await expect(tab).toHaveAttribute('aria-current', /true|page/)
  await expect(page).toHaveURL(/saved=/)

  await tabs.getByRole('link', { name: 'ทุกงาน' }).click()
  await expect.poll(() => waitForProjectCount(page)).toBe(all)
  await tab.click()
  await expect.poll(() => waitForProjectCount(page)).toBe(filtered)

  const wider = await waitForProjectCountAfter(page, 'updated', () => tick(/^อัปเดต/))
  await expect(tab).toContainText('แก้ไขแล้ว')
  await waitUntilStored(page, () => page.getByRole('button', { name: /บันทึกทับ/ }).click())
  await expect(tab).not.toContainText('แก้ไขแล้ว')
  await page.reload()
  await expect.poll(() => waitForProjectCount(page)).toBe(wider)

  await page.getByRole('button', { name: /ตัวเลือกของตัวกรอง ของเช้านี้/ }).click()
  await page.getByRole('button', { name: 'ลบตัวกรอง' }).click()
  await expect(tab).toHaveCount(0)
  await page.getByRole('button', { name: 'เลิกทำ' }).click()
  await expect(tab).toHaveCount(1)
})

test('hidden and reordered columns survive a reload', async ({ page }) => {
  await enterDemo(page)
  const heads = () => page.getByRole('table').getByRole('columnheader').allInnerTexts()
  await chooseInReportMenu(page, /^คอลัมน์/)
  const dialog = page.getByRole('dialog', { name: 'คอลัมน์ในตาราง' })
  await dialog.getByRole('checkbox', { name: 'ราคากลาง' }).uncheck()
  await dialog.getByRole('button', { name: 'ย้าย งบประมาณ ขึ้น' }).click()
  await waitUntilStored(page, () => dialog.getByRole('button', { name: 'บันทึก', exact: true }).click())
  await expect(page.getByRole('columnheader', { name: /^ราคากลาง/ })).toHaveCount(0)
  const after = await heads()
  expect(after.indexOf('งบประมาณ')).toBeLessThan(after.indexOf('หน่วยงาน'))
  await page.reload()
  await expect(page.getByRole('columnheader', { name: /^งบประมาณ/ })).toBeVisible()
  await expect.poll(heads).toEqual(after)

  await chooseInReportMenu(page, /^คอลัมน์/)
  // The checkbox for all columns cycles through some, all and none, so the number of clicks until none depends on the
  // columns shown.
  await expect(async () => {
    await dialog.getByRole('checkbox', { name: /^ทุกคอลัมน์/ }).click()
    await expect(dialog.getByText('เลือกอย่างน้อย 1 คอลัมน์ จึงจะบันทึกได้')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(dialog.getByRole('button', { name: 'บันทึก', exact: true })).toBeDisabled()
})
