import { expect, type Page, test } from '@playwright/test'
import type { CompanyList } from '#contract/market/company.ts'
import { chooseOption } from './choose-option.ts'
import { waitUntilLoaded } from './page-facts.ts'
import { SALES, signIn } from './sign-in.ts'

const rowsOf = (page: Page) => page.getByRole('table').locator('tbody tr')
const LIST = /\/api\/v2\/companies(\?|$)/

async function listAfter(page: Page, act: () => Promise<unknown>, holds: RegExp): Promise<CompanyList> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => LIST.test(response.url()) && holds.test(decodeURIComponent(response.url()))),
    act(),
  ])
  expect(answer.status()).toBe(200)
  return (await answer.json()) as CompanyList
}

test('finds the company that won most from a department last year', async ({ page }) => {
  await signIn(page, SALES)
  await page.goto('/companies')
  await expect(rowsOf(page).first()).toBeVisible()
  const scope = page.getByRole('region', { name: 'ขอบเขตของตัวเลข' })

  // Selects last year, the fiscal year before the one that began in October.
  await chooseOption(scope, 'ตั้งแต่ปีงบประมาณ', '2569')
  await chooseOption(scope, 'ถึงปีงบประมาณ', '2569')
  await scope.getByRole('button', { name: 'หน่วยงาน' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'หน่วยงาน' })
  await expect(dialog.getByLabel('ค้นหาหน่วยงาน')).toBeFocused()
  await page.keyboard.type('กรม')
  const choice = dialog.getByRole('checkbox', { checked: false }).first()
  // The previous suggestions stay visible until the new ones arrive.
  await expect(choice.locator('xpath=ancestor::label')).toContainText('กรม')
  await expect(dialog.getByRole('group').locator('[aria-busy=false]')).toBeVisible()
  const department = (await choice.locator('xpath=ancestor::label').locator('> span').nth(1).innerText()).split(
    '\n',
  )[0]!
  const byValue = await listAfter(page, () => choice.click(), /project_dept_sub__in=/)
  expect(decodeURIComponent(page.url())).toContain('year_from=2569')
  await page.keyboard.press('Escape')
  await expect(scope.getByRole('button', { name: `หน่วยงาน: ${department}` })).toBeFocused()

  const byWins = await listAfter(
    page,
    () => page.getByRole('button', { name: 'ชนะ (โครงการ)' }).click(),
    /ordering=-wins/,
  )
  expect(byWins.total).toBe(byValue.total)
  expect(byWins.totals).toEqual(byValue.totals)
  const topCompany = byWins.results[0]!
  expect(topCompany.wins).toBe(Math.max(...byWins.results.map(({ wins }) => wins)))
  const first = rowsOf(page).first()
  await expect(first.getByRole('rowheader')).toContainText(topCompany.name)
  await expect(first.getByRole('cell').first()).toHaveText(topCompany.wins.toLocaleString('th-TH'))
  await expect(page.getByText(`จาก ${byWins.scope.n.toLocaleString('th-TH')} โครงการ`)).toBeVisible()

  await page.goBack()
  await expect(page).not.toHaveURL(/ordering=/)
  await page.goForward()
  await expect(first.getByRole('rowheader')).toContainText(topCompany.name)

  await page.keyboard.press('j')
  await expect(first.getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/companies\/[^/]+year_from=2569/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(topCompany.name)
})

test('suggests names in the search, offers similar names without a match, and compares two companies', async ({
  page,
}) => {
  await signIn(page, SALES)
  const all = await listAfter(page, () => page.goto('/companies'), /companies$/)
  const [company, otherCompany] = all.results as [CompanyList['results'][number], CompanyList['results'][number]]
  const box = page.getByRole('combobox', { name: 'ค้นหาบริษัท' })
  // The list is requested early, while the page's code is still loading.
  await waitUntilLoaded(page)
  await expect(box).toBeVisible()
  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  const name = company.name.replace(/^(บริษัท|ห้างหุ้นส่วนจำกัด)\s*/, '').replace(/(?<!\s)\s*จำกัด[\s\S]*/, '')
  await page.keyboard.type(name)
  await expect(page.getByRole('option', { name: new RegExp(company.name.replace(/[()]/g, '\\$&')) })).toBeVisible()
  const matches = await listAfter(page, () => page.keyboard.press('Enter'), /project_winner_name__in=/)
  expect(matches.results.map(({ id }) => id)).toContain(company.id)
  await expect(rowsOf(page)).toHaveCount(matches.results.length)

  await box.fill(`${name}xyz`)
  const none = await listAfter(page, () => page.keyboard.press('Enter'), /xyz/)
  expect(none.total).toBe(0)
  await expect(page.getByText('ไม่พบบริษัทชื่อนี้')).toBeVisible()
  await expect(page.getByRole('listitem').getByRole('link', { name: none.similar[0]!.name })).toBeVisible()

  await page.getByRole('button', { name: 'ล้างคำค้น' }).click()
  await page.getByRole('checkbox', { name: `เลือก ${company.name} เพื่อเปรียบเทียบ` }).check()
  await expect(page.getByText('เลือกอีกอย่างน้อย 1 บริษัท')).toBeVisible()
  await page.getByRole('checkbox', { name: `เลือก ${otherCompany.name} เพื่อเปรียบเทียบ` }).check()
  await page.getByRole('link', { name: 'เปรียบเทียบ 2 บริษัท' }).click()
  await expect(page).toHaveURL(/\/company-comparison\?/)
  expect(new URL(page.url()).searchParams.get('project_winner_name__in')).toBe(`${company.name}||${otherCompany.name}`)
})
