import { expect, type Page, test } from '@playwright/test'
import { expectNoSidewaysScroll, waitUntilStored } from './page-facts.ts'
import { enterDemo, readProjectIds, waitForProjectCount } from './sign-in.ts'

const banner = (page: Page) => page.getByRole('note').filter({ hasText: 'กำลังดูข้อมูลตัวอย่าง' })
const rowOf = (page: Page, id: string) => page.getByRole('row').filter({ hasText: id })

/** Sends a request and retries while the response is 503: the database may be busy for seconds after the start. */
async function send(page: Page, method: string, path: string, body?: object) {
  let answer = { status: 0, text: '' }
  await expect(async () => {
    answer = await sendOnce(page, method, path, body)
    expect(answer.status).not.toBe(503)
  }).toPass({ timeout: 30_000 })
  return answer
}

function sendOnce(page: Page, method: string, path: string, body?: object) {
  return page.evaluate(
    async ([verb, address, json]) => {
      const { access } = JSON.parse(localStorage.getItem('tamngan.session')!) as { access: string }
      const headers = { authorization: `Bearer ${access}`, ...(json ? { 'content-type': 'application/json' } : {}) }
      const answer = await fetch(`/api/v2${address}`, { method: verb, headers, ...(json ? { body: json } : {}) })
      const parsed = (await answer.json().catch(() => ({}))) as { non_field_errors?: string[] }
      return { status: answer.status, text: parsed.non_field_errors?.[0] ?? '' }
    },
    [method, path, body && JSON.stringify(body)] as const,
  )
}

test('a visitor enters by one link, and visitors do not see each other’s changes (C6)', async ({ browser }) => {
  const [firstPage, secondPage] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()),
  )
  await Promise.all([enterDemo(firstPage!), enterDemo(secondPage!)])
  await expect(firstPage!).toHaveURL(/\/report$/)
  await expect
    .poll(() => firstPage!.evaluate(() => document.referrer + JSON.stringify(history.state) + location.href))
    .not.toContain('refkey')
  await expect(banner(firstPage!)).toContainText('อาจไม่ตรงกับคำค้นของบริษัทคุณ')

  const total = await waitForProjectCount(secondPage!)
  const [starred, labelled, hidden] = await readProjectIds(firstPage!, 3)
  const before = await rowOf(secondPage!, starred!).getByRole('button', { name: /ดาว/ }).getAttribute('aria-pressed')
  await waitUntilStored(firstPage!, () => rowOf(firstPage!, starred!).getByRole('button', { name: /ดาว/ }).click())
  const label = { label_id: `demo-${Date.now()}`, label_name: 'ป้ายของฉันเอง', label_color: 'sky', project_id: labelled }
  const filter = {
    id: `f-${Date.now()}`,
    filterName: 'ตัวกรองของฉันเอง',
    isSend: false,
    filterData: { filter: {}, search: [] },
  }
  for (const change of [
    { label_action: { action: 'create_label', ...label } },
    { bookmark_action: { action: 'add', project_id: labelled } },
    { hide_action: { action: 'add', project_id: hidden } },
    {
      filter_action: { action: 'add', filter_id: filter.id, filterName: filter.filterName },
      project_save_filter_profile: [filter],
    },
  ])
    expect(await send(firstPage!, 'PATCH', '/users/me', change)).toMatchObject({ status: 200 })
  await firstPage!.reload()
  await expect.poll(() => waitForProjectCount(firstPage!)).toBe(total - 1)
  await expect(firstPage!.getByText(label.label_name).first()).toBeVisible()

  await secondPage!.reload()
  await expect.poll(() => waitForProjectCount(secondPage!)).toBe(total)
  await expect(rowOf(secondPage!, starred!).getByRole('button', { name: /ดาว/ })).toHaveAttribute(
    'aria-pressed',
    before!,
  )
  await expect(secondPage!.getByText(label.label_name)).toHaveCount(0)
  await expect(secondPage!.getByText(filter.filterName)).toHaveCount(0)
  await Promise.all([firstPage!.context().close(), secondPage!.context().close()])
})

test('the server also rejects pages and requests that the demo hides, and the demo offers a trial', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enterDemo(page)
  await expect.poll(async () => (await banner(page).boundingBox())?.height ?? Infinity).toBeLessThan(90)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: /เมนู/ }).first().click()
  await expect(page.getByRole('dialog').getByText('คำติดตาม')).toBeVisible()
  for (const name of ['ตั้งค่า', 'ประวัติการใช้งาน', 'ออกจากระบบ'])
    await expect(page.getByRole('dialog').getByText(name, { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')

  for (const [method, path, body] of [
    ['GET', '/organisations/me/logs'],
    ['GET', '/organisations/me/logs/export'],
    ['GET', '/users/me/sessions'],
    ['POST', '/projects/exports', {}],
    ['POST', '/organisations/me', { include_keywords: [{ word: 'ถนน' }] }],
    ['PATCH', '/organisations/me', { search_by_ai: true }],
    ['DELETE', '/organisations/me', { include_keywords: [{ id: 1 }] }],
    ['PATCH', '/users/me', { first_name: 'ใคร' }],
    ['PATCH', '/users/me', { is_send_report_email: true }],
  ] as const) {
    const { status, text } = await send(page, method, path, body)
    expect([`${method} ${path}`, status]).toEqual([`${method} ${path}`, 403])
    expect(text).toMatch(/[ก-๙]/)
  }
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('ทดลองใช้')
  await expect(page.getByLabel('ชื่อ', { exact: true })).toHaveCount(0)
  await page.goto('/group-watch')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'ออกจากระบบ' })).toHaveCount(0)
  await page.goto('/logs')
  await expect(page).toHaveURL(/\/report$/)
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()

  const invitation = banner(page).getByRole('link', { name: /ทดลองใช้เต็มรูปแบบฟรี/ })
  await invitation.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'ติดต่อทีมงาน' })).toBeVisible()
})
