import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { type Effort, Hand } from './hand.ts'
import { withApp } from './with-app.ts'

/**
 * Three stories of people who live from tenders, walked through the built app in Chromium against a server with the sample, with every click, key and
 * typed field counted:
 *
 * - company: a new company on the phone, from the registration to its first report;
 * - morning: an analyst goes through 20 projects by keys and sends a colleague the link of the list;
 * - cameras: who wins cameras in the north-east.
 *
 *   npx node bench/screens/stories.ts [--only company,morning,cameras] [--port 4422] [--dir FOLDER] [--base URL]
 *
 * `--base` walks on a server that runs already and holds the sample, without SMTP_URL: the code is read in /outbox. The row "before" is no measurement:
 * it is counted from the code of commit 92600e0, the last one before the report had a start view.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4422' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    base: { type: 'string' },
    only: { type: 'string', default: 'company,morning,cameras' },
  },
})

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESK: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }
const ANALYST = 'sales@tharamek.example'
const COLLEAGUE = 'manager@tharamek.example'

type Step = { readonly what: string; readonly effort: Effort }
type Story = {
  readonly title: string
  readonly window: BrowserContextOptions
  /** Answers what the person has in the end. */
  readonly walk: (page: Page, step: (what: string) => Hand) => Promise<string>
  /** The same walk in the code of 92600e0. */
  readonly before: { readonly effort: string; readonly why: string }
}

const STORIES: Readonly<Record<string, Story>> = {
  company: {
    title: 'a new company on the phone, to its first report',
    window: PHONE,
    walk: company,
    before: {
      effort: '17 clicks, 0 keys, 8 fields',
      why: 'the same fields and steps; the set-up showed the boxes of every group unfolded, so none had to be opened',
    },
  },
  morning: {
    title: "an analyst's morning of 20 projects by keys, and the link to a colleague",
    window: DESK,
    walk: morning,
    before: {
      effort: '4 clicks, 27 keys, 2 fields',
      why: 'a click into the field of the login, two for what can still be bid for (the preset of the dates, the heading), one for the link, which held every filter',
    },
  },
  cameras: {
    title: 'who wins cameras in the north-east',
    window: DESK,
    walk: cameras,
    before: {
      effort: '22 clicks, 0 keys, 0 fields',
      why: 'the page, the menu of 77 provinces and 20 of its boxes; figures of a word group could not be had, so the answer was of every kind of work',
    },
  },
}

/** Registration, code, groups, words, report. */
async function company(page: Page, step: (what: string) => Hand): Promise<string> {
  const email = `stories-${Date.now()}@stories.example`
  await page.goto('/register')
  let hand = step('account')
  await hand.type(page.getByLabel('อีเมลที่ทำงาน'), email)
  await hand.type(page.getByLabel('รหัสผ่าน', { exact: true }), 'Chaophraya#2569')
  await hand.type(page.getByLabel('รหัสผ่านอีกครั้ง', { exact: true }), 'Chaophraya#2569')
  await hand.click(page.getByRole('checkbox', { name: /ยอมรับข้อกำหนด/ }))
  await hand.click(page.getByRole('button', { name: 'ต่อไป' }))
  hand = step('organisation')
  await hand.type(page.getByLabel('ชื่อองค์กร'), 'บริษัท กล้องอีสาน จำกัด')
  await hand.type(page.getByLabel('ชื่อ', { exact: true }), 'พิมพ์ชนก')
  await hand.type(page.getByLabel('นามสกุล'), 'วงศ์สวัสดิ์')
  await hand.type(page.getByLabel('เบอร์โทรศัพท์'), `08${String(Date.now()).slice(-8)}`)
  await hand.click(page.getByText('เพื่อนหรือคนรู้จักแนะนำ'))
  await hand.click(page.getByRole('button', { name: 'ส่งรหัสยืนยันไปที่อีเมล' }))
  hand = step('code')
  const field = page.getByLabel('รหัสยืนยัน 6 หลัก')
  await field.waitFor()
  await hand.type(field, await codeFor(page, email))
  hand = step('groups')
  await page.getByRole('heading', { level: 1, name: 'ขายอะไรให้ภาครัฐ' }).waitFor()
  await hand.click(page.getByRole('button', { name: /เทคโนโลยีสารสนเทศ/ }))
  await hand.click(page.getByRole('checkbox', { name: 'กล้องวงจรปิดและรักษาความปลอดภัย' }))
  await page.getByText(/โครงการต่อวันทำการ/).waitFor()
  await hand.click(page.getByRole('button', { name: 'ต่อไป' }))
  for (const heading of ['คำที่ต้องมีในชื่อโครงการ', 'อะไรที่ไม่ต้องการเห็น', 'หน่วยงานและพื้นที่']) {
    hand = step(heading)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await hand.click(page.getByRole('button', { name: 'ต่อไป' }))
  }
  hand = step('report')
  await hand.click(page.getByRole('button', { name: 'บันทึกและเปิดรายงาน' }))
  await page.locator('li[data-project-id]').first().waitFor({ timeout: 60_000 })
  return found(page)
}

