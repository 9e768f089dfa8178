import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { BudgetDetail } from '#contract/market/budget.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestKeyword, buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'
import {
  buildTestBudgetDetail,
  buildTestBudgetItem,
  buildTestBudgetLink,
  buildTestBudgetPage,
  buildTestBudgetScope,
  buildTestBudgetSummary,
  buildTestBudgetYears,
} from './budget-for-tests.ts'

/** Loading the page code takes seconds on a busy machine. */
const ARRIVES = { timeout: 15_000 }
const WITH_WORDS = { include: [buildTestKeyword(1, 'กล้อง')] }

let network: ReturnType<typeof startFakeNetwork>
let answers: Record<string, object>

beforeAll(async () => {
  await Promise.all([
    import('./budget-page.tsx'),
    import('./budget-item-panel.tsx'),
    import('#src/ui/overlay/modal-panel.tsx'),
    import('#src/ui/chart/bar-chart.tsx'),
    import('#src/ui/chart/column-chart.tsx'),
    import('#src/ui/chart/stacked-bar-chart.tsx'),
    import('#src/ui/chart/tree-map-chart.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
    // Otherwise the first test's loader runs when its chunk arrives, possibly during the next test.
    import('#src/routes/loaders/market-loaders.ts'),
  ])
}, 60_000)
beforeEach(() => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  answers = {
    'users/me': buildTestUser(),
    'organisations/me': buildTestOrganisation(WITH_WORDS),
    'budgets/years': buildTestBudgetYears({ 2570: 3000, 2569: 2900 }, [2568]),
    'budgets/summary': buildTestBudgetSummary(),
    budgets: buildTestBudgetPage(),
    'budgets/7': buildTestBudgetDetail(),
  }
  network = startFakeNetwork(({ path, method }) => (method === 'GET' ? answers[path] : undefined))
  // The token was issued at second 1000 and is received then, so our clock equals the server's.
  startSession({ ...buildTestSession(), receivedAtMs: 1_000_000 })
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
  clearToasts()
})

async function open(address = '/budget') {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  render(<App router={router} />)
  await waitFor(() => expect(document.querySelector('h1')).not.toBeNull(), ARRIVES)
  return router
}
/** Strict mode sends each request twice and aborts one of them. */
const callsTo = (path: string) => network.to(path).filter((call) => !call.isAborted())
const queriesTo = (path: string) => callsTo(path).map(({ query }) => Object.fromEntries(query))
const lastQueryTo = (path: string) => queriesTo(path).at(-1)
const text = (content: string | RegExp) => screen.findByText(content, {}, ARRIVES)
/** Returns the page's alert; the header has a separate one for the session. */
const alert = () => document.querySelector('main [role="alert"]')
const itemsTable = () => screen.findByRole('table', { name: /^พบ/ }, ARRIVES)
const arrives = (router: Awaited<ReturnType<typeof open>>, search: Record<string, string>) =>
  waitFor(() => expect(router.state.location.search).toEqual(search), ARRIVES)

