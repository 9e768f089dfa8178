import { expect, type Locator, type Page, test } from '@playwright/test'
import { PHONE } from './axe.ts'
import { readFromMail } from './mailbox.ts'
import { type Account, claimProject, createColleague, createUniquePhone, createUniqueText, send } from './own.ts'
import { waitUntilLoaded, waitUntilStored } from './page-facts.ts'
import { chooseInReportMenu } from './report-menu.ts'
import { controlsOutsideRows } from './screen-fit.ts'
import { MANAGER, PASSWORD, SALES, signIn, waitForProjectCount } from './sign-in.ts'
import { getSetupHeading, MAILED_CODE_PATTERN } from './sign-up.ts'

/** What a user does most often, with the clicks and filled fields that it takes. Enter in a field belongs to the field. */

const DESK = { viewport: { width: 1440, height: 900 } }
const PURSUIT = /\/pursuits\/\d+$/

class Story {
  clicks = 0
  fields = 0

  async click(target: Locator): Promise<void> {
    this.clicks += 1
    await target.click()
  }

  async fill(field: Locator, text: string, key?: string): Promise<void> {
    this.fields += 1
    await field.fill(text)
    if (key !== undefined) await field.press(key)
  }
}

const button = (at: Page | Locator, name: string | RegExp) =>
  at.getByRole('button', { name, exact: typeof name === 'string' })

test.describe('on a desk', () => {
  test.use(DESK)

  test('a new company has a list of open tenders after 15 clicks and fields', async ({ page }) => {
    test.slow()
    const story = new Story()
    const name = createUniqueText()
    const email = `story@${name}.example`
    await page.goto('/register')
    await story.fill(page.getByLabel('อีเมลที่ทำงาน'), email)
    await story.fill(page.getByLabel('รหัสผ่าน', { exact: true }), 'Chaophraya#2569')
    await story.fill(page.getByLabel('รหัสผ่านอีกครั้ง', { exact: true }), 'Chaophraya#2569')
    await story.click(page.getByRole('checkbox', { name: /ยอมรับข้อกำหนด/ }))
    await story.click(button(page, 'ต่อไป'))
    await story.fill(page.getByLabel('ชื่อองค์กร'), `บริษัท เรื่องเล่า ${name} จำกัด`)
    await story.fill(page.getByLabel('ชื่อ', { exact: true }), 'พิมพ์ชนก')
    await story.fill(page.getByLabel('นามสกุล'), 'วงศ์สวัสดิ์')
    await story.fill(page.getByLabel('เบอร์โทรศัพท์'), createUniquePhone())
    await story.click(page.getByText('เพื่อนหรือคนรู้จักแนะนำ'))
    await expect(page.getByRole('radio', { name: 'เพื่อนหรือคนรู้จักแนะนำ' })).toBeChecked()
    await story.click(button(page, 'ส่งรหัสยืนยันไปที่อีเมล'))
    await story.fill(page.getByLabel('รหัสยืนยัน 6 หลัก'), await readFromMail(email, MAILED_CODE_PATTERN))
    await expect(getSetupHeading(page)).toBeVisible()
    // The sample names a company; its number is typed like the user's.
    const hint = button(page, /^ลองด้วย \d{13} /)
    const taxId = /\d{13}/.exec(await hint.innerText())![0]
    await story.fill(page.getByLabel('เลขประจำตัวผู้เสียภาษี 13 หลักของบริษัท'), taxId, 'Enter')
    await expect(page.getByRole('region', { name: 'รายการที่เสนอ' })).toBeVisible()
    await story.click(button(page, 'เริ่มใช้งาน'))
    await expect(page).toHaveURL(/project_bidding__in=open/)
    // The report fills while the worker matches the new list.
    await expect.poll(() => waitForProjectCount(page), { timeout: 60_000 }).toBeGreaterThan(0)
    await expect(page.getByRole('complementary', { name: 'เริ่มต้นใช้งาน' })).toContainText('รับสรุปทุกเช้า ทำแล้ว')
    expect(story.clicks).toBeLessThanOrEqual(9)
    // Eight of the fields are the specification's registration.
    expect(story.clicks + story.fields).toBeLessThanOrEqual(15)
  })

  test('deciding with a reason, an owner and a note takes six clicks', async ({ page }) => {
    const story = new Story()
    await signIn(page, SALES)
    const id = await claimProject(page)
    await page.goto(`/report/${id}`)
    const work = page.getByRole('region', { name: 'งานของเรา' })
    await waitUntilStored(page, () => story.click(button(work, 'ยื่น')), PURSUIT)
    await waitUntilStored(page, () => story.fill(work.getByLabel('เหตุผลที่ยื่น'), 'สเปกตรงรุ่น', 'Enter'), PURSUIT)
    await story.click(button(work, /^ผู้ดูแล/))
    await waitUntilStored(page, () => story.click(page.getByRole('option').nth(1)), PURSUIT)
    await story.fill(work.getByRole('textbox', { name: /โน้ต/ }), 'โทรถามหน่วยงานเรื่องแบบแล้ว')
    await waitUntilStored(page, () => story.click(button(work, /^ส่ง|^โพสต์|^บันทึกโน้ต/)), PURSUIT)
    expect(story.clicks).toBeLessThanOrEqual(6)
    await page.reload()
    await expect(work).toContainText('สเปกตรงรุ่น')
    await expect(work).toContainText('โทรถามหน่วยงานเรื่องแบบแล้ว')
  })

  test('who wins cameras in the north-east is on one printed page after four clicks', async ({ page }) => {
    const story = new Story()
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '')
    })
    await signIn(page, MANAGER)
    await waitUntilLoaded(page)
    await story.fill(page.getByRole('search').getByRole('textbox'), 'กล้อง', 'Enter')
    const provinces = page.getByRole('group', { name: 'จังหวัดของโครงการ' })
    await story.click(provinces.getByRole('checkbox', { name: /ตะวันออกเฉียงเหนือ/ }))
    await expect(page).toHaveURL(/northeast/)
    story.clicks += 2
    await chooseInReportMenu(page, 'ใครชนะงานแบบนี้')
    await story.click(button(page, 'พิมพ์หน้าเดียว'))
    await expect(page.locator('html')).toHaveAttribute('data-printed', '')
    expect(story.clicks).toBeLessThanOrEqual(4)
    await page.emulateMedia({ media: 'print' })
    const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  })

  test('a tax id opens its company, and two more clicks compare it with a rival', async ({ page }) => {
    const story = new Story()
    await signIn(page, MANAGER)
    const taxId = await page.evaluate(async () => {
      const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
      const answer = await fetch('/api/v2/companies?ordering=-wins', { headers: { authorization: `Bearer ${access}` } })
      const { results } = (await answer.json()) as { results: { tax_id: string | null }[] }
      return results.find(({ tax_id }) => tax_id !== null)!.tax_id!
    })
    await story.click(button(page.getByRole('banner'), /^ค้นหา/))
    const box = page.getByRole('combobox', { name: 'ค้นหาทั้งระบบ' })
    await expect(box).toBeFocused()
    await story.fill(box, taxId)
    await expect(page.getByRole('option').first()).toContainText(taxId)
    await box.press('Enter')
    await expect(page).toHaveURL(/\/companies\//)
    await story.click(page.getByRole('main').getByRole('link', { name: 'เปรียบเทียบ', exact: true }))
    await story.click(page.getByRole('region', { name: 'คู่แข่งที่พบบ่อย' }).getByRole('button').first())
    await expect(page.getByRole('heading', { name: 'สรุป' })).toBeVisible()
    expect(story.clicks).toBeLessThanOrEqual(4)
  })

  test('a filter with daily mail is saved by three clicks', async ({ page }) => {
    const story = new Story()
    const { email, password } = createColleague('tharamek', 'member_user')
    await signIn(page, email, '/report?project_name__in=กล้อง', password)
    await story.click(button(page, 'บันทึกตัวกรอง'))
    const dialog = page.getByRole('dialog', { name: 'บันทึกตัวกรอง' })
    await story.click(dialog.getByRole('checkbox', { name: /อีเมล/ }))
    await waitUntilStored(page, () => story.click(button(dialog, 'บันทึก')))
    expect(story.clicks).toBeLessThanOrEqual(3)
    await expect(page.getByRole('navigation', { name: 'ตัวกรองที่บันทึก' })).toContainText('ส่งทางอีเมล')
  })

  test('the report shows at most 50 controls outside its rows', async ({ page }) => {
    await signIn(page, MANAGER)
    await waitUntilLoaded(page)
    await expect.poll(async () => (await controlsOutsideRows(page)).length).toBeGreaterThan(30)
    const names = await controlsOutsideRows(page)
    expect(names.length, names.join(' | ')).toBeLessThanOrEqual(50)
  })
})

