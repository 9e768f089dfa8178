import { expect, type Page, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import {
  checkAccessibility,
  createPageOpener,
  DESKTOP,
  LOWER_ROWS_SELECTOR,
  PHONE,
  PROJECT_ID_PATTERN,
  readFirstProjectId,
} from './axe.ts'
import { addOlderWord, openNewTerms } from './older-terms.ts'
import { followLink, openMail, QUIET_HOURS_SKIP, waitForReportMail } from './report-mail.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { enterDemo, MANAGER, SALES, signIn } from './sign-in.ts'

/** A report that shows everything that can appear above the cards at once: chips, a notice, two tabs and the pager. */
const CROWDED =
  '/report?project_status__in=in_progress&project_budget__range=500000,90000000&project_label__in=none&colour=line&project_criteria_for_consideration=sold&page_size=20'
const EMPTY = 'ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้'
const DAILY = /โครงการใหม่ต่อวันทำการ/

/** An organisation of the demo data whose project counts no other test checks. */
const EDITED = { email: 'trial@wetchapim.example', code: 'wetchapim' }

test.beforeEach(() => test.slow())

test.describe('desk', () => {
  test.use(DESKTOP)

  test('the report, filled and empty, and each panel, dialog and menu over it', async ({ page }) => {
    const violations: string[] = []
    await page.exposeFunction('recordViolation', (text: string) => violations.push(text))
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        void (window as unknown as { recordViolation(text: string): void }).recordViolation(
          `${event.violatedDirective} ${event.blockedURI}`,
        )
      })
    })
    await enterDemo(page)
    // axe's run time grows per cell; twenty rows contain everything that fifty do.
    await checkAccessibility(page, 'report', createPageOpener(page, '/report?page_size=20', PROJECT_ID_PATTERN))
    for (const [name, open] of PANELS) {
      await checkAccessibility(page, name, () => open(page), LOWER_ROWS_SELECTOR)
      await page.keyboard.press('Escape')
      // A closing dialog stays in the DOM until it has faded out and would be mistaken for the next one.
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await checkAccessibility(
      page,
      'saving a filter',
      async () => {
        await page.goto('/report?project_change_status__in=no_change&page_size=20')
        await page.getByRole('button', { name: 'บันทึกตัวกรอง' }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
      },
      LOWER_ROWS_SELECTOR,
    )
    await page.keyboard.press('Escape')
    await checkAccessibility(
      page,
      'export, which the demo has not',
      async () => {
        await chooseInReportMenu(page, 'ส่งออก')
        await expect(page.getByText('โหมดทดลองใช้งานส่งออกไฟล์ไม่ได้')).toBeVisible()
      },
      LOWER_ROWS_SELECTOR,
    )
    await checkAccessibility(page, 'empty', createPageOpener(page, '/report?project_budget__range=1,2', EMPTY))
    await checkAccessibility(page, 'who wins', createPageOpener(page, '/report?view=who_wins&market=true', 'งานอยู่ที่ไหน'))
    await checkAccessibility(
      page,
      'rows of a figure',
      createPageOpener(page, '/report?view=who_wins&market=true&rows=decided', /โครงการที่รู้ผล/),
    )
    await checkAccessibility(
      page,
      'contracts that end',
      createPageOpener(page, '/report?view=contract_ends&ends_within=180', /^สิ้นสุดภายใน 180 วัน/),
    )
    expect(violations).toEqual([])
  })

  test('the watch lists of the demo', async ({ page }) => {
    await enterDemo(page)
    const box = page.getByRole('textbox', { name: /^คำใหม่/ })
    await checkAccessibility(page, 'lists', createPageOpener(page, '/watch', DAILY))
    await checkAccessibility(page, 'a wrong word', () => box.fill('(กล้อง'))
    await checkAccessibility(page, 'what a word would do', async () => {
      await box.fill('กล้อง')
      const preview = page.getByRole('region', { name: 'ผลกับรายงานก่อนบันทึก' })
      await expect(preview.getByText(/ทั้งรายงานวันทำการละ/)).toBeVisible()
    })
    await checkAccessibility(page, 'what a word does', async () => {
      await page.locator('[data-chip]').first().click()
      await expect(page.getByRole('dialog', { name: /^รายละเอียดของ/ }).getByText('เพิ่มเมื่อ')).toBeVisible()
    })
    for (const tab of ['hidden', 'why'])
      await checkAccessibility(page, tab, createPageOpener(page, `/watch?tab=${tab}`, DAILY))
  })

  test('the watch lists: similar terms, why a project is not in the report, edits closed', async ({ page }) => {
    await signIn(page, MANAGER)
    const id = await readFirstProjectId(page)
    runAdmin('set-window', EDITED.code, 'off')
    await signIn(page, EDITED.email)
    await checkAccessibility(page, 'a word with its similar terms', async () => {
      await page.goto('/watch?list=ai_include')
      await page.getByRole('textbox', { name: /^คำใหม่/ }).fill('เตียงผู้ป่วย')
      const terms = page.getByRole('group', { name: 'คำใกล้เคียงของ เตียงผู้ป่วย' })
      await expect(terms.getByRole('checkbox').first()).toBeVisible()
      await expect(page.getByText(/^ทั้งรายงานวันทำการละ/)).toBeVisible()
    })
    await checkAccessibility(page, 'a lesson before the word is saved', async () => {
      await page.getByRole('button', { name: 'สอนด้วยตัวอย่าง' }).first().click()
      await expect(page.getByRole('region', { name: 'คำถาม' }).getByText(/^ข้อ \d+ จากราว 20$/)).toBeVisible()
    })
    await checkAccessibility(page, 'what is new of a saved word', async () => {
      await addOlderWord(page, 'เครื่องปรับอากาศ', 3)
      await openNewTerms(page, 'เครื่องปรับอากาศ')
    })
    await checkAccessibility(page, 'a lesson', async () => {
      await signIn(page, MANAGER)
      await page.goto('/watch')
      await page
        .getByRole('link', { name: /^สอนด้วยตัวอย่าง/ })
        .first()
        .click()
      await expect(page.getByRole('region', { name: 'คำถาม' }).getByText(/^ข้อ \d+ จากราว 20$/)).toBeVisible()
    })
    await signIn(page, EDITED.email)
    await checkAccessibility(page, 'why not', async () => {
      await page.goto(`/watch?tab=why&project=${id}`)
      const answer = page.getByRole('article', { name: `คำตอบของโครงการ ${id}` })
      await expect(answer.getByText(/^ไม่อยู่ในรายงาน ติด \d เงื่อนไข$/)).toBeVisible()
    })
    await checkAccessibility(page, 'its page', createPageOpener(page, `/report/${id}`, /^ไม่อยู่ในรายงาน ติด \d+ เงื่อนไข$/))
    // Only the response is changed, because changing the stored closed hours would close the organisation's lists for
    // other tests.
    const hour = (ahead: number) => `${new Date(Date.now() + (7 + ahead) * 3_600_000).toISOString().slice(11, 13)}:00`
    await page.route('**/api/v2/organisations/me', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /("not_allow_(start|end)_time":)"[^"]*"/g,
        (_, field: string, edge: string) => `${field}"${hour(edge === 'start' ? -1 : 2)}:00"`,
      )
      await route.fulfill({ response, body })
    })
    await checkAccessibility(page, 'closed', createPageOpener(page, '/watch', /^แก้รายการได้อีกครั้งเวลา/))
  })

  test('the report mail and the confirmation page of its star link', async ({ page }) => {
    test.skip(...QUIET_HOURS_SKIP)
    const mail = await waitForReportMail(SALES)
    await checkAccessibility(page, 'mail', () => openMail(page, mail))
    await checkAccessibility(page, 'question', async () => {
      await followLink(page, '☆ ติดดาว')
      await expect(page.getByRole('heading', { level: 1, name: 'ติดดาวโครงการนี้?' })).toBeVisible()
    })
  })
})

