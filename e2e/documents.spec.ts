import { expect, type Page, test } from '@playwright/test'
import { makePdf } from '../test/make-pdf.ts'
import { signIn } from './sign-in.ts'

/** Of an organisation whose documents no other file looks at. */
const BUYER = 'bid@noensai.example'
const LINES = ['ประกาศประกวดราคาอิเล็กทรอนิกส์', 'ผู้ยื่นข้อเสนอต้องวางหลักประกันการเสนอราคา', 'ค่าปรับวันละ 0.10 ของราคา']
const TITLE = 'ขอบเขตของงาน'

/** Opens the documents of the first project of the report. */
async function openDocuments(page: Page): Promise<void> {
  await signIn(page, BUYER)
  const link = page.locator('a[href^="/report/6"]').first()
  await expect(link).toBeVisible()
  const id = /\d{11}/.exec((await link.getAttribute('href'))!)![0]
  await page.goto(`/report/${id}?tab=files`)
}

async function drop(page: Page, name: string): Promise<void> {
  const pages = [
    [TITLE, ...LINES],
    ['หน้าสอง', `เลขที่ ${name}`],
    [...LINES, 'หน้าสาม'],
  ]
  await page.getByLabel('เลือกไฟล์เอกสาร').setInputFiles({ name, mimeType: 'application/pdf', buffer: makePdf(pages) })
  const row = page.getByRole('region', { name: 'เอกสารของทีม' }).getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('3 หน้า')).toBeVisible({ timeout: 30_000 })
  await row.getByRole('link', { name, exact: true }).click()
  await expect(page.locator('#page-1[data-drawn]')).toBeVisible({ timeout: 30_000 })
}

test('a dropped document is read, opened, searched by keys and left', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
      errors.push(message.text())
  })
  await openDocuments(page)
  await drop(page, 'desk.pdf')
  // Drawn: something on the canvas is not white.
  const ink = await page.locator('#page-1 canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, at) => at % 4 === 0 && value < 100 && data[at + 3]! > 0)
  })
  expect(ink).toBe(true)
  await page.keyboard.press('/')
  await page.keyboard.type('หลักประกัน')
  await expect(page.getByText('2 แห่ง ใน 2 หน้า')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await expect(page.locator('#page-1 [data-mark="present"]')).toBeInViewport()
  await page.keyboard.press('n')
  await expect(page.locator('#page-3 [data-mark="present"]')).toBeInViewport()
  await expect(page).toHaveURL(/page=3/)
  await expect(page).toHaveURL(/q=/)
  // The address is all that a colleague needs.
  await page.reload()
  await expect(page.locator('#page-3[data-drawn]')).toBeInViewport({ timeout: 30_000 })
  await expect(page.getByText('2 แห่ง ใน 2 หน้า')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'เอกสารของทีม' })).toBeVisible()
  expect(errors).toEqual([])
})

test('the report finds a project by words of its documents, and its page says where they stand', async ({ page }) => {
  await openDocuments(page)
  await drop(page, 'found.pdf')
  await page.goto(`/report?${new URLSearchParams({ document_text__in: 'เลขที่ found.pdf##หลักประกัน<<ไม่มีคำนี้' })}`)
  await expect(page.getByLabel('ค้นใน', { exact: false }).first()).toContainText('ในเอกสาร')
  const links = page.locator('a[data-project-link]')
  await expect(links).toHaveCount(1)
  await links.first().click()
  const found = page.getByRole('region', { name: 'พบในเอกสาร' })
  await expect(found.getByRole('link')).not.toHaveCount(0)
  await found.getByRole('link', { name: /found\.pdf หน้า 2/ }).click()
  await expect(page).toHaveURL(/documents\/.+page=2/)
  await expect(page.locator('#page-2[data-drawn]')).toBeInViewport({ timeout: 30_000 })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('what is searched for comes from a sheet that leaves with the choice', async ({ page }) => {
    await signIn(page, BUYER)
    const card = page.locator('li[data-project-id]').first()
    await expect(card).toBeVisible()
    await page.goto(`/report/${await card.getAttribute('data-project-id')}?tab=files`)
    await drop(page, 'phone.pdf')
    await page.getByRole('button', { name: 'ค้นหา', exact: true }).click()
    await page.getByLabel('ค้นในเอกสารนี้').fill('หน้าสาม')
    await page.getByRole('button', { name: /^หน้า 3/ }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.locator('#page-3 [data-mark="present"]')).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    )
  })
})
