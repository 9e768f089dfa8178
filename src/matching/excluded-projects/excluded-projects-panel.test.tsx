import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ExcludedProjectRow, ExcludedProjectsResponse, KeywordStats } from '#contract/matching/keyword-impact.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import { keywordImpactKeys, organisationKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getOptimisticQueryData } from '#src/api/optimistic-changes.ts'
import type { ExcludedProjectsSearch } from '#src/matching/api/keyword-impact.ts'
import { clearToasts, toastStore } from '#src/ui/overlay/toast.ts'
import { ExcludedProjectsPanel } from './excluded-projects-panel.tsx'

const row = (id: string, name: string, change: Partial<ExcludedProjectRow> = {}): ExcludedProjectRow => ({
  project_id: id,
  name,
  dept_name: 'กรมการแพทย์',
  dept_sub_name: 'โรงพยาบาลเลิดสิน',
  budget: 1_500_000,
  movement_date: '2026-11-20',
  words: ['กล้อง'],
  list: 'exclude',
  word: 'ซ่อม',
  guilty_words: ['ซ่อม'],
  rescued: false,
  ...change,
})
const ROWS = [
  row('67119000001', 'จ้างซ่อมกล้องวงจรปิด'),
  row('67119000002', 'เช่ากล้อง 12 ตัว', { word: 'เช่า', guilty_words: ['เช่า'], budget: null, movement_date: null }),
  row('67119000003', 'จ้างซ่อมแซมกล้องจราจร'),
]
const LEDGER: ExcludedProjectsResponse = {
  links: { next: null, previous: null },
  total_project: 14,
  page: 1,
  page_size: 25,
  results: ROWS,
  words: [
    { list: 'exclude', word: 'ซ่อม', count: 12 },
    { list: 'exclude', word: 'เช่า', count: 2 },
  ],
  rescued: 1,
}
const PATH = 'organisations/me/hidden'

type SetUp = {
  address?: Partial<ExcludedProjectsSearch>
  ledger?: Partial<ExcludedProjectsResponse>
}