test.describe('phone', () => {
  test.use(PHONE)

  test('the report, its overlays and the watch lists', async ({ page }) => {
    await enterDemo(page)
    await checkAccessibility(page, 'cards under notices', createPageOpener(page, CROWDED, PROJECT_ID_PATTERN))
    await checkAccessibility(page, 'menu of a card', async () => {
      await page
        .getByRole('button', { name: /^เพิ่มเติม/ })
        .first()
        .tap()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
    })
    await page.keyboard.press('Escape')
    await checkAccessibility(page, 'filters', async () => {
      await page.getByRole('button', { name: /^กรอง/ }).tap()
      await expect(page.getByRole('dialog', { name: 'ตัวกรอง' }).getByRole('checkbox').first()).toBeVisible()
    })
    await page.keyboard.press('Escape')
    await checkAccessibility(page, 'drawer', async () => {
      await page.getByRole('button', { name: 'เมนู', exact: true }).tap()
      await expect(page.getByRole('dialog', { name: 'ตามงาน' })).toBeVisible()
    })
    await checkAccessibility(page, 'who wins', createPageOpener(page, '/report?view=who_wins&market=true', 'งานอยู่ที่ไหน'))
    await checkAccessibility(
      page,
      'contracts that end',
      createPageOpener(page, '/report?view=contract_ends&ends_within=180', /^สิ้นสุดภายใน 180 วัน/),
    )
    await checkAccessibility(page, 'empty', createPageOpener(page, '/report?project_budget__range=1,2', EMPTY))
    await checkAccessibility(page, 'watch lists', createPageOpener(page, '/watch', DAILY))
    const sheet = page.getByRole('dialog', { name: /^เพิ่มใน/ })
    await checkAccessibility(page, 'adding a word', async () => {
      await page.getByRole('button', { name: 'เพิ่มคำ ในคำที่ไม่รวม' }).tap()
      await expect(sheet.getByRole('textbox', { name: /^คำใหม่/ })).toBeVisible()
    })
    await page.goBack()
    await expect(sheet).toHaveCount(0)
  })
})