/** The six digits of the mail, read as its reader would, in another window. */
async function codeFor(page: Page, email: string): Promise<string> {
  const outbox = await page.context().newPage()
  await outbox.goto('/outbox')
  const mail = outbox.getByRole('listitem').filter({ hasText: email }).getByRole('link').first()
  for (let tries = 0; tries < 40 && (await mail.count()) === 0; tries += 1) {
    await outbox.waitForTimeout(250)
    await outbox.reload()
  }
  await mail.click()
  const code = /(?:^|\s)(\d{6})(?:\s|$)/.exec(await outbox.locator('pre').innerText())![1]!
  await outbox.close()
  return code
}

/** Login, the queue of what can still be bid for, 20 decisions, the link of the list. */
async function morning(page: Page, step: (what: string) => Hand): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  let hand = step('login')
  await logIn(page, hand, ANALYST)
  await page.locator('main tr[data-index]').first().waitFor()
  hand = step('20 projects')
  const panel = page.getByRole('dialog', { name: 'ไล่ดูรายการเช้านี้' })
  const shown = async () => /\d{11}/.exec(await panel.getByRole('article').innerText())?.[0]
  // Keys are listened to a moment behind the first rows.
  await page.waitForLoadState('networkidle')
  await hand.key('q')
  await panel.getByRole('article').waitFor()
  for (let project = 0; project < 20; project += 1) {
    // Three are worth a second look, five are not for us, the others are known now.
    if ([2, 7, 12].includes(project)) await hand.key('b')
    const before = await shown()
    await hand.key([4, 5, 9, 14, 17].includes(project) ? 'x' : 'j')
    await page.waitForFunction(
      (id) => !document.querySelector('[role="dialog"] article')?.textContent?.includes(id),
      before!,
    )
  }
  const said = await panel.getByRole('progressbar').getAttribute('aria-valuetext')
  await hand.key('Escape')
  await panel.waitFor({ state: 'detached' })
  hand = step('link to a colleague')
  await hand.key('Control+k')
  await hand.type(page.getByRole('combobox', { name: 'ค้นและไปที่' }), 'คัดลอก')
  await hand.key('Enter')
  await page.getByText('คัดลอกลิงก์แล้ว').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  if (!/\/s\/[\w-]+$/.test(link)) throw new Error(`not a short link: ${link}`)
  const theirs = await page
    .context()
    .browser()!
    .newContext({ ...DESK, baseURL: new URL(page.url()).origin })
  const colleague = await theirs.newPage()
  await logIn(colleague, new Hand(colleague), COLLEAGUE)
  await colleague.goto(link)
  await colleague.locator('main tr[data-index]').first().waitFor()
  const same = new URL(colleague.url()).search === new URL(page.url()).search
  await theirs.close()
  return `${said}; ${link.length} characters of link, the colleague has ${same ? 'the same list' : 'ANOTHER LIST'}`
}