/** Makes the sales person mention the colleague in a note on the project, which notifies the colleague. */
async function mention(colleague: Account, projectId: string): Promise<void> {
  const accessOf = async (account: Account) =>
    ((await send('POST', '/auth/login/', undefined, account)) as { access: string }).access
  const { id } = (await send('GET', '/users/me', await accessOf(colleague))) as { id: string }
  const note = {
    action: 'add_note',
    id: `story-${createUniqueText()}`,
    text: '@คุณ ดูงานนี้ให้หน่อย',
    mentions: [Number(id)],
  }
  const sales = await accessOf({ email: SALES, password: PASSWORD })
  await send('PATCH', `/pursuits/${projectId}`, sales, { actions: [note] })
}

test.describe('on a phone', () => {
  test.use(PHONE)

  test('from the bell to a starred project copied for LINE takes four taps in one tab', async ({ page, context }) => {
    const story = new Story()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const colleague = createColleague('tharamek', 'member_user')
    await page.setViewportSize(DESK.viewport)
    await signIn(page, colleague.email, '/report', colleague.password)
    const id = await claimProject(page)
    await mention(colleague, id)
    await page.setViewportSize(PHONE.viewport)
    await page.reload()
    await story.click(button(page, /^การแจ้งเตือน/))
    await story.click(page.getByRole('dialog', { name: 'การแจ้งเตือน' }).getByRole('link').first())
    await expect(page).toHaveURL(new RegExp(`/report/${id}`))
    const bar = page.getByRole('group', { name: 'ตัดสินใจเรื่องนี้' })
    await waitUntilStored(page, () => story.click(button(bar, 'ติดดาว')))
    await story.click(button(bar, 'แชร์'))
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(id)
    expect(context.pages()).toHaveLength(1)
    expect(story.clicks).toBeLessThanOrEqual(4)
  })
})
