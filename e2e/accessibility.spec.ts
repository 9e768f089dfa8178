import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { MANAGER, signIn } from './sign-in.ts'

async function expectNothingSerious(page: Page): Promise<void> {
  // Half-way through a fade every contrast is too low.
  await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState === 'finished'))
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map((node) => node.html.slice(0, 160)) }))
  expect(serious).toEqual([])
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of [
    ['desk', { width: 1440, height: 900 }],
    ['phone', { width: 390, height: 800 }],
  ] as const) {
    test.describe(`${colorScheme}, ${size}`, () => {
      test.use({ colorScheme, viewport })

      test('login', async ({ page }) => {
        await page.goto('/login')
        await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
        await expectNothingSerious(page)
      })

      test('a page that does not exist', async ({ page }) => {
        await page.goto('/nowhere')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expectNothingSerious(page)
      })

      test('report, filled and empty', async ({ page }) => {
        const violations: string[] = []
        await page.exposeFunction('noteViolation', (text: string) => violations.push(text))
        await page.addInitScript(() => {
          document.addEventListener('securitypolicyviolation', (event) => {
            void (window as unknown as { noteViolation(text: string): void }).noteViolation(
              `${event.violatedDirective} ${event.blockedURI}`,
            )
          })
        })
        await signIn(page, MANAGER)
        await expect(page.getByText(/\d{11}/).first()).toBeVisible()
        await expectNothingSerious(page)
        await page.goto('/report?project_budget__range=1,2')
        await expect(page.getByText('ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้')).toBeVisible()
        await expectNothingSerious(page)
        expect(violations).toEqual([])
      })
    })
  }
}
