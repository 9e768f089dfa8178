import type { Page } from 'playwright'

export type Screen = {
  readonly name: string
  readonly address: string
  readonly isSignedOut?: true
  readonly on?: 'desk' | 'phone'
  readonly isPaper?: true
  readonly open?: (page: Page, isPhone: boolean) => Promise<unknown>
}

const heading = (page: Page) => page.getByRole('heading').filter({ visible: true }).first().waitFor()
const rows = (page: Page) => page.locator('main :is(tr[data-index], li[data-project-id])').first().waitFor()
const named = (text: string | RegExp) => (page: Page) =>
  page.getByText(text).filter({ visible: true }).first().waitFor()

const NEW_ACCOUNT = { password: 'Chaophraya#2569' }
const newEmail = () => `shots-${Date.now()}@shots.example`

async function registerStepTwo(page: Page): Promise<void> {
  await page.getByLabel('อีเมลที่ทำงาน').fill(newEmail())
  for (const label of ['รหัสผ่าน', 'รหัสผ่านอีกครั้ง'])
    await page.getByLabel(label, { exact: true }).fill(NEW_ACCOUNT.password)
  await page.getByRole('checkbox', { name: /ยอมรับข้อกำหนด/ }).check()
  await page.getByRole('button', { name: 'ต่อไป' }).click()
  await page.getByRole('heading', { level: 1, name: 'ข้อมูลองค์กร' }).waitFor()
}

async function registerStepThree(page: Page): Promise<void> {
  await registerStepTwo(page)
  await page.getByLabel('ชื่อองค์กร').fill('บริษัท ภาพถ่าย จำกัด')
  await page.getByLabel('ชื่อ', { exact: true }).fill('พิมพ์ชนก')
  await page.getByLabel('นามสกุล').fill('วงศ์สวัสดิ์')
  await page.getByLabel('เบอร์โทรศัพท์').fill(`08${String(Date.now()).slice(-8)}`)
  await page.getByText('เพื่อนหรือคนรู้จักแนะนำ').click()
  await page.getByRole('button', { name: 'ส่งรหัสยืนยันไปที่อีเมล' }).click()
  await page.getByLabel('รหัสยืนยัน 6 หลัก').waitFor()
}

async function firstProject(page: Page): Promise<void> {
  await rows(page)
  const link = page.locator('main [data-project-link]').first()
  await page.goto((await link.getAttribute('href'))!)
  await page.getByRole('list', { name: 'วันสำคัญของโครงการ' }).waitFor()
}

async function firstCompany(page: Page): Promise<void> {
  const link = page.locator('main a[href^="/companies/"]').first()
  await link.waitFor()
  await page.goto((await link.getAttribute('href'))!)
  await page.getByRole('article', { name: 'งานที่ชนะ' }).waitFor()
}

async function broken(page: Page): Promise<void> {
  await page.route(/\/api\/v2\/projects(\?|$)/, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', request_id: '0123456789abcdef' } }),
  )
  await page.reload()
  await page
    .getByRole('main')
    .getByText(/ไม่สำเร็จ/)
    .first()
    .waitFor({ timeout: 60_000 })
}