/** Login, the page of companies, the words, the region, the first row. */
async function cameras(page: Page, step: (what: string) => Hand): Promise<string> {
  await logIn(page, new Hand(page), ANALYST)
  await page.locator('main tr[data-index]').first().waitFor()
  let hand = step('the page')
  await hand.click(page.getByRole('link', { name: 'ข้อมูลบริษัท' }).first())
  const rows = page.locator('main [data-company]')
  await rows.first().waitFor()
  hand = step('the words')
  const scope = page.getByRole('region', { name: 'ขอบเขตของตัวเลข' })
  await hand.click(scope.getByRole('button', { name: /^กลุ่มคำ/ }))
  await hand.click(
    page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /กล้อง|CCTV/ })
      .first(),
  )
  hand = step('the region')
  await hand.click(scope.getByRole('button', { name: /^จังหวัด/ }))
  await hand.click(page.getByRole('dialog').getByRole('checkbox', { name: /ตะวันออกเฉียงเหนือ/ }))
  await page.waitForURL(/northeast/)
  await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
  await rows.first().waitFor()
  return (await rows.first().innerText()).split('\n').slice(0, 3).join(' · ')
}

async function logIn(page: Page, hand: Hand, email: string): Promise<void> {
  await page.goto('/login')
  await hand.type(page.getByLabel('อีเมล'), email)
  await hand.key('Tab')
  await hand.type(page.getByLabel('รหัสผ่าน', { exact: true }), SAMPLE_PASSWORD)
  await hand.key('Enter')
  await page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' }).waitFor()
}

async function found(page: Page): Promise<string> {
  return (
    (await page
      .getByText(/^พบ [\d,]+ โครงการ$/)
      .first()
      .textContent()) ?? ''
  )
}

const sumOf = (steps: readonly Step[]) =>
  steps.reduce<Effort>(
    (sum, { effort }) => ({
      clicks: sum.clicks + effort.clicks,
      keys: sum.keys + effort.keys,
      fields: sum.fields + effort.fields,
      letters: sum.letters + effort.letters,
      screens: sum.screens + effort.screens,
    }),
    { clicks: 0, keys: 0, fields: 0, letters: 0, screens: 0 },
  )

function line(name: string, { clicks, keys, fields, letters, screens }: Effort): string {
  const cells = [clicks, keys, fields, letters, screens.toFixed(1)].map((cell) => String(cell).padStart(9))
  return `${name.padEnd(34)}${cells.join('')}`
}

async function tell(chrome: Browser, baseURL: string, { title, window, walk, before }: Story): Promise<void> {
  const context = await chrome.newContext({ baseURL, locale: 'th-TH', timezoneId: 'Asia/Bangkok', ...window })
  const page = await context.newPage()
  const steps: Step[] = []
  const step = (what: string) => {
    const hand = new Hand(page)
    steps.push({ what, effort: hand.effort })
    return hand
  }
  console.log(`\n${title}`)
  try {
    const end = await walk(page, step)
    console.log(
      `${''.padEnd(34)}${['clicks', 'keys', 'fields', 'letters', 'scrolled'].map((head) => head.padStart(9)).join('')}`,
    )
    for (const { what, effort } of steps) console.log(line(what, effort))
    console.log(line('now', sumOf(steps)))
    console.log(`before, counted from the code of 92600e0: ${before.effort} (${before.why})`)
    console.log(`end: ${end}`)
  } finally {
    await context.close()
  }
}

await withApp(values, async (browser, base) => {
  for (const name of values.only.split(',')) {
    const story = STORIES[name]
    if (!story) throw new Error(`no story ${name}: ${Object.keys(STORIES).join(', ')}`)
    await tell(browser, base, story)
  }
})
