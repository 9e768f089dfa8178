import { expect, type Page, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import {
  checkAccessibility,
  createPageOpener,
  DESKTOP,
  isPhone,
  LOWER_ROWS_SELECTOR,
  PHONE,
  PROJECT_ID_PATTERN,
  readFirstProjectId,
} from './axe.ts'
import { chooseOption } from './choose-option.ts'
import { openOperation } from './operator.ts'
import { waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { enterDemo, MANAGER, SALES, signIn } from './sign-in.ts'

const SIZES = [
  ['desk', DESKTOP],
  ['phone', PHONE],
] as const

test.beforeEach(() => test.slow())

for (const [size, use] of SIZES) {
  test.describe(size, () => {
    test.use(use)

    test('before the login', async ({ page }) => {
      await checkAccessibility(page, 'login', createPageOpener(page, '/login', 'เข้าสู่ระบบ'))
      await checkAccessibility(page, 'registration with errors', async () => {
        await page.goto('/register')
        await page.getByRole('button', { name: 'ต่อไป' }).click()
        await expect(page.getByText('กรอกอีเมล')).toBeVisible()
        await page.getByLabel('รหัสผ่าน', { exact: true }).fill('Ta7#')
      })
      await checkAccessibility(page, 'its second step with errors', async () => {
        await page.getByLabel('อีเมลที่ทำงาน').fill(`axe-${size}@axe.example`)
        for (const label of ['รหัสผ่าน', 'รหัสผ่านอีกครั้ง'])
          await page.getByLabel(label, { exact: true }).fill('Chaophraya#2569')
        await page.getByRole('checkbox').check()
        await page.getByRole('button', { name: 'ต่อไป' }).click()
        await page.getByRole('button', { name: /ส่งรหัสยืนยัน/ }).click()
        await expect(page.getByText('กรอกชื่อองค์กร')).toBeVisible()
      })
      await checkAccessibility(page, 'reset', createPageOpener(page, '/reset-password', 'ส่งลิงก์'))
      await checkAccessibility(
        page,
        'a link of nobody',
        createPageOpener(page, '/reset-password/unknown', 'ลิงก์นี้ใช้ไม่ได้'),
      )
      await checkAccessibility(
        page,
        '"this was not me" of nobody',
        createPageOpener(page, '/not-me/unknown', 'ลิงก์นี้ใช้ไม่ได้แล้ว'),
      )
      await checkAccessibility(
        page,
        'a change of address of nobody',
        createPageOpener(page, '/email-change/unknown', 'ลิงก์นี้ใช้ไม่ได้แล้ว'),
      )
      await checkAccessibility(
        page,
        'an invitation of nobody',
        createPageOpener(page, '/invitation/unknown', 'ลิงก์นี้ใช้ไม่ได้'),
      )
      await checkAccessibility(page, 'no page', async () => {
        await page.goto('/nowhere')
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      })
    })

    test('settings and log', async ({ page }) => {
      await signIn(page, MANAGER)
      for (const place of [
        ...['me', 'me&part=security', 'me&part=display', 'notifications', 'team', 'team&part=stages'],
        ...['team&part=qualifications', 'team&part=package', 'connect', 'connect&part=webhooks'],
      ])
        await checkAccessibility(page, place, async () => {
          await page.goto(`/settings?tab=${place}`)
          await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
        })
      for (const dialog of ['saved-filters', 'labels', 'columns'])
        await checkAccessibility(page, dialog, async () => {
          await page.goto(`/settings?tab=${dialog}`)
          await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
        })
      // Waits for any time with seconds, which only log entries show. Which entries are newest depends on tests that
      // run in parallel.
      await checkAccessibility(page, 'log', createPageOpener(page, '/logs', /\d\d:\d\d:\d\d/))
    })

    test('a project', async ({ page }) => {
      await signIn(page, MANAGER)
      const id = await readFirstProjectId(page)
      await page.goto(`/report/${id}`)
      await expect(page.getByRole('list', { name: 'วันสำคัญของโครงการ' })).toBeVisible()
      for (const tab of [/ภาพรวม/, /^ราคา/, /ผู้เสนอราคา/, /เอกสาร/, /ประวัติ/])
        await checkAccessibility(page, String(tab), () => page.getByRole('tab', { name: tab }).click())
      // axe measures only the uncovered part of a control that is half under the fixed bar. The tabs above have already
      // measured each control uncovered.
      const toEnd = () => page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
      await checkAccessibility(
        page,
        'its end',
        toEnd,
        'main :is(input, button, a, [role="tab"]):not([data-project-bar] *)',
      )
      await checkAccessibility(
        page,
        'an unknown one',
        createPageOpener(page, '/report/11111111111', /ไม่พบเลขที่ 11111111111/),
      )
    })

    test('companies', async ({ page }) => {
      await signIn(page, SALES)
      await checkAccessibility(
        page,
        'list',
        createPageOpener(page, '/companies?year_from=2569&scope=watch&colour=red', /ลิงก์ที่ไม่รู้จัก: colour/),
        LOWER_ROWS_SELECTOR,
      )
      if (isPhone(page)) {
        const sheet = page.getByRole('dialog', { name: 'ขอบเขตของตัวเลข' })
        await checkAccessibility(page, 'scope', async () => {
          await page.getByRole('button', { name: /^ขอบเขต/ }).click()
          await chooseOption(sheet, 'ถึงปีงบประมาณ', '2569')
          await expect(page).toHaveURL(/year_to=2569/)
        })
        await sheet.getByRole('button', { name: 'ดูผล' }).click()
        await expect(sheet).toBeHidden()
      }
      await checkAccessibility(page, 'a company', async () => {
        const list = isPhone(page) ? page.getByRole('list', { name: 'บริษัท' }) : page.getByRole('table')
        await list.locator('a[href^="/companies/"]').first().click()
        await expect(page.getByRole('article', { name: 'งานที่ชนะ' })).toBeVisible()
        if (isPhone(page))
          await expect(page.getByRole('list', { name: 'โครงการของบริษัท' }).getByRole('listitem').first()).toBeVisible()
      })
      await checkAccessibility(page, 'none of this name', createPageOpener(page, '/companies/ไม่มี/บริษัทนี้', 'ไม่พบบริษัทนี้'))
      await checkAccessibility(page, 'an agency', async () => {
        await page.goto(`/agencies/${encodeURIComponent('กรมทางหลวง')}`)
        await expect(page.getByRole('article', { name: 'รู้ผลแล้ว' })).toBeVisible()
        await expect(page.getByRole('heading', { name: 'อันดับผู้ชนะ' })).toBeVisible()
      })
      await checkAccessibility(
        page,
        'no agency of this code',
        createPageOpener(page, '/agencies/99999', 'ไม่พบหน่วยงานนี้'),
      )
    })

    test('a comparison of companies', async ({ page }) => {
      await signIn(page, MANAGER)
      const pair = page.getByRole('region', { name: 'คู่ที่พบกันบ่อย' }).getByRole('button').first()
      await checkAccessibility(page, 'nobody yet', async () => {
        await page.goto('/company-comparison')
        await expect(pair).toBeVisible()
      })
      await checkAccessibility(page, 'a pair', async () => {
        await pair.click()
        await expect(page.getByRole('heading', { name: 'สรุป' })).toBeVisible()
      })
      if (isPhone(page)) {
        const tabs = page.getByRole('tablist', { name: 'ส่วนของการเปรียบเทียบ' })
        for (const name of ['โครงการที่พบกัน', 'ราคา', 'หน่วยงาน', 'ลักษณะงาน', 'เส้นเวลา'])
          await checkAccessibility(page, name, async () => {
            await tabs.getByRole('tab', { name, exact: true }).tap()
            await expect(page.getByRole('tabpanel', { name, exact: true })).toBeVisible()
          })
        return
      }
      await checkAccessibility(page, 'the projects of a cell', async () => {
        await page
          .getByRole('table', { name: /^ชนะ–แพ้/ })
          .getByRole('button')
          .first()
          .click()
        await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
      })
    })

    test('calendar', async ({ page }) => {
      await signIn(page, MANAGER)
      await checkAccessibility(page, 'month', async () => {
        await page.goto('/calendar?day=2026-12-09')
        await expect(page.getByRole('tabpanel', { name: 'ปฏิทิน' })).toBeVisible()
      })
      await checkAccessibility(page, 'list', async () => {
        await page.goto('/calendar?view=agenda')
        await expect(page.getByRole('tabpanel', { name: 'ปฏิทิน' })).toBeVisible()
      })
      await checkAccessibility(page, 'secret addresses', async () => {
        await page.goto(`/calendar?saved=${encodeURIComponent('cctv-ภาคกลาง-1')}`)
        await page.getByRole('button', { name: /เชื่อมกับปฏิทินของฉัน/ }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'รูปแบบ' }).click()
        await page.getByRole('option', { name: 'ตาราง Excel (CSV)' }).click()
        await dialog.getByRole('button', { name: 'สร้างลิงก์' }).click()
        await expect(dialog.getByText(/filter-feeds/)).toBeVisible()
        await expect(dialog.getByRole('listitem').first()).toBeVisible()
      })
    })

    test('board', async ({ page }) => {
      await signIn(page, MANAGER)
      const id = await readFirstProjectId(page)
      await page.goto(`/report/${id}`)
      const decided = page.getByRole('region', { name: 'งานของเรา' }).getByRole('button', { name: /ยื่น/ }).first()
      if ((await decided.getAttribute('aria-pressed')) !== 'true')
        await waitUntilStored(page, () => decided.click(), /\/pursuits\/\d+$/)
      await checkAccessibility(page, 'board', async () => {
        await page.goto('/board')
        await expect(page.locator(`[data-card="${id}"]`)).toBeVisible()
      })
    })

    test('results', async ({ page }) => {
      await signIn(page, MANAGER)
      await page.goto(`/report/${await readFirstProjectId(page)}`)
      const decided = page.getByRole('region', { name: 'งานของเรา' }).getByRole('button', { name: /ยื่น/ }).first()
      if ((await decided.getAttribute('aria-pressed')) !== 'true')
        await waitUntilStored(page, () => decided.click(), /\/pursuits\/\d+$/)
      await checkAccessibility(page, 'results', async () => {
        await page.goto('/results')
        await expect(page.getByRole('tabpanel', { name: 'ตามผู้ดูแล' })).toBeVisible()
      })
      await checkAccessibility(page, 'the rows of a figure', async () => {
        await page.goto('/results?rows=pursued')
        await expect(page.getByRole('dialog').getByRole('listitem').first()).toBeVisible()
      })
    })

    test('the operator console', async ({ page }) => {
      await openOperation(page)
      const screens = [
        ['', 'ภาพรวม'],
        ['/sources', 'แหล่งข้อมูล'],
        ['/loads', 'ประวัติการนำเข้า'],
        ['/organisations', 'องค์กร'],
        ['/keywords', 'คำติดตาม'],
        ['/jobs', 'งานและอีเมล'],
        ['/documents', 'ข้อเท็จจริงจากเอกสาร'],
        ['/account', 'บัญชีของฉัน'],
      ] as const
      for (const [part, name] of screens)
        await checkAccessibility(page, name, async () => {
          await page.goto(`/operation${part}`)
          await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
        })
      await checkAccessibility(page, 'a figure as its table', async () => {
        await page.goto('/operation')
        await page.getByRole('tab', { name: '24 ชั่วโมง' }).click()
        await page.getByRole('button', { name: 'แสดงงานที่จบเป็นตาราง' }).click()
        await expect(page.getByRole('region', { name: /^งานที่จบ แท่งละ/ })).toBeVisible()
      })
    })

    test('budget', async ({ page }) => {
      await signIn(page, MANAGER)
      await checkAccessibility(page, 'year', async () => {
        await page.goto('/budget')
        await expect(page.getByRole('list', { name: 'วงเงินแยกตามกระทรวง' })).toBeVisible()
      })
      const panel = page.getByRole('dialog', { name: 'รายการงบประมาณ' })
      await checkAccessibility(page, 'item', async () => {
        const items = isPhone(page)
          ? page.getByRole('list', { name: 'รายการงบประมาณ' })
          : page.getByRole('table', { name: /^พบ [\d,]+ รายการ/ }).locator('tbody')
        await items.getByRole('button').first().click()
        await expect(panel.getByText('ที่มาในงบประมาณ')).toBeVisible()
      })
      await page.goBack()
      await expect(panel).toHaveCount(0)
    })

    test('the morning queue', async ({ page }) => {
      await enterDemo(page)
      const panel = page.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' })
      const start = page.getByRole('button', { name: /^ไล่ดู/ })
      const article = panel.getByRole('article')
      await start.click()
      await expect(article).toContainText(PROJECT_ID_PATTERN)
      const id = PROJECT_ID_PATTERN.exec(await article.innerText())![0]
      await page.goto(`/report?project_id__in=${id}`)
      await expect(start).toHaveText('ไล่ดูใหม่ 1 รายการ')
      await checkAccessibility(page, 'a project', async () => {
        await start.click()
        await expect(article).toContainText(id)
        await page.keyboard.press('b')
      })
      if (!isPhone(page)) {
        await checkAccessibility(page, 'its keys', async () => {
          await page.keyboard.press('?')
          await expect(page.getByRole('dialog', { name: 'คีย์ลัดตอนไล่ดู' })).toBeVisible()
        })
        await page.keyboard.press('Escape')
      }
      await checkAccessibility(page, 'the end', async () => {
        await panel.getByRole('button', { name: 'ถัดไป', exact: true }).click()
        await expect(panel.getByRole('heading', { name: /^ไล่ดูครบ/ })).toBeVisible()
      })
    })

    test('export and notifications', async ({ page }) => {
      await page.route('**/api/v2/users/me', async (route) => {
        if (route.request().method() !== 'GET') return route.fallback()
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), ...NOTIFIED } })
      })
      await signIn(page, SALES, '/report?page_size=20')
      await checkAccessibility(
        page,
        'notifications',
        async () => {
          await page.getByRole('button', { name: /^การแจ้งเตือน/ }).click()
          const popover = page.getByRole('dialog', { name: 'การแจ้งเตือน' })
          await expect(popover.getByRole('tabpanel').getByRole('link')).toHaveCount(3)
        },
        LOWER_ROWS_SELECTOR,
      )
      await page.keyboard.press('Escape')
      await checkAccessibility(
        page,
        'palette',
        async () => {
          await page.keyboard.press('Control+k')
          await page.getByRole('combobox', { name: 'ค้นหาทั้งระบบ' }).fill('กล้อง')
          await expect(page.getByRole('group', { name: 'โครงการ', exact: true })).toBeVisible()
        },
        LOWER_ROWS_SELECTOR,
      )
      await page.keyboard.press('Escape')
      await page.route('**/api/v2/projects/exports', (route) => route.fulfill({ json: { exports: EXPORTS } }))
      await checkAccessibility(
        page,
        'export with files of every kind',
        async () => {
          await chooseInReportMenu(page, 'ส่งออก')
          const dialog = page.getByRole('dialog', { name: 'ส่งออกรายงาน' })
          await expect(dialog.getByRole('button', { name: /^ส่งออก [\d,]+ โครงการ$/ })).toBeEnabled()
          await expect(dialog.getByRole('button', { name: /^ดาวน์โหลด REPORT_/ }).first()).toBeVisible()
        },
        LOWER_ROWS_SELECTOR,
      )
    })

    test('onboarding of a new organisation', async ({ page }) => {
      await enterSetUp(page, size)
      const step = async (name: string) => {
        await page.getByRole('button', { name: 'ต่อไป' }).click()
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
      }
      await checkAccessibility(page, 'company, refused', async () => {
        await page.getByLabel('เลขประจำตัวผู้เสียภาษี 13 หลักของบริษัท').fill('3101200345678')
        await page.getByRole('button', { name: 'เตรียมรายการ' }).click()
        await expect(page.getByText(/เลขประจำตัวของบุคคล/)).toBeVisible()
      })
      await checkAccessibility(page, 'trades', async () => {
        await page.getByRole('button', { name: /^ยังไม่เคยได้งานรัฐ/ }).click()
        await page.getByRole('searchbox', { name: 'ค้นประเภทงาน' }).fill('คอมพิวเตอร์และอุปกรณ์')
        await page.getByRole('checkbox', { name: 'คอมพิวเตอร์และอุปกรณ์' }).check()
      })
      await checkAccessibility(page, 'words, one of them wrong', async () => {
        await step('คำที่ต้องมีในชื่อโครงการ')
        const trade = page.getByRole('region', { name: 'คอมพิวเตอร์และอุปกรณ์' })
        const box = trade.getByRole('textbox').first()
        await box.fill('(กล้อง')
        await box.press('Enter')
        await expect(trade.getByRole('alert')).toContainText('วงเล็บ')
        await box.fill('')
      })
      await checkAccessibility(page, 'exclusions', () => step('อะไรที่ไม่ต้องการเห็น'))
      await checkAccessibility(page, 'departments', async () => {
        await step('หน่วยงานและพื้นที่')
        await page.getByLabel('ค้นหาหน่วยงาน').fill('เทคโนโลยีสารสนเทศ')
        await expect(page.getByRole('treeitem').first()).toContainText('เทคโนโลยีสารสนเทศ')
      })
      await checkAccessibility(page, 'the report as it would be', async () => {
        await step('รายงานจะเป็นแบบนี้')
        await expect(page.getByText(/โครงการใหม่ต่อวันทำการ/)).toBeVisible()
      })
    })
  })
}

