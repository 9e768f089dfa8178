import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { runAdmin, runCommand } from './admin.ts'
import { currentServer } from './servers.ts'

/**
 * R33: text that users, importers and government files may contain, in every place that shows it. Runs after all other
 * tests, because the import is a load; its projects carry a word that only this organisation watches.
 */
const WORD = 'คำนอกพจนานุกรม'
const HOSTILE = [
  '<script>window.struck=1</script>',
  '<img src=x onerror="window.struck=1">',
  '<svg onload="window.struck=1">',
  'javascript:window.struck=1',
  `"'><b onfocus=window.struck=1 autofocus>`,
  '{{constructor.constructor("window.struck=1")()}}${window.struck=1}',
  '</title></textarea></style><script>window.struck=1</script>',
  '\u202Eกลับทิศ\u202C',
  `น${'้'.repeat(60)}`,
] as const
const [SCRIPT, IMAGE, SVG] = HOSTILE
/** Hostile texts that are valid watch words, without the quotes and brackets that are syntax of the search grammar. */
const WORDS = HOSTILE.filter((text) => !/["(){}|]/.test(text)).concat(IMAGE.replaceAll('"', '') as typeof IMAGE)
/** The organisation is named after the process id, so that a retry uses a new organisation. */
const ORGANISATION = { code: `hostile-${process.pid}`, email: `writer-${process.pid}@hostile.example` }
const PROJECTS = HOSTILE.map((text, at) => ({ id: `6999900000${at}`, name: `ซื้อ${WORD} ${text}` }))
const FIRST = PROJECTS[1]!
const COMPANY = `บริษัท ${IMAGE} จำกัด`

let headers: { authorization: string }
let password: string

test.beforeAll(async ({ playwright }) => {
  // Removing the demo data before the import takes two minutes on a busy machine.
  test.setTimeout(300_000)
  runAdmin('create-organisation', ORGANISATION.code, `องค์กร ${process.pid} ${IMAGE}`)
  for (const flag of ['company-compare', 'company-comparison']) runAdmin('set-flag', ORGANISATION.code, flag, 'on')
  runAdmin('set-window', ORGANISATION.code, 'off')
  const output = runAdmin(
    ...['create-user', ORGANISATION.code, ORGANISATION.email, '--first-name', `ชื่อ ${SCRIPT}`],
    ...['--last-name', IMAGE, '--role', 'super_user'],
  )
  password = output.trim().split('\n').at(-1)!.trim()
  const api = await playwright.request.newContext({ baseURL: currentServer().url })
  const login = await api.post('/api/v2/auth/login/', { data: { email: ORGANISATION.email, password } })
  expect(login.ok(), output).toBe(true)
  const tokens = (await login.json()) as { access: string; refresh: string }
  headers = { authorization: `Bearer ${tokens.access}` }
  importProjects()
  await write(api)
  await expect
    .poll(async () => (await (await api.get('/api/v2/projects', { headers })).json()).total_project ?? 0, {
      timeout: 60_000,
    })
    .toBeGreaterThanOrEqual(HOSTILE.length)
})

async function write(api: APIRequestContext): Promise<void> {
  const send = async (method: 'post' | 'patch', address: string, data: object) => {
    const answer = await api[method](`/api/v2/${address}`, { headers, data })
    expect([address, answer.status(), answer.ok() ? '' : await answer.text()]).toEqual([address, 200, ''])
  }
  // The exclusion words get a suffix, so that they differ from the project names and exclude none of the projects.
  const words = WORDS.map((text) => ({ word: `${text} อื่น`, group: `กลุ่ม ${IMAGE}` }))
  await send('post', 'organisations/me', { include_keywords: [{ word: WORD }], exclude_keywords: words })
  await send('patch', 'organisations/me', { update_register_status: { is_watchlist_completed: true } })
  for (const [at, text] of HOSTILE.entries()) {
    const name = text.slice(0, 40)
    const label = {
      action: 'create_label',
      label_id: `l${at}`,
      label_name: name,
      label_color: 'rose',
      project_ids: PROJECTS.map(({ id }) => id),
    }
    await send('patch', 'users/me', { label_action: label })
    await send('patch', 'users/me', {
      filter_action: {
        action: 'add',
        filter_id: `f${at}`,
        filterName: name,
        filterData: { filter: {}, search: [{ key: 'project_name__in', value: WORD, negation: false }] },
      },
    })
  }
}

function importProjects(): void {
  const releases = PROJECTS.map(({ id, name }, at) => ({
    ocid: `ocds-test-${id}`,
    date: '2026-11-20T00:00:00Z',
    buyer: { name: `กรม ${SVG}` },
    tender: {
      id,
      title: name,
      datePublished: '2026-11-20T00:00:00+07:00',
      tenderPeriod: { endDate: '2026-12-20T00:00:00+07:00' },
      value: { amount: 900_000, currency: 'THB' },
      documents: HOSTILE.map((text, at) => ({
        id: String(at),
        title: text,
        url: at === 3 ? text : `https://files.example/${at}?${text}`,
      })),
    },
    planning: { budget: { amount: { amount: 1_000_000, currency: 'THB' } } },
    awards:
      at !== PROJECTS.indexOf(FIRST)
        ? []
        : [
            {
              id: 'a',
              status: 'active',
              date: '2026-11-20T00:00:00+07:00',
              value: { amount: 800_000, currency: 'THB' },
              suppliers: [{ id: 's', name: COMPANY }],
            },
          ],
  }))
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'hostile-')), 'releases.json')
  writeFileSync(file, JSON.stringify({ releases }))
  const output = runCommand(currentServer().dataDir, 'import', file, '--source', 'ocds', '--retire-sample')
  expect(output).toMatch(new RegExp(`read ${HOSTILE.length} `))
}

