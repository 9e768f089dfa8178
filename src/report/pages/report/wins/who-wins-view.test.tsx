import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { UnusualAwardPatterns } from '#contract/market/unusual-award-patterns.ts'
import type { WhoWins as Answer, WonProjects } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import thaiMap from './province-shapes.gen.json'
import { buildWhoWinsLineMessage } from './who-wins-text.ts'
import { WhoWinsView } from './who-wins-view.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })

const company = (id: number, name: string, wins: number, median: number | null) => ({
  id,
  name,
  tax_id: null,
  is_shared_name: false,
  is_sme: null,
  wins,
  value: wins * 1_000_000,
  share: 0.25,
  bids: null,
  discount: { n: median === null ? 3 : 7, median },
  first_win_date: '2025-01-10',
  last_win_date: '2025-06-10',
  met: id === 1 ? 2 : 0,
})
const ANSWER: Answer = {
  scope: {
    universe: 'watch',
    year_from: 2568,
    year_to: 2568,
    n: 20,
    coverage: { full: 5, names: 0, winner: 15 },
    computed_at: '2026-11-20T18:00:00Z',
  },
  projects: 40,
  decided: 25,
  won: 20,
  figures: {
    winners: 2,
    value: 25_000_000,
    n_value: 24,
    top_five_share: 0.8,
    bidders: { n: 5, mean: 3.4 },
    discount: { n: 12, lower: 0.02, median: 0.064, upper: 0.1 },
    against_budget: 1,
  },
  companies: {
    total: 2,
    is_ranked: true,
    results: [company(1, 'บริษัท ก จำกัด', 12, 0.05), company(2, 'บริษัท ข จำกัด', 8, null)],
  },
  agencies: {
    total: 1,
    results: [{ name: 'กรมทางหลวง', n: 25, value: 25_000_000, months: [1, 0, 4, ...Array(9).fill(0)] }],
  },
  discount_bins: Array.from({ length: 17 }, (_, bin) => ({
    from: bin === 0 ? null : (bin - 1) / 50,
    count: bin === 3 ? 12 : 0,
  })),
  bands: [{ from: null, to: 500_000, n: 12, lower: 0.02, median: 0.064, upper: 0.1 }],
  years: [{ year: 2568, n: 25, value: 25_000_000 }],
  months: [{ month: '2025-03', n: 20, value: 20_000_000 }],
  methods: [{ method: 'e_bidding', n: 25, value: 25_000_000 }],
  provinces: [
    { province: 'ขอนแก่น', n: 20, value: 20_000_000 },
    { province: 'เชียงใหม่', n: 4, value: 5_000_000 },
    { province: null, n: 1, value: null },
  ],
  ignored_parameters: [],
}
const ROWS: WonProjects = {
  total: 1,
  page: 1,
  page_size: 20,
  results: [
    {
      project_id: '68010000001',
      name: 'ซื้อกล้อง',
      dept_name: 'กรมทางหลวง',
      project_province: 'ขอนแก่น',
      method: 'e_bidding',
      estimate_budget: 1_000_000,
      value: 900_000,
      discount: 0.1,
      decided_date: '2025-03-10',
      winners: ['บริษัท ก จำกัด'],
      in_report: false,
    },
  ],
}

const NO_SIGNS: UnusualAwardPatterns = {
  decided: 25,
  won: 20,
  computed_at: null,
  total: 0,
  kinds: [],
  ignored_parameters: [],
}

let changed: ReportSearchPatch[] = []
let requestUrls: URL[] = []

async function setUp(answer: Answer | number, search: ReportSearch = { view: 'who_wins' }) {
  changed = []
  requestUrls = []
  startFakeUserApi(buildTestUser({}), true)
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!url.pathname.includes('/who-wins')) return fakeFetch(input, init)
    requestUrls.push(url)
    if (url.pathname.endsWith('/projects')) return Response.json(ROWS)
    if (url.pathname.endsWith('/signs')) return Response.json(NO_SIGNS)
    return typeof answer === 'number' ? Response.json({}, { status: answer }) : Response.json(answer)
  })
  queryClient.setQueryData(organisationKeys.me, { code: 'acme', is_company_compare: true } as unknown as Organisation)
  const change = (patch: ReportSearchPatch) => changed.push(patch)
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <WhoWinsView search={search} change={change} />
    </QueryClientProvider>,
  )
}
afterEach(() => stopFakeUserApi())

test('ranks companies with the number of projects beside every figure, and opens the projects of their wins', async () => {
  await setUp(ANSWER)
  const table = await screen.findByRole('table', { name: /บริษัทที่ชนะ เรียงตามมูลค่า/ }, LOADING)
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => within(row).getByRole('link').textContent)).toEqual(['บริษัท ก จำกัด', 'บริษัท ข จำกัด'])
  expect(rows[0]).toHaveTextContent('7 งาน')
  expect(rows[0]).toHaveTextContent('พบกับเรา 2')
  expect(rows[1]).toHaveTextContent('3 งาน น้อยไป')
  fireEvent.click(within(rows[0]!).getByRole('button', { name: /ดูโครงการของบริษัท ก/ }))
  fireEvent.click(screen.getByRole('tab', { name: 'จำนวนงาน' }))
  fireEvent.click(screen.getByRole('button', { name: /^ลดจากราคากลาง .*6.4% จาก 12 งาน ดูโครงการ/ }))
  expect(changed).toEqual([
    { rows: 'company:1', page: undefined },
    { rank: 'wins' },
    { rows: 'priced', page: undefined },
  ])
})