async function setUp({ address = {}, ledger = {} }: SetUp = {}) {
  const network = startFakeNetwork(({ path }) => (path === PATH ? { ...LEDGER, ...ledger } : undefined))
  queryClient.setQueryData(keywordImpactKeys.stats, { hidden: 14 } as KeywordStats)
  const onChange = vi.fn()
  function Screen() {
    const [now, setNow] = useState<ExcludedProjectsSearch>({ days: 7, page: 1, ...address })
    const change = (next: ExcludedProjectsSearch) => {
      onChange(next)
      setNow(next)
    }
    return <ExcludedProjectsPanel {...now} onChange={change} />
  }
  const root = createRootRoute({ component: Outlet })
  const route = createRoute({ getParentRoute: () => root, path: '/', component: Screen })
  const router = createRouter({
    routeTree: root.addChildren([route]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('region', { name: 'โครงการที่ถูกซ่อนโดยคำไม่รวม' })
  const posts = () => network.asked.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
  return { network, onChange, posts }
}
const rescueButton = (name: string) => screen.findByRole('button', { name: `นำเข้ารายงาน ${name}` })
const rowOf = (name: string) => within(screen.getByRole('button', { name: new RegExp(name) }).closest('li')!)
const hidden = () => getOptimisticQueryData<KeywordStats>(keywordImpactKeys.stats)!.hidden

beforeEach(clearToasts)
afterEach(stopFakeNetwork)

describe('a row', () => {
  test('marks the excluding word apart from the matching words and shows the budget', async () => {
    await setUp()
    await rescueButton('จ้างซ่อมกล้องวงจรปิด')
    const first = rowOf('จ้างซ่อมกล้องวงจรปิด')
    const name = first.getAllByText(/./, { selector: 'p > mark' })
    expect(name.map((mark) => [mark.textContent, mark.hasAttribute('data-against')])).toEqual([
      ['ซ่อม', true],
      ['กล้อง', false],
    ])
    expect(first.getByText('1,500,000.00')).toBeInTheDocument()
    expect(first.getByText('20 พ.ย. 2569')).toBeInTheDocument()
    expect(first.getByRole('button', { name: 'คัดลอกเลขที่ 67119000001' })).toBeInTheDocument()
    expect(rowOf('เช่ากล้อง').getByText('ไม่ระบุงบ')).toBeInTheDocument()
  })

  test('is rescued at once with one press, keeps focus, updates counts and can be undone', async () => {
    const { network, posts } = await setUp()
    const button = await rescueButton('จ้างซ่อมกล้องวงจรปิด')
    button.focus()
    await userEvent.keyboard('{Enter}')
    expect(button).toHaveAccessibleName('เลิกทำ จ้างซ่อมกล้องวงจรปิด')
    expect(button).toHaveFocus()
    expect(screen.getByRole('link', { name: 'ดูในรายงาน' })).toHaveAttribute('href', '/report?peek=%2267119000001%22')
    expect(screen.getByRole('button', { name: 'ซ่อม 11' })).toBeInTheDocument()
    expect(screen.getByRole('status')).toHaveTextContent('ถูกซ่อน 13 โครงการ 7 วันที่ผ่านมา')
    expect(hidden()).toBe(13)
    await vi.waitFor(() => expect(posts()).toEqual([[`${PATH}/rescue`, { project_ids: ['67119000001'] }]]))
    network.to(`${PATH}/rescue`)[0]!.answer({})
    await userEvent.click(button)
    expect(button).toHaveAccessibleName('นำเข้ารายงาน จ้างซ่อมกล้องวงจรปิด')
    await vi.waitFor(() => expect(posts()[1]).toEqual([`${PATH}/unrescue`, { project_ids: ['67119000001'] }]))
  })

  test('can be undone from the toast as well, once the rescue call is answered', async () => {
    const { network, posts } = await setUp()
    await userEvent.click(await rescueButton('เช่ากล้อง 12 ตัว'))
    expect(toastStore.get()).toMatchObject([
      { tone: 'done', text: 'นำเข้ารายงาน 1 โครงการแล้ว', action: { label: 'เลิกทำ' } },
    ])
    toastStore.get()[0]!.action!.run()
    expect(await rescueButton('เช่ากล้อง 12 ตัว')).toBeInTheDocument()
    expect(hidden()).toBe(14)
    await vi.waitFor(() => expect(posts()).toHaveLength(1))
    network.to(`${PATH}/rescue`)[0]!.answer({})
    await vi.waitFor(() => expect(posts()[1]).toEqual([`${PATH}/unrescue`, { project_ids: ['67119000002'] }]))
  })

  test('is restored with the reason when the server refuses the rescue', async () => {
    const { network, posts } = await setUp()
    await userEvent.click(await rescueButton('จ้างซ่อมกล้องวงจรปิด'))
    await vi.waitFor(() => expect(posts()).toHaveLength(1))
    network.to(`${PATH}/rescue`)[0]!.answer({ non_field_errors: ['ยังแก้ไขไม่ได้'] }, 403)
    await vi.waitFor(() => expect(toastStore.get().at(-1)).toMatchObject({ tone: 'error' }))
    expect(toastStore.get().at(-1)!.text).toBe('นำเข้ารายงาน 1 โครงการไม่สำเร็จ ยังแก้ไขไม่ได้')
    expect(await rescueButton('จ้างซ่อมกล้องวงจรปิด')).toBeInTheDocument()
    expect(hidden()).toBe(14)
  })

  test('offers neither rescue nor selection in demo mode', async () => {
    queryClient.setQueryData(organisationKeys.me, { code: DEMO_ORGANISATION_CODE })
    await setUp()
    await screen.findAllByText('1,500,000.00')
    expect(screen.queryByRole('button', { name: /นำเข้ารายงาน จ้าง/ })).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})

describe('multiple rows', () => {
  test('are selected and rescued in one call', async () => {
    const { posts } = await setUp()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'เลือก จ้างซ่อมกล้องวงจรปิด' }))
    expect(screen.getByRole('checkbox', { name: 'เลือกทั้งหน้า' })).toBePartiallyChecked()
    await userEvent.click(screen.getByRole('checkbox', { name: 'เลือกทั้งหน้า' }))
    await userEvent.click(screen.getByRole('button', { name: 'นำเข้ารายงาน 3 โครงการ' }))
    await vi.waitFor(() =>
      expect(posts()).toEqual([[`${PATH}/rescue`, { project_ids: ['67119000001', '67119000002', '67119000003'] }]]),
    )
    expect(hidden()).toBe(11)
    expect(screen.getByRole('checkbox', { name: 'เลือกทั้งหน้า' })).not.toBeChecked()
  })

  test('send nothing when none is selected', async () => {
    const { posts } = await setUp()
    await userEvent.click(await screen.findByRole('button', { name: 'นำเข้ารายงานที่เลือก' }))
    expect(posts()).toEqual([])
  })
})

describe('the filters', () => {
  test('store days, word and rescued in the address and return to page 1', async () => {
    const { network, onChange } = await setUp({ address: { page: 2 } })
    await userEvent.click(await screen.findByRole('button', { name: '30 วัน' }))
    expect(onChange).toHaveBeenLastCalledWith({ days: 30, page: 1 })
    await userEvent.click(await screen.findByRole('button', { name: /^ซ่อม/ }))
    expect(onChange).toHaveBeenLastCalledWith({ days: 30, page: 1, word: 'ซ่อม' })
    expect(screen.getByRole('button', { name: /^ซ่อม/ })).toHaveAttribute('aria-pressed', 'true')
    await userEvent.click(await screen.findByRole('button', { name: /นำเข้ารายงานแล้ว/ }))
    const queries = network.to(PATH).map(({ query }) => Object.fromEntries(query))
    const page_size = '25'
    expect(queries).toEqual([
      { days: '7', page: '2', page_size },
      { days: '30', page: '1', page_size },
      { days: '30', keyword: 'ซ่อม', page: '1', page_size },
      { days: '30', rescued: 'true', page: '1', page_size },
    ])
  })

  test('offer the rows that moved up from the next page before paging', async () => {
    const { network } = await setUp({ ledger: { total_project: 60 } })
    await userEvent.click(await rescueButton('จ้างซ่อมกล้องวงจรปิด'))
    expect(await screen.findByText(/อีก 1 โครงการเลื่อนขึ้นมาหน้านี้/)).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'แสดง' }))
    await vi.waitFor(() => expect(network.to(PATH)).toHaveLength(2))
    expect(network.to(PATH)[1]!.query.get('page')).toBe('1')
  })

  test('page forward and back', async () => {
    const { onChange } = await setUp({ ledger: { total_project: 60 } })
    await userEvent.click(await screen.findByRole('button', { name: 'ถัดไป' }))
    expect(onChange).toHaveBeenLastCalledWith({ days: 7, page: 2 })
    expect(screen.getByText('หน้า 2 / 3')).toBeInTheDocument()
  })

  test('offer more days when nothing matches', async () => {
    const { onChange } = await setUp({ ledger: { results: [], total_project: 0, words: [] } })
    expect(await screen.findByText('ไม่มีโครงการถูกซ่อน · 7 วันที่ผ่านมา')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'ดู 30 วัน' }))
    expect(onChange).toHaveBeenLastCalledWith({ days: 30, page: 1 })
  })

  test('show a removable word from the address that hides nothing', async () => {
    const { onChange } = await setUp({
      address: { word: 'ประกัน' },
      ledger: { results: [], total_project: 0 },
    })
    expect(await screen.findByText('คำ “ประกัน” ไม่ได้ซ่อนโครงการใด · 7 วันที่ผ่านมา')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'ประกัน 0' }))
    expect(onChange).toHaveBeenLastCalledWith({ days: 7, page: 1, word: undefined })
  })
})
