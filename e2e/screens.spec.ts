import { expect, type Page, test } from '@playwright/test'
import { PHONE } from './axe.ts'
import { createColleague } from './own.ts'
import { waitUntilMarketLoaded } from './page-facts.ts'
import { findMisfits, findScrollFailures } from './screen-fit.ts'
import { readProjectIds, signIn } from './sign-in.ts'

/**
 * Every screen at every window size, for an account with all kinds of data. Each screen is loaded once and then
 * resized.
 */

const DESKS = [
  { width: 1440, height: 900 },
  { width: 1366, height: 768 },
  { width: 1280, height: 720 },
  { width: 1024, height: 768 },
] as const

const SETTINGS = [
  ...['me', 'me&part=security', 'me&part=display', 'notifications', 'team', 'team&part=stages'],
  ...['team&part=qualifications', 'team&part=package', 'connect', 'connect&part=webhooks'],
]

type World = { readonly project: string; readonly company: string; readonly agency: string }

const screensOf = ({ project, company, agency }: World): readonly string[] => [
  '/report',
  '/report?project_bidding__in=open&ordering=submission_end_date',
  '/report?project_status__in=in_progress&project_budget__range=500000,90000000&check_sme=true&project_name__in=ซื้อ%7C%7Cจ้าง%7C%7Cก่อสร้าง',
  '/report?view=who_wins&market=true',
  '/report?ends_within=730&view=contract_ends',
  '/report?is_archived=true',
  '/report?project_hidden=true',
  '/report?project_bookmark=true',
  '/report#saved-filters',
  '/report#labels',
  '/report#columns',
  ...['', '?tab=prices', '?tab=bidders', '?tab=files', '?tab=changes'].map((tab) => `/report/${project}${tab}`),
  '/report/11111111111',
  '/board',
  '/calendar',
  '/calendar?view=week',
  '/calendar?view=agenda',
  '/results?all=true',
  '/watch',
  '/watch?tab=hidden',
  '/watch?tab=why',
  '/companies',
  `/companies/${encodeURIComponent(company)}`,
  `/agencies/${encodeURIComponent(agency)}`,
  '/company-comparison',
  '/budget',
  ...SETTINGS.map((tab) => `/settings?tab=${tab}`),
  '/coverage',
  '/logs',
  '/group-watch',
  '/nowhere',
]

/**
 * Signs in a colleague with long names, a hidden project, a star, a label and saved filters. Returns ids for the
 * screens.
 */