describe('the year', () => {
  test('defaults to the newest of the package; others are tabs, locked ones are only named', async () => {
    await open()
    await itemsTable()
    const tabs = within(screen.getByRole('tablist', { name: 'ปีงบประมาณ' })).getAllByRole('tab')
    expect(tabs.map((tab) => tab.textContent)).toEqual(['ปี 2570', 'ปี 2569'])
    expect(tabs[0]).toHaveAttribute('aria-selected', 'true')
    expect(screen.getByText('ปีงบประมาณ 2570 คือ 1 ต.ค. 2569 – 30 ก.ย. 2570')).toBeVisible()
    expect(screen.getByText('ไม่อยู่ในแพ็กเกจ ติดต่อทีมงานเพื่อเปิดดู').parentElement).toHaveTextContent('ล็อกไว้ ปี 2568')
    expect(queriesTo('budgets')).toEqual([{ year: '2570' }])
  })

  test('from the address is shown if the package has it, and a tab opens another', async () => {
    const router = await open('/budget?year=2569&q=กล้อง')
    await itemsTable()
    expect(lastQueryTo('budgets')).toEqual({ year: '2569', q: 'กล้อง' })
    await userEvent.click(screen.getByRole('tab', { name: 'ปี 2570' }))
    await arrives(router, { year: '2570', q: 'กล้อง' })
  })

  test.each(['2568', '2501'])(
    '%s outside the package is replaced by the newest allowed, with a notice',
    async (year) => {
      const router = await open(`/budget?year=${year}&item=7`)
      expect(await text(`ปี ${year} ไม่อยู่ในแพ็กเกจขององค์กร จึงแสดงปี 2570 แทน`)).toBeVisible()
      await arrives(router, { year: '2570' })
      expect(queriesTo('budgets').filter((query) => query.year !== '2570')).toEqual([])
    },
  )

  test('is reported when unreadable, and the newest is shown', async () => {
    await open('/budget?year=abc')
    expect(await text('ตัวกรองบางส่วนอ่านไม่ได้ จึงไม่ได้กรอง: ปีงบประมาณ “abc”')).toBeVisible()
    await itemsTable()
  })

  test('has its own empty state, not an error, when the package has none', async () => {
    answers['budgets/years'] = buildTestBudgetYears({}, [2570, 2569])
    await open('/budget?year=2570')
    expect(await text('แพ็กเกจของคุณยังไม่มีปีงบประมาณที่เปิดให้ดู')).toBeVisible()
    expect(alert()).toBeNull()
    expect(queriesTo('budgets')).toEqual([])
  })

  test('without data shows a message and leads to one with data', async () => {
    answers['budgets/years'] = buildTestBudgetYears({ 2571: 0, 2570: 3000 })
    const router = await open()
    expect(await text('ยังไม่มีข้อมูลงบประมาณปี 2571')).toBeVisible()
    expect(queriesTo('budgets')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: 'ดูปี 2570' }))
    await arrives(router, { year: '2570' })
  })
})

