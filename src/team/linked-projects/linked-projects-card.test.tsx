import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { LinkedProject } from '#contract/catalogue/linked-project.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { LinkedProjectsCard } from './linked-projects-card.tsx'

const PATIENT = { timeout: 10_000 }

const project = (change: Partial<LinkedProject>): LinkedProject => ({
  project_id: '68119000001',
  name: 'ซื้อกล้องวงจรปิด 60 จุด',
  dept_name: 'เทศบาลนครตัวอย่าง',
  dept_sub_name: 'กองช่าง',
  fiscal_year: 2568,
  budget: 11_000_000,
  estimate_budget: null,
  winner_name: 'บริษัท ก จำกัด',
  winner_budget: 9_800_000,
  status: 'contract_created',
  movement: 'contract_created',
  movement_date: '2025-12-04',
  kind: 'yearly',
  likeness: 0.9,
  in_report: true,
  ...change,
})

async function setUp(method = 'e_bidding') {
  const network = startFakeNetwork()
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <LinkedProjectsCard projectId="69119000001" method={method} />,
  })
  const projectRoute = createRoute({ getParentRoute: () => root, path: '/report/$id', component: () => 'หน้าโครงการ' })
  const router = createRouter({ routeTree: root.addChildren([page, projectRoute]), history: createMemoryHistory() })
  await router.load()
  render(
    <QueryClientProvider client={queryClient}>
      {/* The app registers a different router type. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  const calls = () => network.to('projects/69119000001/linked')
  await vi.waitFor(() => expect(calls()).toHaveLength(1), PATIENT)
  return { calls, answer: (results: LinkedProject[]) => calls()[0]!.answer({ results }), router }
}
afterEach(stopFakeNetwork)

test('groups projects by their relation, each with unit, year, amount and movement', async () => {
  const { answer } = await setUp()
  answer([
    project({ kind: 'similar', project_id: '4' }),
    project({}),
    project({
      kind: 'retender_of',
      project_id: '1',
      winner_name: null,
      winner_budget: null,
      movement: 'invitation_cancelled',
    }),
  ])
  const groups = await screen.findAllByRole('heading', { level: 3 }, PATIENT)
  expect(groups.map((group) => group.textContent)).toEqual(['ยกเลิกแล้วประกาศใหม่', 'ซื้อทุกปี', 'งานชื่อคล้ายกัน'])
  const yearly = within(screen.getByRole('region', { name: 'ซื้อทุกปี' })).getByRole('listitem')
  expect(yearly).toHaveTextContent(
    'ซื้อกล้องวงจรปิด 60 จุดกองช่าง · ปีงบประมาณ 2568งบ 11.00 ล้านผู้ชนะ บริษัท ก จำกัด 9.80 ล้านจัดทำสัญญา/PO 4 ธ.ค. 2568',
  )
  expect(screen.getByText('ครั้งก่อนที่ยกเลิก')).toBeInTheDocument()
})

test('links a project of the report, and states that another is outside it', async () => {
  const { answer, router } = await setUp()
  answer([project({}), project({ project_id: '2', name: 'งานนอกรายงาน', in_report: false })])
  const links = await screen.findAllByRole('link', {}, PATIENT)
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/report/68119000001'])
  expect(screen.getByText('งานนอกรายงาน').closest('li')).toHaveTextContent('อยู่นอกรายงานขององค์กร')
  await userEvent.click(links[0]!)
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/report/68119000001'), PATIENT)
})

test('states what was searched for when there are none', async () => {
  const { answer } = await setUp()
  answer([])
  expect(await screen.findByText('ไม่พบโครงการที่ประกาศใหม่ ซื้อทุกปี หรือชื่อคล้ายกัน', {}, PATIENT)).toBeInTheDocument()
})

test('shows a loading state, and reloads on a click after a failure', async () => {
  const { calls } = await setUp()
  expect(screen.getByRole('status')).toHaveTextContent('กำลังโหลดโครงการที่เกี่ยวข้อง')
  calls()[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
  expect(await screen.findByRole('alert', {}, PATIENT)).toHaveTextContent('ทำรายการถี่เกินไป')
  await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  await vi.waitFor(() => expect(calls()).toHaveLength(2), PATIENT)
  calls()[1]!.answer({ results: [project({})] })
  expect(await screen.findByRole('link', {}, PATIENT)).toBeInTheDocument()
})

test('lists possible duplicates first with the reasons, and not again in their group', async () => {
  const { calls } = await setUp()
  const reason = { kind: 'lot' as const, likeness: 0.98, budget_share: 0.02, days: 3 }
  const twin = project({ project_id: '7', name: 'งานส่วนที่ 2', kind: 'similar' })
  calls()[0]!.answer({ results: [twin, project({})], twins: [{ ...twin, reason }] })
  const region = within(await screen.findByRole('region', { name: 'อาจเป็นงานเดียวกัน' }, PATIENT))
  expect(region.getByText('คนละส่วนของงานเดียวกัน')).toBeVisible()
  expect(region.getByText('หน่วยเดียวกัน · ชื่อตรงกัน 98% · งบต่างกัน 2% · ประกาศห่างกัน 3 วัน')).toBeVisible()
  expect(screen.getAllByText('งานส่วนที่ 2')).toHaveLength(1)
  expect(screen.queryByRole('region', { name: 'งานชื่อคล้ายกัน' })).toBeNull()
})

test.each([
  ['e_bidding', 'retender_of', true],
  ['e_bidding', 'retendered_as', true],
  ['selective', 'retender_of', false],
  ['e_bidding', 'yearly', false],
] as const)('papers are free in a new round (%s, %s): %s', async (method, kind, isFree) => {
  const { answer } = await setUp(method)
  answer([project({ kind })])
  await screen.findByRole('link', {}, PATIENT)
  const note = screen.queryByText(/ผู้ที่ซื้อเอกสารรอบก่อนได้เอกสารใหม่ฟรี/)
  if (isFree) expect(note).toHaveTextContent('ข้อ 49')
  else expect(note).toBeNull()
})
