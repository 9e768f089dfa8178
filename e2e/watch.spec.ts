import { expect, type Page, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import { type Account, createOrganisation } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { signIn } from './sign-in.ts'

const CLOSED = { email: 'shop@ruamchai.example', code: 'raanruamchai' }
/** `เรือ` means boats, but also matches `เรือน` (houses) and `เรือนจำ` (prisons). */
const NOISY = { word: 'เรือ', trap: 'เรือน' }

/** One organisation per worker: a retry runs in a new worker, so words saved by the first try do not interfere. */
let edited: Account
test.beforeAll(async () => {
  edited = await createOrganisation(['เครื่องมือแพทย์', 'MRI'])
})
const LISTS = /\/organisations\/me$/

async function openWatch(page: Page, address = '/watch'): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1, name: 'คำติดตาม' })).toBeVisible()
  await expect(page.getByText(/โครงการใหม่ต่อวันทำการ/)).toBeVisible()
}
const listOf = (page: Page, name: string) => page.getByRole('region', { name })
const chipOf = (page: Page, list: string, word: string) =>
  listOf(page, list).locator('[data-chip]').filter({ hasText: word })
const box = (page: Page) => page.getByRole('textbox', { name: /^คำใหม่/ })

test('previews a noisy word before saving, excludes its trap, and rescues a project that the exclusion hides', async ({
  page,
}) => {
  await signIn(page, edited.email, '/report', edited.password)
  await openWatch(page)
  await box(page).fill(NOISY.word)
  const preview = page.getByRole('region', { name: 'ผลกับรายงานก่อนบันทึก' })
  await expect(preview.getByText(/^\+\d+/)).toBeVisible()
  await preview.getByRole('checkbox', { name: new RegExp(`^ไม่รวม ${NOISY.trap}`) }).check()
  const add = page.getByRole('button', { name: `เพิ่ม “${NOISY.word}” และคำไม่รวม 1 คำ` })
  await waitUntilStored(page, () => add.click(), LISTS)
  await expect(listOf(page, 'คำที่ต้องมีในชื่อโครงการ').getByText(`เพิ่ม “${NOISY.word}” และคำไม่รวม 1 คำ แล้ว`)).toBeVisible()

  await expect(chipOf(page, 'คำที่ต้องมีในชื่อโครงการ', NOISY.word)).toContainText(/โครงการใน 30 วัน/, { timeout: 30_000 })
  await expect(chipOf(page, 'คำที่ไม่รวม', NOISY.trap)).toContainText(/−\d/)

  await page.getByRole('tab', { name: /ถูกซ่อนโดยคำไม่รวม/ }).click()
  const ledger = page.getByRole('region', { name: 'โครงการที่ถูกซ่อนโดยคำไม่รวม' })
  const hidden = ledger
    .getByRole('listitem')
    .filter({ hasText: NOISY.trap })
    .filter({ hasText: /\d{11}/ })
    .first()
  await expect(hidden).toBeVisible()
  const id = /\d{11}/.exec(await hidden.innerText())![0]
  await page.goto(`/report?project_id__in=${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await expect(page.getByText(/^พบ 0 โครงการ$/).first()).toBeAttached()

  await openWatch(page, '/watch?tab=hidden')
  const rescue = ledger
    .getByRole('listitem')
    .filter({ hasText: id })
    .getByRole('button', { name: /นำเข้ารายงาน/ })
  await waitUntilStored(page, () => rescue.click(), /\/hidden\/rescue$/)
  await expect(page.getByText('นำเข้ารายงาน 1 โครงการแล้ว')).toBeVisible()
  await page.goto(`/report?project_id__in=${id}`)
  await expect(page.getByRole('row').filter({ hasText: id })).toBeVisible()
})

test('pastes words, selects them by keyboard, deletes and restores them', async ({ page }) => {
  await signIn(page, edited.email, '/report', edited.password)
  await openWatch(page, '/watch?list=include')
  await page.getByRole('button', { name: 'วางหลายคำ' }).first().click()
  await page.getByRole('textbox', { name: /^วางหลายคำ/ }).fill('เครื่องดมยาสลบ\tเครื่องปั่นเหวี่ยง\n(ผิด\nMRI')
  await waitUntilStored(page, () => page.getByRole('button', { name: 'เพิ่ม 2 คำ (เว้น 2)' }).click(), LISTS)
  const list = 'คำที่ต้องมีในชื่อโครงการ'
  await expect(chipOf(page, list, 'เครื่องปั่นเหวี่ยง')).toBeVisible()
  await expect(page.getByRole('textbox', { name: /^วางหลายคำ/ })).toHaveValue('(ผิด\nMRI')

  await chipOf(page, list, 'เครื่องดมยาสลบ').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Delete')
  await expect(chipOf(page, list, 'เครื่องดมยาสลบ')).toHaveCount(0)
  await expect(chipOf(page, list, 'เครื่องปั่นเหวี่ยง')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'เลิกทำ' }).last()).toBeVisible()
  // The screen shows the undo at once. Wait until the server has stored it, because reloading earlier would show the
  // old state.
  await waitUntilStored(page, () => page.keyboard.press('Control+z'), /\/keywords\/restore$/)
  await expect(chipOf(page, list, 'เครื่องปั่นเหวี่ยง')).toBeVisible()
  await page.reload()
  await expect(chipOf(page, list, 'เครื่องดมยาสลบ')).toBeVisible()
})

test.describe('on a device in Los Angeles', () => {
  test.use({ timezoneId: 'America/Los_Angeles' })

  test('closed lists show the reopening time in Bangkok; the report stays readable', async ({ page }) => {
    const hour = (ahead: number) => {
      const time = new Date(Date.now() + (7 + ahead) * 3_600_000).toISOString()
      return `${time.slice(11, 13)}:00`
    }
    const end = hour(2)
    runAdmin('set-window', CLOSED.code, hour(-1), end)
    await signIn(page, CLOSED.email)
    await page.goto('/watch')
    await expect(page.getByText(`แก้รายการได้อีกครั้งเวลา ${end} น. (เวลาไทย)`)).toBeVisible()
    await expect(box(page)).toBeDisabled()
    await expect(page.getByRole('button', { name: /^ลบ / }).first()).toBeDisabled()
  })
})
