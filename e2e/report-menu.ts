import type { Page } from '@playwright/test'

/** Chooses an item of the report's "…" menu. */
export async function chooseInReportMenu(
  page: Page,
  name: string | RegExp,
  role: 'menuitem' | 'menuitemradio' = 'menuitem',
) {
  await page.getByRole('button', { name: 'ทำกับรายงาน' }).click()
  await page.getByRole(role, { name }).click()
}