describe('the figures', () => {
  test('list keywords by amount, largest first, and a keyword opens its items', async () => {
    const router = await open()
    const table = await screen.findByRole('table', { name: 'รายการและวงเงินของแต่ละคำติดตาม' }, ARRIVES)
    expect(screen.getByText('2 จาก 3 คำ')).toBeVisible()
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual(['กล้อง', 'เซิร์ฟเวอร์', 'โดรน'])
    expect(rows[0]).toHaveTextContent('45.00 ล้าน บาท15 รายการ50.00 ล้าน บาท14 รายการ▼ 10.0%')
    expect(rows[1]).toHaveTextContent('ใหม่ปีนี้')
    expect(rows[2]).toHaveTextContent('ไม่มี')
    await userEvent.click(within(rows[0]!).getByRole('button', { name: 'กล้อง' }))
    await arrives(router, { keyword__in: 'กล้อง' })
    expect(document.activeElement).toHaveTextContent('รายการ')
  })

  test('show the server’s values with the change on last year, and a dash for unknown', async () => {
    answers['budgets/summary'] = buildTestBudgetSummary({ discount: { n: 0, weighted: null, median: null } })
    await open()
    const figures = await screen.findByRole('region', { name: 'ตัวเลขสำคัญ' }, ARRIVES)
    expect(figures).toHaveTextContent('รายการที่ตรงคำ20จาก 3,000 รายการ')
    expect(figures).toHaveTextContent('▲ 20.0%ปี 2569 มี 14 รายการ 50.00 ล้าน บาท ด้วยเงื่อนไขเดียวกัน')
    expect(figures).toHaveTextContent('ประกาศแล้ว40.0%8 จาก 20 รายการ')
    expect(figures).toHaveTextContent('ได้ผู้ชนะแล้ว10.0%2 จาก 20 รายการ')
    expect(figures).toHaveTextContent('ส่วนลดเฉลี่ยจากราคากลาง–ไม่มีข้อมูลยังไม่มีงานที่รู้ทั้งผู้ชนะและราคากลาง')
  })

  test('a funnel step opens the items of that step and later ones', async () => {
    const router = await open()
    const funnel = await screen.findByRole('list', { name: 'รายการตามขั้น' }, ARRIVES)
    await userEvent.click(within(funnel).getByRole('button', { name: /ประกาศเชิญชวน/ }))
    await arrives(router, { state: 'invited||awarded' })
    expect(lastQueryTo('budgets')).toEqual({ year: '2570', state: 'invited||awarded' })
  })

  test('a tile and a table row lead one level down, and the breadcrumb leads back', async () => {
    const router = await open()
    const tiles = await screen.findByRole('list', { name: 'วงเงินแยกตามกระทรวง' }, ARRIVES)
    await userEvent.click(within(tiles).getByRole('button', { name: /กระทรวงสาธารณสุข/ }))
    await arrives(router, { ministry: 'กระทรวงสาธารณสุข' })
    const path = screen.getByRole('navigation', { name: 'ระดับของงบประมาณ' })
    expect(within(path).getByText('กระทรวงสาธารณสุข')).toHaveAttribute('aria-current', 'location')
    await userEvent.click(within(path).getByRole('button', { name: 'ทุกกระทรวง' }))
    await arrives(router, {})
    await userEvent.click(screen.getByRole('button', { name: 'แสดงเงินอยู่ที่ไหนเป็นตาราง' }))
    const twin = screen.getByRole('table', { name: 'วงเงินแยกตามกระทรวง' })
    expect(within(twin).getAllByRole('row')[1]).toHaveTextContent(
      'กระทรวงสาธารณสุข1240.00 ล้าน บาท32.00 ล้าน บาท▲ 25.0%52',
    )
    await userEvent.click(within(twin).getByRole('button', { name: 'กระทรวงคมนาคม' }))
    await arrives(router, { ministry: 'กระทรวงคมนาคม' })
  })

  test('fail and retry independently of the table', async () => {
    delete answers['budgets/summary']
    await open()
    await waitFor(() => expect(callsTo('budgets/summary')).toHaveLength(1), ARRIVES)
    callsTo('budgets/summary')[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    await waitFor(() => expect(alert()).toHaveTextContent('โหลดตัวเลขไม่สำเร็จทำรายการถี่เกินไป'), ARRIVES)
    await itemsTable()
    answers['budgets/summary'] = buildTestBudgetSummary()
    await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
    expect(await screen.findByRole('region', { name: 'ตัวเลขสำคัญ' }, ARRIVES)).toBeVisible()
  })
})

describe('the items', () => {
  test('highlight our keywords, show the state of each item, and a dash for unknown amounts', async () => {
    await open()
    const rows = within(await itemsTable())
      .getAllByRole('row')
      .slice(1)
    expect(within(rows[0]!).getAllByText('กล้อง')[0]!.tagName).toBe('MARK')
    expect(rows[0]).toHaveTextContent('12,500,000.00ยังไม่ประกาศ1 รอยืนยัน')
    expect(rows[1]).toHaveTextContent('–ไม่มีข้อมูลได้ผู้ชนะ1 โครงการ')
  })

  test('are grouped with totals of all matching items, not of the page', async () => {
    await open()
    await itemsTable()
    await userEvent.click(screen.getByRole('checkbox', { name: 'จัดกลุ่มตามกระทรวง' }))
    const groups = within(await itemsTable()).getAllByRole('rowheader', { name: /ในหน้านี้/ })
    expect(groups.map((group) => group.textContent)).toEqual([
      'กระทรวงสาธารณสุขรวม 12 รายการ · 40.00 ล้าน บาท · ในหน้านี้ 1',
      'กระทรวงคมนาคมรวม 8 รายการ · 20.00 ล้าน บาท · ในหน้านี้ 1',
    ])
  })

  test('are searched with the report’s grammar; an invalid expression is explained and not sent', async () => {
    const router = await open()
    await itemsTable()
    const box = screen.getByRole('textbox', { name: 'ค้นหารายการงบประมาณ' })
    await userEvent.type(box, '(กล้อง')
    expect(await text(/วงเล็บตรงนี้ไม่ครบคู่/)).toBeVisible()
    await userEvent.type(box, '||CCTV){Enter}')
    await arrives(router, { q: '(กล้อง||CCTV)' })
    expect(screen.getByText(/รายการ: มี กล้อง หรือ CCTV/)).toBeVisible()
    expect(
      queriesTo('budgets')
        .map(({ q }) => q)
        .filter((q) => q?.includes('(')),
    ).toEqual(['(กล้อง||CCTV)'])
  })

  test('are filtered by state with the summary’s counts, and all filters are cleared at once', async () => {
    const router = await open('/budget?keyword__in=กล้อง')
    await itemsTable()
    await userEvent.click(screen.getByRole('button', { name: 'สถานะ', expanded: false }))
    const box = await screen.findByRole('checkbox', { name: /ยังไม่ประกาศ/ })
    expect(box.closest('label')).toHaveTextContent('12')
    await userEvent.click(box)
    await arrives(router, { keyword__in: 'กล้อง', state: 'none' })
    expect(screen.getByRole('button', { name: /^สถานะ: ยังไม่ประกาศ/ })).toHaveTextContent(/^สถานะ: ยังไม่ประกาศ/)
    await userEvent.click(screen.getByRole('button', { name: 'ล้างตัวกรอง' }))
    await arrives(router, {})
  })

  test('whose options fail to load show the reason and still let the user remove the chosen value', async () => {
    const router = await open('/budget?category=งบอื่น')
    await itemsTable()
    const summary = answers['budgets/summary']!
    delete answers['budgets/summary']
    await userEvent.click(screen.getByRole('button', { name: 'หมวดรายจ่าย: งบอื่น' }))
    await waitFor(() => expect(lastQueryTo('budgets/summary')).not.toHaveProperty('category'), ARRIVES)
    callsTo('budgets/summary').at(-1)!.answer({ code: 'forbidden' }, 403)
    const menu = within(await screen.findByRole('dialog', { name: 'หมวดรายจ่าย' }))
    expect(await menu.findByRole('alert', {}, ARRIVES)).toHaveTextContent(/^โหลดตัวเลือกไม่สำเร็จ/)
    expect(menu.queryByText('ไม่มีตัวเลือก')).toBeNull()
    expect(menu.getByRole('checkbox', { name: 'งบอื่น' })).toBeChecked()
    answers['budgets/summary'] = summary
    await userEvent.click(menu.getByRole('button', { name: 'ลองใหม่' }))
    expect(await menu.findByRole('checkbox', { name: /งบลงทุน/ })).not.toBeChecked()
    expect(menu.queryByRole('alert')).toBeNull()
    await userEvent.click(menu.getByRole('checkbox', { name: 'งบอื่น' }))
    await arrives(router, {})
  })

  test('without a match name and link a year that has some', async () => {
    answers.budgets = buildTestBudgetPage({
      results: [],
      total: 0,
      total_amount: null,
      elsewhere: [{ fiscal_year: 2569, n: 14 }],
    })
    answers['budgets/summary'] = buildTestBudgetSummary({
      scope: buildTestBudgetScope({ n: 0 }),
      breakdown: [],
      amount: null,
    })
    const router = await open()
    expect(await text('ไม่มีรายการที่ตรงคำของคุณในปี 2570')).toBeVisible()
    expect(screen.getByText('ปี 2569 มี 14 รายการ')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'ดูปี 2569 (14 รายการ)' }))
    await arrives(router, { year: '2569' })
  })

  test('show an error instead of an empty table when loading fails', async () => {
    delete answers.budgets
    await open()
    await waitFor(() => expect(callsTo('budgets')).toHaveLength(1), ARRIVES)
    callsTo('budgets')[0]!.answer({ code: 'bad_input' }, 400)
    expect(await text('โหลดรายการไม่สำเร็จ')).toBeVisible()
    expect(screen.queryByText(/ไม่มีรายการ/)).toBeNull()
  })
})