async function signInWithAll(page: Page): Promise<World> {
  const { email, password } = createColleague('tharamek', 'super_user')
  await page.setViewportSize(DESKS[0])
  await signIn(page, email, '/report', password)
  const [project, hidden] = (await readProjectIds(page, 2)) as [string, string]
  const facts = await page.evaluate(
    async ([starred, away]) => {
      const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
      const send = async (method: string, address: string, body?: object) => {
        const answer = await fetch(`/api/v2${address}`, {
          method,
          headers: { authorization: `Bearer ${access}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${await answer.text()}`)
        return await answer.json()
      }
      const data = { filter: { bookmark: true }, search: [] }
      const patches = [
        { first_name: 'พระนางเจ้าสุวัทนา', last_name: 'เทพหัสดินทร์ ณ อยุธยาธิบดี' },
        { hide_action: { action: 'add', project_id: away } },
        { bookmark_action: 'add', project_bookmark: [starred] },
        {
          label_action: 'create_label',
          project_id: starred,
          label_id: 'long',
          label_name: 'ป้ายกำกับชื่อยาวที่สุดเท่าที่คนตั้ง',
          label_color: 'sky',
        },
        ...[1, 2, 3, 4, 5, 6].map((n) => ({
          filter_action: 'add',
          filter_id: `f${n}`,
          filterName: `ตัวกรองที่บันทึกไว้ชื่อยาวพอสมควร ${n}`,
          filterData: data,
        })),
      ]
      for (const patch of patches) await send('PATCH', '/users/me', patch)
      await send('PATCH', `/pursuits/${starred}`, { actions: [{ action: 'decide', decision: 'bid' }] })
      const { results } = (await send('GET', '/companies')) as { results: { name: string }[] }
      const { results: rows } = (await send('GET', '/projects')) as { results: { dept_name: string }[] }
      return { company: results[0]!.name, agency: rows[0]!.dept_name }
    },
    [project, hidden] as const,
  )
  return { project, ...facts }
}

async function drawn(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached()
  await waitUntilMarketLoaded(page)
  await page.evaluate(() => document.fonts.ready)
}

test('fits 1440, 1366, 1280 and 1024 px: no sideways scroll, no clipped control, no document taller than the app', async ({
  page,
}) => {
  test.setTimeout(420_000)
  const world = await signInWithAll(page)
  for (const address of screensOf(world)) {
    await test.step(address, async () => {
      await page.goto(address)
      await drawn(page)
      for (const size of DESKS) {
        await page.setViewportSize(size)
        const at = `${address} at ${size.width} px`
        // The layout follows a resize one or two frames later, so the check polls.
        await expect.soft.poll(() => findMisfits(page), at).toEqual([])
        // The row of tabs scrolls without a visible scrollbar, so it must fit, or the last tab would be hidden.
        const segments = page.getByRole('tablist', { name: 'การยื่นข้อเสนอ' })
        if ((await segments.count()) > 0)
          await expect
            .soft(
              segments.evaluate((row) => row.scrollWidth - row.clientWidth),
              `${at}: segments`,
            )
            .resolves.toBeLessThanOrEqual(0)
        if (size.width === 1440 || size.width === 1280)
          expect.soft(await findScrollFailures(page), `${at}, scrolled to the end`).toEqual([])
      }
    })
  }
  // Three words do not fit into the unfocused search box, which then shows how many words are hidden.
  await page.setViewportSize(DESKS[2])
  const words = ['ก่อสร้างถนนคอนกรีตเสริมเหล็ก', 'ปรับปรุงระบบประปา', 'กล้องวงจรปิด']
  await page.goto(`/report?project_name__in=${encodeURIComponent(words.join('||'))}`)
  await drawn(page)
  const search = page.getByRole('search')
  await expect(search.getByText(/^\+[12]$/)).toBeVisible()
  await search.getByRole('textbox').focus()
  for (const word of words) await expect(search.getByText(word, { exact: true })).toBeInViewport({ ratio: 1 })
  // A list opens below its button, aligned to its right edge in the right half of the window (specification section 9).
  for (const [address, name, edge] of [
    ['/report', /^ค้นใน/, 'right'],
    [`/report/${world.project}`, /^ขั้น/, 'right'],
  ] as const) {
    await page.goto(address)
    await drawn(page)
    const button = page.getByRole('button', { name }).first()
    await button.click()
    const options = page.getByRole('listbox', { name })
    await expect(options).toBeVisible()
    const edgeOf = (locator: typeof button) =>
      locator.evaluate((element, side) => Math.round(element.getBoundingClientRect()[side]), edge)
    await expect.poll(async () => (await edgeOf(options)) - (await edgeOf(button)), `${name}`).toBe(0)
    await page.keyboard.press('Escape')
  }
  await page.goto('/report')
  await drawn(page)
  for (const size of DESKS) {
    await page.setViewportSize(size)
    for (const name of [/^เมนูผู้ใช้/, /การแจ้งเตือน/]) {
      const button = page.getByRole('banner').getByRole('button', { name }).first()
      await button.click()
      await expect(page.getByRole('dialog').or(page.getByRole('menu')).first()).toBeVisible()
      expect.soft(await findMisfits(page), `${name} at ${size.width} px`).toEqual([])
      await page.keyboard.press('Escape')
    }
  }
})

test.describe('phone', () => {
  test.use(PHONE)

  test('fits 390 px and shows the project decision without scrolling', async ({ page }) => {
    test.setTimeout(240_000)
    const world = await signInWithAll(page)
    await page.setViewportSize(PHONE.viewport)
    for (const address of screensOf(world)) {
      await test.step(address, async () => {
        await page.goto(address)
        await drawn(page)
        await expect.soft.poll(() => findMisfits(page), address).toEqual([])
        expect.soft(await findScrollFailures(page), `${address}, scrolled to the end`).toEqual([])
      })
    }
    await page.goto(`/report/${world.project}`)
    for (const name of ['ยื่น', 'ไม่ยื่น'])
      await expect(
        page.getByRole('group', { name: 'ตัดสินใจเรื่องนี้' }).getByRole('button', { name, exact: true }),
      ).toBeInViewport({ ratio: 1 })
  })
})
