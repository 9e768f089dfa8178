import { expect, type Page, test } from '@playwright/test'
import { DESKTOP } from './axe.ts'
import { claimProject } from './own.ts'
import { waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { MANAGER, SALES, signIn } from './sign-in.ts'

test.use(DESKTOP)

const PURSUIT = /\/pursuits\/\d+$/
const cardIn = (page: Page, stage: string, id: string) => page.locator(`[data-column="${stage}"] [data-card="${id}"]`)

test('a tender moves from its page across the board by mouse and keyboard, is lost with a reason, and a colleague sees it', async ({
  page,
}) => {
  await signIn(page, SALES)
  const id = await claimProject(page)
  await page.goto(`/report/${id}`)
  const block = page.getByRole('region', { name: 'งานของเรา' })
  await waitUntilStored(page, () => block.getByRole('button', { name: 'ยื่น', exact: true }).click(), PURSUIT)

  await page.getByRole('link', { name: 'งานของเรา', exact: true }).click()
  const screened = cardIn(page, 'screened', id)
  await expect(screened).toBeVisible()
  await waitUntilLoaded(page)
  const from = (await screened.boundingBox())!
  const to = (await page.locator('[data-column="pricing"]').boundingBox())!
  await page.mouse.move(from.x + 40, from.y + from.height - 60)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + 120, { steps: 8 })
  await waitUntilStored(page, () => page.mouse.up(), PURSUIT)
  await expect(cardIn(page, 'pricing', id)).toBeVisible()

  await page.locator(`[data-handle="${id}"]`).focus()
  await page.keyboard.press('Space')
  // The keys of a lifted card are listened to only after it is announced.
  await expect(page.getByText('ใช้ลูกศรซ้ายขวาเลือกคอลัมน์')).toBeAttached()
  for (const name of ['ตัดสินใจ', 'เตรียมยื่น', 'ยื่นแล้ว', 'ชนะ', 'แพ้']) {
    await page.keyboard.press('ArrowRight')
    await expect(page.getByText(new RegExp(`^${name} คอลัมน์ที่`))).toBeAttached()
  }
  await page.keyboard.press('Space')
  await expect(page.getByRole('textbox', { name: 'แพ้เพราะอะไร' })).toBeFocused()
  await page.keyboard.type('ราคาสูงกว่าผู้ชนะ 4%')
  await waitUntilStored(page, () => page.keyboard.press('Enter'), PURSUIT)
  await page.locator('[data-column="lost"]').getByRole('button').click()
  await expect(cardIn(page, 'lost', id)).toContainText('เพราะ ราคาสูงกว่าผู้ชนะ 4%')

  await page.context().setStorageState({ cookies: [], origins: [] })
  await signIn(page, MANAGER)
  await page.goto('/board')
  await page.locator('[data-column="lost"]').getByRole('button').click()
  await expect(cardIn(page, 'lost', id)).toContainText('เพราะ ราคาสูงกว่าผู้ชนะ 4%')
})