const PANELS: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['columns', (page) => opensDialog(page, () => chooseInReportMenu(page, /^คอลัมน์/))],
  ['label picker', (page) => pickALabel(page)],
  ['keys', (page) => opensDialog(page, () => page.keyboard.press('?'))],
  ['calendar', (page) => openCalendar(page)],
  ['peek', (page) => peekAtARow(page)],
  ['selection', (page) => page.getByRole('table').getByRole('checkbox').nth(1).check()],
]

async function opensDialog(page: Page, press: () => Promise<void>): Promise<void> {
  await press()
  await expect(page.getByRole('dialog')).toBeVisible()
}

async function pickALabel(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^ป้าย / }).first().click()
  await expect(page.getByText(/^พิมพ์ชื่อแล้วกด Enter/)).toBeVisible()
}

async function peekAtARow(page: Page): Promise<void> {
  await page.keyboard.press('j')
  await expect(page.locator('tbody tr[data-index]:focus')).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/peek=/)
  await expect(page.getByRole('link', { name: 'เปิดหน้าโครงการ' })).toBeVisible()
}

async function openCalendar(page: Page): Promise<void> {
  const panel = page.getByRole('complementary', { name: /ตัวกรอง/ })
  const fields = panel.getByRole('group', { name: /วันสิ้นสุดยื่นข้อเสนอ/ })
  await fields.getByRole('button', { name: /กำหนดเอง/ }).click()
  await fields.getByRole('button', { name: /ปฏิทิน/ }).first().click()
  await expect(page.getByRole('dialog', { name: /ปฏิทิน/ })).toBeVisible()
}
