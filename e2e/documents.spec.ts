import { expect, type Page, test } from '@playwright/test'
import { makePdf } from '../test/make-pdf.ts'
import { createUniqueText } from './own.ts'
import { expectNoSidewaysScroll } from './page-facts.ts'
import { signIn } from './sign-in.ts'

/** User of an organisation whose documents no other test file reads. */
const BUYER = 'bid@noensai.example'
const LINES = ['ประกาศประกวดราคาอิเล็กทรอนิกส์', 'ผู้ยื่นข้อเสนอต้องวางหลักประกันการเสนอราคา', 'ค่าปรับวันละ 0.10 ของราคา']
const TITLE = 'ขอบเขตของงาน'

async function openDocuments(page: Page): Promise<void> {
  await signIn(page, BUYER)
  const link = page.locator('a[href^="/report/6"]').first()
  await expect(link).toBeVisible()
  const id = /\d{11}/.exec((await link.getAttribute('href'))!)![0]
  await page.goto(`/report/${id}?tab=files`)
}

const PENALTY = 'ค่าปรับเป็นรายวันในอัตราร้อยละ 0.10 ของราคาพัสดุที่ยังไม่ได้รับมอบ'

/** Uploads a file unique to this test, so that a retry does not find it among the documents. Returns its name. */
async function drop(page: Page): Promise<string> {
  const name = `${createUniqueText()}.pdf`
  const pages = [
    [TITLE, ...LINES],
    ['หน้าสอง', `เลขที่ ${name}`, PENALTY],
    [...LINES, 'หน้าสาม'],
  ]
  await page.getByLabel('เลือกไฟล์เอกสาร').setInputFiles({ name, mimeType: 'application/pdf', buffer: makePdf(pages) })
  const row = page.getByRole('region', { name: 'เอกสารของทีม' }).getByRole('listitem').filter({ hasText: name })
  await expect(row.getByText('3 หน้า')).toBeVisible({ timeout: 30_000 })
  await row.getByRole('link', { name, exact: true }).click()
  await expect(page.locator('#page-1[data-drawn]')).toBeVisible({ timeout: 30_000 })
  return name
}

test('drops, opens, searches and closes a document by keyboard', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
      errors.push(message.text())
  })
  await openDocuments(page)
  await drop(page)
  const ink = await page.locator('#page-1 canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
    return data.some((value, at) => at % 4 === 0 && value < 100 && data[at + 3]! > 0)
  })
  expect(ink).toBe(true)
  await page.keyboard.press('/')
  await expect(page.locator('input:focus')).toHaveCount(1)
  await page.keyboard.type('หลักประกัน')
  await expect(page.getByText('2 แห่ง ใน 2 หน้า')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.locator('input:focus')).toHaveCount(0)
  await page.keyboard.press('n')
  await expect(page.locator('#page-1 [data-mark="present"]')).toBeInViewport()
  await page.keyboard.press('n')
  await expect(page.locator('#page-3 [data-mark="present"]')).toBeInViewport()
  await expect(page).toHaveURL(/page=3/)
  await expect(page).toHaveURL(/q=/)
  await page.reload()
  await expect(page.locator('#page-3[data-drawn]')).toBeInViewport({ timeout: 30_000 })
  await expect(page.getByText('2 แห่ง ใน 2 หน้า')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'เอกสารของทีม' })).toBeVisible()
  expect(errors).toEqual([])
})

test('zooms pages by keyboard, shows thumbnails and prints the rendered pages', async ({ page }) => {
  // `print` is replaced, because the browser's print dialog would block the test.
  await page.addInitScript(() => {
    window.print = () => {
      const sheets = [...document.querySelectorAll<HTMLCanvasElement>('[data-document-sheet] canvas')]
      document.body.dataset.printed = sheets.map(({ width, height }) => `${width}x${height > width}`).join(' ')
    }
  })
  await openDocuments(page)
  await drop(page)
  const width = () => page.locator('#page-1').evaluate((element) => element.getBoundingClientRect().width)
  const before = await width()
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await expect(page.getByText('150%', { exact: true })).toBeVisible()
  await expect.poll(async () => (await width()) / before).toBeCloseTo(1.5, 1)
  await page.keyboard.press('-')
  await expect(page.getByText('125%', { exact: true })).toBeVisible()
  await page.keyboard.press('0')
  await expect(page.getByText('100%', { exact: true })).toBeVisible()
  const rail = page.getByRole('list', { name: 'หน้าทั้งหมด' })
  await expect(rail.getByRole('button')).toHaveCount(3)
  await expect(rail.locator('[data-drawn]')).toHaveCount(3)
  await rail.getByRole('button', { name: 'หน้า 3' }).click()
  await expect(page.locator('#page-3')).toBeInViewport()
  await expect(rail.getByRole('button', { name: 'หน้า 3' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('button', { name: 'พิมพ์เอกสาร' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '1240xtrue 1240xtrue 1240xtrue')
  await expect(page.locator('[data-document-sheet]')).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('opens, swipes and searches a document, jumps to a fact and downloads the file', async ({ page }) => {
    await signIn(page, BUYER)
    const card = page.locator('li[data-project-id]').first()
    await expect(card).toBeVisible()
    await page.goto(`/report/${await card.getAttribute('data-project-id')}?tab=files`)
    const name = await drop(page)

    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 195, y }] })
    await touch('touchStart', 650)
    for (let y = 630; y >= 250; y -= 20) await touch('touchMove', y)
    await touch('touchEnd')
    await expect(page.locator('#page-2[data-drawn]')).toBeInViewport()
    await expect(page).toHaveURL(/page=[23]/)

    await page.getByRole('main').getByRole('button', { name: 'ค้นหา', exact: true }).click()
    await page.getByLabel('ค้นในเอกสารนี้').fill('หน้าสาม')
    await page.getByRole('button', { name: /^หน้า 3/ }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.locator('#page-3 [data-mark="present"]')).toBeInViewport()

    await page.getByRole('button', { name: /^ข้อมูล/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: PENALTY }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.locator('#page-2 [data-mark="present"]').first()).toBeInViewport()

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'ดาวน์โหลด' }).click()
    expect((await download).suggestedFilename()).toBe(name)
    await expectNoSidewaysScroll(page)

    const address = new URL(page.url())
    await page.goto(`${address.pathname}?${new URLSearchParams({ page: '2', passage: 'ร้อยละ ๐.๑๐ ของราคาพัสดุ' })}`)
    await expect(page.locator('#page-2 [data-mark="present"]').first()).toBeInViewport({ timeout: 30_000 })
  })
})