export const SCREENS: readonly Screen[] = [
  { name: 'login', address: '/login', isSignedOut: true, open: heading },
  { name: 'register-1', address: '/register', isSignedOut: true, open: heading },
  { name: 'register-2', address: '/register', isSignedOut: true, open: registerStepTwo },
  { name: 'register-3', address: '/register', isSignedOut: true, open: registerStepThree },
  { name: 'reset', address: '/reset-password', isSignedOut: true, open: heading },
  { name: 'reset-unknown', address: '/reset-password/unknown', isSignedOut: true, open: heading },
  { name: 'contact', address: '/contact', isSignedOut: true, open: heading },
  { name: 'mail-link', address: '/mail-link?token=unknown', isSignedOut: true, open: heading },
  { name: 'outbox', address: '/outbox', isSignedOut: true },
  { name: 'report', address: '/report', open: rows },
  { name: 'report-open', address: '/report?project_bidding__in=open&ordering=submission_end_date', open: rows },
  {
    name: 'report-filter-sheet',
    address: '/report',
    on: 'phone',
    open: async (page) => {
      await rows(page)
      await page.getByRole('button', { name: /^กรอง/ }).tap()
      await page.getByRole('dialog', { name: 'ตัวกรอง' }).getByRole('checkbox').first().waitFor()
    },
  },
  {
    name: 'report-peek',
    address: '/report',
    on: 'desk',
    open: async (page) => {
      await rows(page)
      await page.locator('main tr[data-index="1"] [data-project-link]').click()
      await page.getByRole('complementary', { name: 'ดูย่อโครงการ' }).waitFor()
    },
  },
  {
    name: 'report-queue',
    address: '/report?queue=true',
    open: (page) => page.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' }).getByRole('article').waitFor(),
  },
  {
    name: 'report-empty',
    address: '/report?project_budget__range=1,2&project_status__in=in_progress',
    open: named('ไม่มีโครงการที่ตรงกับตัวกรองทั้งหมดนี้'),
  },
  { name: 'report-stars-empty', address: '/report?project_hidden=true', open: heading },
  { name: 'report-error', address: '/report', open: broken },
  {
    name: 'report-print',
    address: '/report?project_budget__range=180000.01,320000000',
    isPaper: true,
    on: 'desk',
    open: async (page) => {
      await rows(page)
      await page.emulateMedia({ media: 'print' })
    },
  },
  {
    name: 'palette',
    address: '/report',
    on: 'desk',
    open: async (page) => {
      await rows(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'ค้นหาทั้งระบบ' }).fill('กล้อง')
      await page.getByRole('group', { name: 'โครงการ', exact: true }).waitFor()
    },
  },
  {
    name: 'notifications',
    address: '/report',
    open: async (page) => {
      await rows(page)
      await page
        .getByRole('button', { name: /การแจ้งเตือน/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('tab').first().waitFor()
    },
  },
  {
    name: 'drawer',
    address: '/report',
    on: 'phone',
    open: async (page) => {
      await rows(page)
      await page.getByRole('button', { name: 'เมนู', exact: true }).tap()
      await page.getByRole('dialog', { name: 'ตามงาน' }).waitFor()
    },
  },
  { name: 'project', address: '/report', open: firstProject },
  { name: 'project-unknown', address: '/report/11111111111', open: heading },
  {
    name: 'companies',
    address: '/companies',
    open: (page) => page.locator('main a[href^="/companies/"]').first().waitFor(),
  },
  { name: 'company', address: '/companies', open: firstCompany },
  {
    name: 'comparison-start',
    address: '/company-comparison',
    open: (page) => page.getByRole('region', { name: 'คู่ที่พบกันบ่อย' }).getByRole('button').first().waitFor(),
  },
  {
    name: 'comparison',
    address: '/company-comparison',
    open: async (page) => {
      await page.getByRole('region', { name: 'คู่ที่พบกันบ่อย' }).getByRole('button').first().click()
      await page.getByRole('heading', { name: 'สรุป' }).waitFor()
    },
  },
  { name: 'budget', address: '/budget', open: heading },
  { name: 'watch', address: '/watch', open: heading },
  { name: 'board', address: '/board', open: heading },
  { name: 'calendar', address: '/calendar', open: heading },
  { name: 'results', address: '/results', open: heading },
  { name: 'group-watch', address: '/group-watch', open: heading },
  ...['me', 'me&part=security', 'me&part=display', 'notifications', 'team&part=package'].map(
    (tab): Screen => ({
      name: `settings-${tab.replace('&part=', '-')}`,
      address: `/settings?tab=${tab}`,
      open: (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
    }),
  ),
  { name: 'coverage', address: '/coverage', open: heading },
  { name: 'usage-log', address: '/logs', open: named(/เข้าสู่ระบบ|ค้นหาในรายงาน/) },
  { name: 'nowhere', address: '/nowhere', open: heading },
]
