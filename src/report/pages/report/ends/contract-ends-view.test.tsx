import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { ContractEnds as Answer, ContractEnd } from '#contract/catalogue/contract-ends-list.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { followKeys, organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { ReportSearchPatch } from '#src/lib/report-change.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { buildContractEndsPatch } from '#src/report/pages/report/filter/report-menu.tsx'
import { renderInRouter } from '#src/report/pages/report/render-in-router-for-tests.tsx'
import { ContractEndsView } from './contract-ends-view.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })

const contract = (id: string, change: Partial<ContractEnd> = {}): ContractEnd => ({
  project_id: id,
  contract_no: `${id}/69`,
  name: `เช่ากล้อง ${id}`,
  dept_name: 'กรมทางหลวง',
  dept_sub_name: 'แขวงที่ 1',
  province: 'ขอนแก่น',
  method: 'e_bidding',
  winner_name: 'บริษัท ก จำกัด',
  amount: 1_500_000,
  project_amount: 1_500_000,
  project_contracts: 1,
  signed_date: '2025-12-01',
  end_date: '2026-12-31',
  days_left: 38,
  history: { rhythm: { n: 2, years: 2, usual: null }, decided: 0, same_winner: 0, earlier: [] },
  ...change,
})
const ANSWER: Answer = {
  total: 41,
  projects: 40,
  value: 3_000_000,
  n_value: 2,
  amounts_in_doubt: 3,
  within: 180,
  page: 1,
  page_size: 20,
  results: [
    contract('1', {
      history: {
        rhythm: {
          n: 6,
          years: 3,
          usual: { month: 11, hits: 6, certainty: 'high', next_from: '2026-11-01', next_to: '2027-01-31' },
        },
        decided: 4,
        same_winner: 3,
        earlier: [
          {
            project_id: '7',
            name: 'เช่ากล้องปีก่อน',
            first_date: '2025-11-03',
            fiscal_year: 2569,
            winner_name: 'บริษัท ก จำกัด',
            winner_budget: 1_400_000,
            is_same_winner: true,
            in_report: true,
          },
        ],
      },
    }),
    contract('2', { end_date: '2027-02-01', days_left: 70, winner_name: null, amount: null }),
  ],
  ignored_parameters: [],
}

let changed: ReportSearchPatch[] = []
let requestUrls: URL[] = []

async function setUp(answer: Answer | number, search: ReportSearch = { view: 'contract_ends', ends_within: 180 }) {
  changed = []
  requestUrls = []
  startFakeUserApi(buildTestUser({}), true)
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (!url.pathname.endsWith('/contract-ends')) return fakeFetch(input, init)
    requestUrls.push(url)
    return typeof answer === 'number' ? Response.json({}, { status: answer }) : Response.json(answer)
  })
  queryClient.setQueryData(followKeys.mine, { follows: [], bell: [], mail: [] })
  queryClient.setQueryData(organisationKeys.me, { code: 'acme', is_company_compare: false } as unknown as Organisation)
  const change = (patch: ReportSearchPatch) => changed.push(patch)
  await renderInRouter(
    <QueryClientProvider client={queryClient}>
      <ContractEndsView search={search} change={change} />
    </QueryClientProvider>,
  )
}
afterEach(() => stopFakeUserApi())

test('groups contracts by end month, with winner, price and expected recurrence', async () => {
  await setUp(ANSWER)
  const december = await screen.findByRole('region', { name: 'สิ้นสุด ธันวาคม 2569' }, LOADING)
  expect(requestUrls[0]!.search).toBe('?ends_within=180')
  expect(december).toHaveTextContent('บริษัท ก จำกัด')
  expect(december).toHaveTextContent('1,500,000.00 บาท')
  const row = within(december).getByRole('link', { name: 'เช่ากล้อง 1' }).closest('tr')!
  expect(within(row).getAllByRole('button', { name: /^รับแจ้งงานนี้/ })).toHaveLength(1)
  expect(within(december).queryByText('เช่ากล้องปีก่อน')).toBeNull()
  fireEvent.click(
    within(row).getByRole('button', { name: 'มักประกาศ พ.ย.–ม.ค. · รายเดิมชนะ 3 จาก 4 ครั้ง', expanded: false }),
  )
  expect(december).toHaveTextContent(
    'มักประกาศ พ.ย.–ม.ค. 6 จาก 6 ครั้ง (ใน 3 ปีงบ) · ครั้งหน้าราว พ.ย.–ม.ค. 2569/70 · ค่อนข้างแน่',
  )
  expect(december).toHaveTextContent('ผู้ชนะรายนี้เคยได้งานนี้ 3 จาก 4 ครั้งก่อน')
  expect(within(december).getByText('เช่ากล้องปีก่อน')).toBeVisible()
  const february = screen.getByRole('region', { name: 'สิ้นสุด กุมภาพันธ์ 2570' })
  // The small sample size is mentioned once below the list, not per contract.
  expect(february).not.toHaveTextContent('เดือนประจำ')
  expect(screen.getByText(/งานที่ไม่บอกเดือนไว้ เพราะงานชื่อคล้ายกันมีไม่ถึง 5 ครั้ง/)).toBeVisible()
  expect(february).toHaveTextContent('ไม่รู้ผู้ชนะ')
  expect(screen.getByText(/41 สัญญา ใน 40 โครงการ · รวม 3.00 ล้าน บาท \(รู้ราคา 2 ฉบับ\)/)).toHaveTextContent(
    'ไม่รวม 3 ราคาที่น่าสงสัย',
  )
})

test('stores days, page and table view in the address', async () => {
  await setUp(ANSWER)
  await screen.findByRole('region', { name: 'สิ้นสุด ธันวาคม 2569' }, LOADING)
  fireEvent.click(screen.getByRole('tab', { name: '30 วัน' }))
  fireEvent.click(screen.getByRole('button', { name: 'ถัดไป' }))
  fireEvent.click(screen.getByRole('button', { name: 'ดูเป็นตาราง' }))
  expect(changed).toEqual([
    { ends_within: 30, page: undefined },
    { page: 2 },
    { view: undefined, ends_within: 180, page: undefined },
  ])
})

test('opens with its filter in the address, and without the segment of open tenders', () => {
  expect(buildContractEndsPatch({ project_bidding__in: { values: ['open'], negated: false } })).toEqual({
    view: 'contract_ends',
    rows: undefined,
    project_bidding__in: undefined,
    ends_within: 180,
    page: undefined,
  })
  expect(buildContractEndsPatch({ ends_within: 30 })).toMatchObject({ ends_within: 30 })
})

test('offers more days when nothing ends, and shows missing permission as its own screen', async () => {
  await setUp({ ...ANSWER, total: 0, projects: 0, results: [] })
  fireEvent.click(await screen.findByRole('button', { name: 'ดูสัญญาที่สิ้นสุดภายใน 730 วัน' }, LOADING))
  expect(changed).toEqual([{ ends_within: 730, page: undefined }])
  stopFakeUserApi()
  await setUp(403)
  expect(await screen.findByText('บัญชีของคุณไม่มีสิทธิ์ดูรายงานนี้', undefined, LOADING)).toBeVisible()
})