async function watchFor(page: Page): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('recordBreach', (text: string) => void seen.push(text))
  await page.addInitScript(() => {
    const note = (text: string) => (window as unknown as { recordBreach(text: string): void }).recordBreach(text)
    Object.defineProperty(window, 'struck', { set: () => note('a script ran') })
    document.addEventListener('securitypolicyviolation', (event) =>
      note(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    )
  })
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => seen.push(`error ${error.message}`))
  page.on('console', (line) => {
    if (line.type() === 'error' && /policy|trusted/i.test(line.text())) seen.push(line.text())
  })
  return seen
}

async function shows(page: Page, address: string, ...texts: readonly string[]): Promise<void> {
  await page.goto(address)
  for (const text of texts) await expect(page.getByText(text).first()).toBeVisible()
  expect(
    await page
      .locator('script:not([src]), [onerror], [onload], [onfocus], img[src="x"], a[href^="javascript:" i]')
      .count(),
  ).toBe(0)
}

test.beforeEach(async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(ORGANISATION.email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
})

test('R33: shows hostile names of projects, files, companies and labels as text on every project screen', async ({
  page,
}) => {
  const breaches = await watchFor(page)
  await shows(page, '/report', ...PROJECTS.slice(0, 3).map(({ name }) => name), IMAGE, SVG)
  for (const { name } of PROJECTS.slice(0, 3)) await page.getByText(name).first().hover()

  await shows(page, `/report?peek=${FIRST.id}`, FIRST.name)
  await expect(page.getByRole('complementary').last()).toContainText(FIRST.name)
  await page.getByRole('button', { name: /^ป้าย / }).first().click()
  await expect(page.getByRole('dialog').getByText(SCRIPT.slice(0, 40)).first()).toBeVisible()
  await page.keyboard.press('Escape')

  await shows(page, `/report/${FIRST.id}`, FIRST.name, SVG)
  await expect(page).toHaveTitle(/<img src=x/)
  const links = page.locator('a[target=_blank]')
  await expect(page.locator('a[href^="https://files.example/"]').first()).toBeVisible()
  for (const link of await links.all()) {
    expect(await link.getAttribute('href')).toMatch(/^(https?:\/\/|\/)/)
    expect(await link.getAttribute('rel')).toContain('noopener')
  }
  await shows(page, `/companies?project_winner_name__in=${encodeURIComponent('<img')}`, COMPANY)
  await page.getByRole('link', { name: COMPANY }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(IMAGE)
  await shows(page, `/company-comparison?project_winner_name__in=${encodeURIComponent(COMPANY)}`, COMPANY)
  expect(breaches).toEqual([])
})

test('R33: shows hostile words, filters, labels and names as text in lists, settings, confirmations, notices, log and mail', async ({
  page,
}) => {
  const breaches = await watchFor(page)
  await shows(page, '/watch', SCRIPT, IMAGE.replaceAll('"', ''), `กลุ่ม ${IMAGE}`)
  await page.getByRole('button', { name: `ลบ ${SCRIPT} อื่น` }).click()
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: SCRIPT }).first()).toBeVisible()
  await shows(page, '/watch?tab=hidden', SCRIPT)

  await shows(page, '/settings', IMAGE)
  await shows(page, '/settings?tab=team&part=package', IMAGE)
  await shows(page, '/report#labels', IMAGE, SCRIPT.slice(0, 40))
  await page.getByRole('button', { name: `ลบป้าย ${IMAGE}` }).click()
  await expect(page.getByRole('group', { name: /^ยืนยันการลบป้าย/ })).toContainText(IMAGE)
  await page.getByRole('button', { name: 'ลบป้าย', exact: true }).click()
  await shows(page, '/report#saved-filters', IMAGE)
  await page.getByRole('button', { name: `ลบ ${IMAGE}` }).click()
  await expect(page.getByRole('status').or(page.getByRole('alert')).filter({ hasText: IMAGE }).first()).toBeVisible()

  await shows(page, '/settings?tab=notifications')
  await page
    .getByRole('button', { name: /ตัวอย่าง/ })
    .first()
    .click()
  const mail = page.frameLocator('iframe[title="ตัวอย่างอีเมลรายงาน"]')
  await expect(mail.getByText(PROJECTS[2]!.name).first()).toBeVisible()
  expect(await mail.locator('script, img[src="x"], [onload]').count()).toBe(0)

  await shows(page, '/logs', IMAGE)
  expect(breaches).toEqual([])
})
