import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitUntilLoaded } from './page-facts.ts'
import { MANAGER, signIn } from './sign-in.ts'

const matrix = (page: Page) => page.getByRole('table', { name: /^ชนะ–แพ้/ })

async function compareFirstPair(page: Page): Promise<void> {
  await signIn(page, MANAGER)
  await page.goto('/company-comparison')
  await page.getByRole('region', { name: 'คู่ที่พบกันบ่อย' }).getByRole('button').first().click()
  await expect(page.getByRole('heading', { name: 'สรุป' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await waitUntilLoaded(page)
}

/** Returns the figures of a cell: won, lost, gap in tenths of a percent, meetings. */
async function figuresOf(page: Page, index: number) {
  const text = await matrix(page).getByRole('button').nth(index).innerText()
  const [, won, lost] = /(?<![\d,])([\d,]+)–([\d,]+)/.exec(text)!
  const gap = /([+−]?)(?<![\d.])([\d.]+)%/.exec(text)
  const met = /พบ ([\d,]+)/.exec(text)![1]!
  const count = (figure: string | undefined) => Number(figure!.replaceAll(',', ''))
  return {
    won: count(won),
    lost: count(lost),
    gap: gap ? Math.round(Number(gap[2]) * 10) * (gap[1] === '−' ? -1 : 1) : undefined,
    met: count(met),
  }
}

test('the win matrix shows both sides, and each cell opens as many projects as it counts', async ({ page }) => {
  await compareFirstPair(page)
  const first = await figuresOf(page, 0)
  const second = await figuresOf(page, 1)
  expect(first.met).toBeGreaterThan(0)
  expect(second).toEqual({
    won: first.lost,
    lost: first.won,
    gap: first.gap === undefined || first.gap === 0 ? first.gap : -first.gap,
    met: first.met,
  })

  await matrix(page).getByRole('button').first().click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByText(`${first.met.toLocaleString('th-TH')} โครงการ`, { exact: true })).toBeVisible()
  await expect(panel.getByRole('listitem')).toHaveCount(Math.min(first.met, 50))
  await panel.getByRole('tab', { name: /^ก ชนะ/ }).click()
  await expect(panel.getByText(`${first.won.toLocaleString('th-TH')} โครงการ`, { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/rows=a_won/)
  await page.goBack()
  await expect(panel).toHaveCount(0)
  await expect(matrix(page)).toBeVisible()

  const prices = page.getByRole('region', { name: 'ราคาที่เสนอเทียบราคากลาง' })
  await prices.getByRole('button', { name: 'แสดงราคาที่เสนอเทียบราคากลางเป็นตาราง' }).click()
  await expect(prices.getByRole('table')).toBeVisible()

  const address = new URL(page.url())
  const names = address.searchParams.get('project_winner_name__in')!
  await page.goto(
    `/company-comparison?${new URLSearchParams({ project_winner_name__in: `${names}||บริษัทที่ไม่มีจริงแน่นอน` })}`,
  )
  await expect(page.getByText(/ไม่พบบริษัทชื่อ “บริษัทที่ไม่มีจริงแน่นอน”/)).toBeVisible()
  await page.getByRole('button', { name: 'เอา บริษัทที่ไม่มีจริงแน่นอน ออก' }).click()
  await expect(page.getByText(/ไม่พบบริษัทชื่อ/)).toHaveCount(0)
  await page.goBack()
  await expect(page.getByText(/ไม่พบบริษัทชื่อ “บริษัทที่ไม่มีจริงแน่นอน”/)).toBeVisible()
})

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('every part has its tab, the page does not scroll sideways, and Back opens the previous tab', async ({
    page,
  }) => {
    await compareFirstPair(page)
    for (const name of ['โครงการที่พบกัน', 'ราคา', 'หน่วยงาน', 'ลักษณะงาน', 'เส้นเวลา', 'สรุป'])
      await test.step(name, async () => {
        await page.getByRole('tablist', { name: 'ส่วนของการเปรียบเทียบ' }).getByRole('tab', { name, exact: true }).tap()
        await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible()
        await waitUntilLoaded(page)
        await expectNoSidewaysScroll(page)
      })
    await page.goBack()
    await expect(page.getByRole('tab', { name: 'เส้นเวลา' })).toHaveAttribute('aria-selected', 'true')
  })
})
