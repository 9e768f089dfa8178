import { expect, type Page, test } from '@playwright/test'
import { claimProject } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { MANAGER, signIn, waitForProjectCount } from './sign-in.ts'

const SEARCH = new URLSearchParams({ project_budget__range: '180000.01,320000000', ordering: '-project_budget' })

/** Returns the texts that would be printed although they are outside the printable sheet. */
const besideTheSheet = (page: Page) =>
  page.evaluate(() => {
    const sheet = [...document.querySelectorAll('h1')].find((title) => title.checkVisibility())?.parentElement
    return [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => sheet && !sheet.contains(element) && !element.contains(sheet))
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.getBoundingClientRect().height > 1 && element.getBoundingClientRect().width > 1)
      .map((element) => element.outerHTML.slice(0, 120))
  })

test('the printed report shows the filter in words and every row with its full name, without screen overlays', async ({
  page,
}) => {
  const names: string[] = []
  page.on('response', async (answer) => {
    if (!/\/api\/v2\/projects\?/.test(answer.url()) || !answer.ok()) return
    const { results } = (await answer.json()) as { results: { name: string }[] }
    names.splice(0, names.length, ...results.map(({ name }) => name))
  })
  await signIn(page, MANAGER, `/report?${SEARCH}`)
  const total = await waitForProjectCount(page)
  expect(total).toBeGreaterThan(50)
  await page.locator('main tr[data-index="1"] [data-project-link]').click()
  await expect(page.getByRole('complementary', { name: 'ดูย่อโครงการ' })).toBeVisible()

  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('ตัวกรอง: งบประมาณ เกิน 180,000 ถึง 320 ล้าน')).toBeVisible()
  await expect.poll(() => besideTheSheet(page)).toEqual([])
  const rows = page.getByRole('row').filter({ hasText: /\d{11}/ })
  await expect(rows).toHaveCount(50)
  const printed = await rows.evaluateAll((all) =>
    all.map((row) => {
      const cells = [...row.querySelectorAll('td')]
      return {
        name: (cells[1]!.firstChild?.textContent ?? '').trim(),
        cut: cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
      }
    }),
  )
  await expect.poll(() => names).toEqual(printed.map(({ name }) => name))
  expect(printed.flatMap(({ cut }) => cut)).toEqual([])

  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const pages = sheets.match(/\/Type\s*\/Page\b/g) ?? []
  // Fifty rows of up to three lines need three to ten pages of landscape A4.
  expect(pages.length).toBeGreaterThanOrEqual(3)
  expect(pages.length).toBeLessThanOrEqual(10)
  const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(sheets) ?? []
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([842, 595])

  await page.emulateMedia({ media: 'screen' })
  await expect(page.getByRole('complementary', { name: 'ดูย่อโครงการ' })).toBeVisible()
})

test('the results fit on one A4 sheet with every figure and without buttons', async ({ page }) => {
  await signIn(page, MANAGER)
  await page.goto(`/report/${await claimProject(page)}`)
  const block = page.getByRole('region', { name: 'งานของเรา' })
  await waitUntilStored(page, () => block.getByRole('button', { name: 'ยื่น', exact: true }).click(), /\/pursuits\/\d+$/)
  await page.goto('/results')
  await expect(page.getByRole('tabpanel', { name: 'ตามผู้ดูแล' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: 'ผลงาน' })).toBeVisible()
  await expect(page.getByText(/^นับงานที่ทีมเริ่มทำ .* พิมพ์/)).toBeVisible()
  await expect(page.getByRole('button', { name: /พิมพ์|ส่งออก|ช่วงเวลา/ })).toHaveCount(0)
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(sheets) ?? []
  expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([842, 595])
})

test('who-wins fits on one landscape A4 sheet: question, three figures, ranking, prices, map, date and source', async ({
  page,
}) => {
  await signIn(page, MANAGER)
  await page.goto('/report?view=who_wins&market=true')
  // On a busy machine the server answers 503 until it has counted the market, and the page retries by itself.
  await expect(page.getByRole('heading', { name: 'อันดับผู้ชนะ', exact: true })).toBeVisible({ timeout: 75_000 })
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'ใครชนะ', exact: true })).toBeVisible()
  await expect(page.getByText(/^ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ/)).toBeVisible()
  await expect.poll(() => besideTheSheet(page)).toEqual([])
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})