describe('one item', () => {
  const panel = () => screen.findByRole('dialog', { name: 'รายการงบประมาณ' }, ARRIVES)
  const confirmButton = () => screen.findByRole('button', { name: /^ใช่ รายการนี้.*ซื้อกล้องวงจรปิด 60 จุด$/ }, ARRIVES)
  const decided = (decision: 'confirmed' | 'rejected' | null): BudgetDetail =>
    buildTestBudgetDetail({
      item: buildTestBudgetItem(decision === 'confirmed' ? { state: 'invited', links: 1, guesses: 0 } : {}),
      links: [buildTestBudgetLink({ decision, decided_by: decision && 'สมชาย ใจดี' })],
    })

  test('opens from its row with its id in the address; Esc closes it and restores focus', async () => {
    const router = await open('/budget?page_size=20')
    await itemsTable()
    const button = screen.getByRole('button', { name: 'กล้องวงจรปิดพร้อมติดตั้ง 60 จุด' })
    await userEvent.click(button)
    await arrives(router, { page_size: '20', item: '7' })
    const opened = await panel()
    await within(opened).findByText('ผลผลิตการรักษา', {}, ARRIVES)
    expect(opened).toHaveTextContent('เล่มขาวคาดแดง 2570')
    expect(opened).toHaveTextContent('หน้า214')
    expect(opened).toHaveTextContent('อาจใช่ (55.0%)')
    expect(within(opened).getByRole('list', { name: 'เหตุผลที่เชื่อม' })).toHaveTextContent('หน่วยงานเดียวกัน')
    expect(within(opened).getByRole('link', { name: 'ซื้อกล้องวงจรปิด 60 จุด' })).toHaveAttribute(
      'href',
      '/report/69119000001',
    )
    expect(queriesTo('budgets')).toHaveLength(1)
    await userEvent.keyboard('{Escape}')
    await arrives(router, { page_size: '20' })
    await waitFor(() => expect(button).toHaveFocus())
  })

  test('a project outside the report has no link', async () => {
    answers['budgets/7'] = buildTestBudgetDetail({ links: [buildTestBudgetLink({ in_report: false })] })
    await open('/budget?item=7')
    expect(await screen.findByText('ซื้อกล้องวงจรปิด 60 จุด', { selector: 'p > span' }, ARRIVES)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'ซื้อกล้องวงจรปิด 60 จุด' })).toBeNull()
    expect(screen.getByText(/อยู่นอกรายงานขององค์กร/)).toBeVisible()
  })

  test('a confirmed link counts at once in panel and row, and can be undone', async () => {
    await open('/budget?item=7')
    await userEvent.click(await confirmButton())
    expect(await confirmButton()).toHaveAttribute('aria-pressed', 'true')
    const row = () => document.querySelector('[data-item="7"]')!.closest('tr')!
    expect(row()).toHaveTextContent('ประกาศเชิญชวน1 โครงการ')
    const posts = () => callsTo('budgets/7/links/69119000001')
    await waitFor(() => expect(posts()).toHaveLength(1), ARRIVES)
    expect(posts()[0]!.body).toEqual({ decision: 'confirmed' })
    answers['budgets/7'] = decided('confirmed')
    answers.budgets = buildTestBudgetPage({ results: [decided('confirmed').item] })
    posts()[0]!.answer(decided('confirmed'))
    expect(await text('ยืนยันแล้วโดย สมชาย ใจดี')).toBeVisible()
    await waitFor(() => expect(callsTo('budgets/summary')).toHaveLength(2), ARRIVES)
    await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ', hidden: true }))
    await waitFor(() => expect(posts()).toHaveLength(2), ARRIVES)
    expect(posts()[1]!.body).toEqual({ decision: null })
  })

  test('undoing restores the decision that the link had before', async () => {
    answers['budgets/7'] = decided('rejected')
    await open('/budget?item=7')
    await userEvent.click(await confirmButton())
    const posts = () => callsTo('budgets/7/links/69119000001')
    await waitFor(() => expect(posts()).toHaveLength(1), ARRIVES)
    answers['budgets/7'] = decided('confirmed')
    posts()[0]!.answer(decided('confirmed'))
    expect(await text('ยืนยันแล้วโดย สมชาย ใจดี')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ', hidden: true }))
    await waitFor(() => expect(posts()).toHaveLength(2), ARRIVES)
    expect(posts()[1]!.body).toEqual({ decision: 'rejected' })
  })

  test('a decision that failed to save is rolled back and reported, and can be retried', async () => {
    await open('/budget?item=7')
    await userEvent.click(await confirmButton())
    const posts = () => callsTo('budgets/7/links/69119000001')
    await waitFor(() => expect(posts()).toHaveLength(1), ARRIVES)
    posts()[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
    expect(await text('บันทึกไม่สำเร็จ: ทำรายการถี่เกินไป')).toBeInTheDocument()
    expect(await confirmButton()).toHaveAttribute('aria-pressed', 'false')
    await userEvent.click(screen.getByRole('button', { name: 'ลองอีกครั้ง', hidden: true }))
    await waitFor(() => expect(posts()).toHaveLength(2), ARRIVES)
  })

  test('shows a message when it does not exist', async () => {
    delete answers['budgets/7']
    await open('/budget?item=7')
    await waitFor(() => expect(callsTo('budgets/7')).toHaveLength(1), ARRIVES)
    callsTo('budgets/7')[0]!.answer({ code: 'not_found' }, 404)
    expect(await text('ไม่มีรายการนี้')).toBeVisible()
  })

  test('links to the same item of another year', async () => {
    const router = await open('/budget?item=7')
    await userEvent.click(await screen.findByRole('button', { name: /^(?=.*ปี 2569).*10\.00 ล้าน/ }, ARRIVES))
    await arrives(router, { year: '2569', item: '5' })
  })
})