async function enterSetUp(page: Page, size: string): Promise<void> {
  const organisation = { code: `axe-${size}-${process.pid}`, email: `axe-${size}-${process.pid}@axe.example` }
  runAdmin('create-organisation', organisation.code, `องค์กร ${size}`)
  const output = runAdmin(
    ...['create-user', organisation.code, organisation.email, '--first-name', 'พิมพ์', '--last-name', 'ชนก'],
    ...['--role', 'super_user'],
  )
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(organisation.email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(output.trim().split('\n').at(-1)!.trim())
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ใส่เลขผู้เสียภาษี แล้วเราเตรียมรายการงานให้' })).toBeVisible()
}

/**
 * One notification per kind, read and unread. Mocked, because a load that creates them would change the counts of other
 * tests.
 */
const NOTIFIED = {
  notification_updated_status: {
    clickRead: false,
    notifications: (['Submission_date_end', 'Discussion_date_end', 'Updated'] as const).map((type, at) => ({
      id: String(at + 1),
      read: at === 1,
      type,
      detail: 'ซื้อกล้องโทรทัศน์วงจรปิดพร้อมติดตั้ง',
      project_id: `6911900000${at}`,
      date_created: new Date().toISOString(),
      due_date: type === 'Updated' ? null : new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10),
      outdated: false,
      changes: [],
      export_id: null,
    })),
  },
}

/** One export per state; in the real list none of these states lasts. */
const EXPORTS = (['running', 'done', 'failed', 'cancelled'] as const).map((state, at) => ({
  id: `0000000${at}-0000-4000-8000-000000000000`,
  format: 'xlsx',
  state,
  done: state === 'done' ? 12_000 : 4_000,
  total: 12_000,
  found: 12_000,
  bytes: state === 'done' ? 1_200_000 : null,
  in_background: true,
  file_name: 'REPORT_20261122.xlsx',
  requested_at: new Date().toISOString(),
  finished_at: state === 'running' ? null : new Date().toISOString(),
  expires_at: state === 'done' ? new Date(Date.now() + 86_400_000).toISOString() : null,
}))
