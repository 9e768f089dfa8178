import { expect, test } from '@playwright/test'
import { DESKTOP } from './axe.ts'
import { createUniqueText } from './own.ts'
import { waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { MANAGER, signIn } from './sign-in.ts'

test.use(DESKTOP)

const QUESTIONS = /\/users\/me\/questions$/

test('who wins cameras in the north-east: at most five clicks from report to printed page; the saved question reopens', async ({
  page,
}) => {
  let clicks = 0
  await page.exposeFunction('tellClick', () => {
    clicks += 1
  })
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => (window as unknown as { tellClick: () => void }).tellClick(), true)
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await signIn(page, MANAGER)
  const panel = page.getByRole('region', { name: 'ตัวกรองทั้งหมด' })
  await expect(panel.getByRole('checkbox').first()).toBeVisible()
  clicks = 0

  await page.keyboard.press('/')
  await page.keyboard.type('กล้อง')
  await page.keyboard.press('Enter')
  await panel
    .getByRole('checkbox', { name: /ตะวันออกเฉียงเหนือ/ })
    .first()
    .click()
  await expect(page).toHaveURL((url) => (url.searchParams.get('project_province__in') ?? '').includes('northeast'))
  await chooseInReportMenu(page, 'ใครชนะงานแบบนี้')
  await page.getByRole('radio', { name: 'ทุกโครงการ' }).check({ force: true })
  await expect(page).toHaveURL(/market=true/)
  await page.getByRole('button', { name: 'พิมพ์หน้าเดียว' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-printed', '')
  expect(clicks).toBeLessThanOrEqual(5)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { name: 'ใครชนะ', exact: true })).toBeVisible()
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: 'screen' })

  const params = new URL(page.url()).searchParams
  await page.getByRole('button', { name: 'คำถามที่บันทึก' }).click()
  const savedDialog = page.getByRole('dialog', { name: 'คำถามที่บันทึก' })
  const name = `กล้องอีสาน ${createUniqueText()}`
  await savedDialog.getByLabel('ชื่อคำถาม').fill(name)
  await waitUntilStored(page, () => savedDialog.getByRole('button', { name: 'บันทึกคำถาม' }).click(), QUESTIONS)
  await page.goto('/report?view=who_wins')
  await page.getByRole('button', { name: 'คำถามที่บันทึก' }).click()
  await savedDialog.getByRole('button', { name, exact: true }).click()
  await expect(page).toHaveURL(/market=true/)
  const opened = new URL(page.url()).searchParams
  const left = ['ordering', 'project_bidding__in']
  expect([...opened].sort()).toEqual([...params].filter(([name]) => opened.has(name) || !left.includes(name)).sort())
})