describe('permissions', () => {
  test('a 403 has its own screen', async () => {
    delete answers['budgets/years']
    await open()
    await waitFor(() => expect(callsTo('budgets/years')).toHaveLength(1), ARRIVES)
    callsTo('budgets/years')[0]!.answer({ code: 'forbidden' }, 403)
    expect(await text('บัญชีของคุณไม่มีสิทธิ์ดูงบประมาณประจำปี')).toBeVisible()
  })

  test('without keywords offers the watch lists and all items', async () => {
    answers['organisations/me'] = buildTestOrganisation()
    const router = await open()
    expect(await text('ยังไม่ได้ตั้งคำติดตาม')).toBeVisible()
    expect(screen.getByRole('link', { name: 'ตั้งคำติดตาม' })).toHaveAttribute('href', '/watch')
    await userEvent.click(screen.getByRole('button', { name: 'ดูทุกรายการของปี' }))
    await arrives(router, { scope: 'all' })
    await itemsTable()
    expect(lastQueryTo('budgets')).toEqual({ year: '2570', scope: 'all' })
  })

  test('a budget-only organisation without keywords sees all items, and no links to closed screens', async () => {
    answers['organisations/me'] = buildTestOrganisation({ is_access_budget_year_only: true, is_company_compare: false })
    answers['budgets/summary'] = buildTestBudgetSummary({ words: [] })
    await open('/budget?item=7')
    expect(await screen.findByText('ซื้อกล้องวงจรปิด 60 จุด', { selector: 'p > span' }, ARRIVES)).toBeVisible()
    expect(queriesTo('budgets')).toEqual([{ year: '2570', scope: 'all' }])
    expect(screen.getByText('องค์กรของคุณไม่มีคำติดตาม จึงแสดงทุกรายการ')).toBeInTheDocument()
    const links = [...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href'))
    expect(links.filter((href) => !/^\/(budget|settings)/.test(href!))).toEqual([])
    await waitFor(() => expect(document.title).toBe('งบประมาณประจำปี · ตามงาน'))
  })
})