test('lists the ranking below each other on a phone, each company with its rank and figures', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('width <'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  await setUp(ANSWER)
  const list = await screen.findByRole('list', { name: /บริษัทที่ชนะ เรียงตามมูลค่า/ }, LOADING)
  const [first, second] = within(list).getAllByRole('listitem')
  expect(first).toHaveTextContent(/^1 บริษัท ก จำกัด/)
  expect(second).toHaveTextContent(/^2 บริษัท ข จำกัด/)
  expect(second).toHaveTextContent('3 งาน น้อยไป')
  fireEvent.click(within(first!).getByRole('button', { name: /ดูโครงการของบริษัท ก/ }))
  expect(changed).toEqual([{ rows: 'company:1', page: undefined }])
})

test('ranks no company below five wins, and explains why', async () => {
  await setUp({ ...ANSWER, won: 4, companies: { total: 3, is_ranked: false, results: [] } })
  expect(await screen.findByText(/น้อยกว่า 5 จึงไม่จัดอันดับ/, undefined, LOADING)).toBeVisible()
  expect(screen.queryByRole('table', { name: /บริษัทที่ชนะ/ })).toBeNull()
})

test('makes the map one tab stop; arrows move through it and Enter opens a province', async () => {
  await setUp(ANSWER)
  const khonKaen = await screen.findByRole('button', { name: 'ขอนแก่น 20 งาน · 20.00 ล้าน บาท' }, LOADING)
  const map = khonKaen.closest('svg')!
  expect(map.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  expect(thaiMap.provinces.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual(
    PROVINCES.map(({ code }) => code).toSorted((a, b) => a - b),
  )
  khonKaen.focus()
  fireEvent.keyDown(khonKaen, { key: 'Enter' })
  expect(changed).toEqual([{ rows: 'province:ขอนแก่น', page: undefined }])
  fireEvent.keyDown(khonKaen, { key: 'ArrowUp' })
  expect(document.activeElement).not.toBe(khonKaen)
  expect(map.contains(document.activeElement)).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'แสดงงานอยู่ที่ไหนเป็นตาราง' }))
  const twin = screen.getByRole('table', { name: 'งานที่รู้ผลตามจังหวัด' })
  expect(within(twin).getAllByRole('row')).toHaveLength(4)
  expect(twin).toHaveTextContent('ไม่ทราบจังหวัด')
})

test('shows the projects behind a figure beside the figures', async () => {
  await setUp(ANSWER, { view: 'who_wins', rows: 'company:1', market: true })
  const panel = await screen.findByRole('dialog', { name: 'บริษัท ก จำกัด' }, LOADING)
  expect(await within(panel).findByText('ซื้อกล้อง', undefined, LOADING)).toBeVisible()
  expect(panel).toHaveTextContent('ต่ำกว่าราคากลาง 10.0%')
  const { searchParams } = requestUrls.find(({ pathname }) => pathname.endsWith('/projects'))!
  expect(Object.fromEntries(searchParams)).toEqual({ rows: 'company:1', market: 'true' })
})

test('reports missing permission and a result without awards', async () => {
  await setUp(403)
  expect(await screen.findByText('บัญชีนี้ยังไม่เปิดข้อมูลบริษัท', undefined, LOADING)).toBeVisible()
  stopFakeUserApi()
  document.body.replaceChildren()
  await setUp({ ...ANSWER, decided: 0, won: 0 })
  expect(await screen.findByText('ยังไม่มีงานที่รู้ผลในตัวกรองนี้', undefined, LOADING)).toBeVisible()
})

test('ignores the segment of the report and states so', async () => {
  const open = { values: ['open'], negated: false }
  await setUp(ANSWER, { view: 'who_wins', project_bidding__in: open, project_name__in: 'กล้อง' })
  expect(await screen.findByText(/ไม่ใช้ “เปิดรับข้อเสนอ” ที่เลือกไว้/, undefined, LOADING)).toBeVisible()
  const questions = requestUrls.filter(({ pathname }) => /\/who-wins(\/signs)?$/.test(pathname))
  expect(questions.length).toBeGreaterThan(0)
  for (const { searchParams } of questions)
    expect(Object.fromEntries(searchParams)).toEqual({ project_name__in: 'กล้อง' })
})

test('folds agencies and times, which open on demand', async () => {
  await setUp(ANSWER)
  const button = await screen.findByRole('button', { name: 'หน่วยงาน เวลา และวิธีจัดหา' }, LOADING)
  expect(screen.queryByText('กรมทางหลวง')).toBeNull()
  fireEvent.click(button)
  expect(await screen.findByText('กรมทางหลวง', undefined, LOADING)).toBeVisible()
})

test('shows how many projects the figures cover', async () => {
  await setUp(ANSWER)
  expect(await screen.findByText(/โครงการในตัวกรองนี้/, undefined, LOADING)).toHaveTextContent(
    'รู้ผล 25 จาก 40 โครงการในตัวกรองนี้ รวมงานที่ส่งมอบแล้ว',
  )
})

test('formats four lines for LINE', () => {
  const lines = buildWhoWinsLineMessage(ANSWER, {
    question: 'โครงการของเรา',
    address: 'https://x.example/report?view=who_wins',
  }).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('1) บริษัท ก จำกัด 12 งาน')
  expect(lines[2]).toContain('มัธยฐานจาก 12 งาน')
})
