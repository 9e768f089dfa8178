import { expect, test } from '@playwright/test'
import type { Coverage, CoverageFigures, CoverageMisses } from '#contract/catalogue/coverage.ts'
import { checkAccessibility, createPageOpener, DESKTOP, PHONE } from './axe.ts'
import { MANAGER, signIn } from './sign-in.ts'

const FIGURES: CoverageFigures = {
  ...{ counted: 1_205, had: 1_200, by_first_morning: 1_190, by_second_morning: 1_199 },
  unknown_agencies: 3,
}
const SERIES: Coverage['all'] = {
  agencies: 7_869,
  days: [
    { day: '2026-11-23', ...FIGURES, night: { outcome: 'complete', unreadable: 2, timeouts: 4 } },
    { day: '2026-11-22', ...FIGURES, counted: null, night: { outcome: 'refused', unreadable: 0, timeouts: 0 } },
  ],
  months: [{ from: '2026-11-01', to: '2026-11-23', ...FIGURES, nights: 23, failed_nights: 1 }],
}
const COVERAGE: Coverage = {
  ...{ state: 'on', checked_at: '2026-11-24T02:00:00Z', first_night: '2026-10-26', counts_since: '2026-10-26' },
  ...{ all: SERIES, followed: { agencies: 0, days: [], months: [] } },
  groups: [{ kind: 'local', province: 'พระนครศรีอยุธยา', agencies: 158, days: FIGURES, months: FIGURES }],
  reach: [
    { kind: 'local', digits: 7, agencies: 7_850, is_queried: true, answered: 7_801, listed: 4_310, probe: null },
    {
      ...{ kind: 'local', digits: 9, agencies: 31, is_queried: false, answered: 0, listed: 0 },
      probe: { on: '2026-11-23', outcome: 'silent' },
    },
  ],
}
const MISSES: CoverageMisses = {
  ...{ day: '2026-11-23', total: 1, unknown_total: 1 },
  items: [
    {
      ...{ project_id: '69119000001', title: 'ประกวดราคาซื้อกล้องโทรทัศน์วงจรปิดชนิดเครือข่าย', agency: 'เทศบาลตำบลตัวอย่าง' },
      ...{ received_at: '2026-11-24T10:31:00Z', reason: 'night_refused', detail: null },
    },
  ],
  unlisted: [{ agency: 'กรมตัวอย่าง', counted: 25, missing: 5 }],
  unknown: [{ agency: 'องค์การบริหารส่วนตำบลตัวอย่าง', answered_at: null, reason: 'never_answered' }],
}
const ROUTES = { coverage: /\/api\/v2\/coverage$/, misses: /\/api\/v2\/coverage\/misses\?/ }

for (const [size, use] of [
  ['desk', DESKTOP],
  ['phone', PHONE],
] as const) {
  test.describe(size, () => {
    test.use(use)

    test('the coverage of announcements is accessible, fits, and prints without its controls', async ({ page }) => {
      test.slow()
      await signIn(page, MANAGER)
      await checkAccessibility(
        page,
        'never fetched',
        createPageOpener(page, '/coverage', 'ระบบยังไม่เคยดึงประกาศจาก e-GP'),
      )
      await page.route(ROUTES.coverage, (route) => route.fulfill({ json: COVERAGE }))
      await page.route(ROUTES.misses, (route) => route.fulfill({ json: MISSES }))
      await checkAccessibility(page, 'figures', createPageOpener(page, '/coverage', 'สิบสี่วันล่าสุด'))
      await checkAccessibility(page, 'misses', async () => {
        await page.getByRole('button', { name: /^ดูที่ขาดหรือมาช้า\s*ของวันที่ 23 พ.ย. 2569$/ }).click()
        await expect(page.getByText('ขาด 5 จาก 25')).toBeVisible()
      })
      const width = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(await width()).toBeLessThanOrEqual(0)
      await page.screenshot({ path: test.info().outputPath('coverage.png'), fullPage: true })
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('tab', { name: 'ทุกหน่วยงาน' })).toBeHidden()
      await expect(page.getByText('1,205').first()).toBeVisible()
    })
  })
}
