import { expect, type Page, test } from '@playwright/test'
import { waitUntilLoaded } from './page-facts.ts'
import { MANAGER, signIn } from './sign-in.ts'

const figure = (text: string | null) => Number((text ?? '').replace(/\D/g, ''))

async function openFirst(page: Page): Promise<string> {
  await page.goto('/companies')
  const link = page.locator('main a[href^="/companies/"]').first()
  await expect(link).toBeVisible()
  await waitUntilLoaded(page)
  const name = (await link.innerText()).trim()
  // The link is found by name, because a reloaded list may show another company first.
  await page.locator('main').getByRole('link', { name, exact: true }).first().click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  return name
}

test('opens a company from the list and exactly the projects of a department bar; Back undoes it', async ({ page }) => {
  await signIn(page, MANAGER)
  const name = await openFirst(page)
  await expect(page).toHaveTitle(`${name} · ตามงาน`)
  const wins = page.getByRole('article', { name: 'งานที่ชนะ' })
  await expect(wins).toBeVisible()
  await waitUntilLoaded(page)

  const bar = page.getByRole('list', { name: 'มูลค่างานที่ชนะตามหน่วยงาน' }).getByRole('button').first()
  const projectCount = figure(/(?<![\d,])([\d,]+) งาน/.exec(await bar.innerText())![1]!)
  await bar.press('Enter')
  await expect(page).toHaveURL(/rows=department/)
  await expect(page.getByRole('heading', { level: 2, name: /^โครงการ/ })).toBeFocused()
  const countText = page.getByText(/^พบ [\d,]+ โครงการ/)
  await expect(countText).toHaveText(new RegExp(`^พบ ${projectCount.toLocaleString('th-TH')} โครงการ`))
  const table = page.getByRole('table', { name: new RegExp(`${projectCount.toLocaleString('th-TH')} โครงการ$`) })
  await expect(table.locator('tbody tr')).toHaveCount(Math.min(projectCount, 20))
  const projects = page.getByRole('region', { name: /^โครงการ/ })
  for (let drawn = 20; drawn < Math.min(projectCount, 50); drawn += 20)
    await projects.getByRole('button', { name: /^แสดงอีก \d/ }).click()
  await expect(table.locator('tbody tr')).toHaveCount(Math.min(projectCount, 50))
  await page.goBack()
  await expect(page).not.toHaveURL(/rows=/)
  await expect(countText).not.toHaveText(new RegExp(`^พบ ${projectCount} โครงการ`))

  await wins.getByRole('button', { name: 'ดูโครงการ ของงานที่ชนะ' }).click()
  const all = figure(/^งานที่ชนะ\s*([\d,]+)/.exec(await wins.innerText())![1]!)
  await expect(countText).toHaveText(new RegExp(`^พบ ${all.toLocaleString('th-TH')} โครงการ`))
  await page.getByRole('button', { name: 'แสดงวิธีจัดหาเป็นตาราง' }).click()
  const twin = page.getByRole('table', { name: 'งานที่ชนะตามวิธีจัดหา' })
  await expect(twin).toBeVisible()
  const counts = await twin
    .locator('tbody tr td:nth-child(2)')
    .evaluateAll((cells) =>
      cells.map((cell) => cell.querySelector('button')?.firstChild?.textContent ?? cell.textContent),
    )
  expect(counts.reduce((sum, count) => sum + figure(count), 0)).toBe(all)
})

test('redirects another spelling to the canonical address and searches for an unknown name', async ({ page }) => {
  await signIn(page, MANAGER)
  const name = await openFirst(page)
  const address = new URL(page.url())
  await page.goto(`/companies/${encodeURIComponent(`  ${name} `)}?year_from=2568`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveURL(`${address.origin}${address.pathname}?year_from=2568`)
  await page.goto('/companies/ไม่มี/บริษัทนี้')
  await expect(page.getByRole('heading', { level: 1, name: 'ไม่พบบริษัทนี้' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'ค้นหาบริษัท' })).toHaveValue('ไม่มี/บริษัทนี้')
})
