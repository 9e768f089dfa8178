import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ProjectSuggestion } from '#contract/report/report.ts'
import { organisationKeys, userKeys } from '#src/api/http/keys.ts'
import { type FakeRequest, startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { CommandPaletteButton, CommandPaletteHost } from './command-palette-button.tsx'
import { toPaletteDocumentQuery } from './command-palette-entries.ts'

const ARRIVES = { timeout: 15_000 }
const NAME = 'ประกวดราคาซื้อกล้องวงจรปิด'
const FILTER = {
  id: 'cctv-1',
  filterName: 'CCTV ภาคกลาง',
  isSend: false,
  isStart: false,
  filterData: { filter: {}, search: [] },
}

const suggestion = (patch: Partial<ProjectSuggestion>): ProjectSuggestion => ({
  project_id: '69119000001',
  name: NAME,
  dept_sub_name: 'กองกล้อง',
  budget: 500_000,
  is_archived: false,
  is_hidden: false,
  ...patch,
})

let network: ReturnType<typeof startFakeNetwork>

beforeAll(
  async () => void (await Promise.all([import('./command-palette.tsx'), import('#src/ui/overlay/modal-panel.tsx')])),
  60_000,
)
beforeEach(() => {
  localStorage.clear()
  startSession(buildTestSession())
  network = startFakeNetwork()
  queryClient.setQueryData(userKeys.me, buildTestUser({ role: 'super_user', project_save_filter_profile: [FILTER] }))
  queryClient.setQueryData(organisationKeys.me, buildTestOrganisation({ is_company_compare: true }))
})
afterEach(() => {
  endSession('logout')
  stopFakeNetwork()
})

function Screen() {
  return (
    <QueryClientProvider client={queryClient}>
      <input aria-label="ช่องของหน้า" />
      <CommandPaletteButton variant="header" />
      <CommandPaletteHost />
    </QueryClientProvider>
  )
}

function setUp() {
  const rootRoute = createRootRoute()
  const routeTree = rootRoute.addChildren([
    createRoute({ getParentRoute: () => rootRoute, path: '$', component: Screen }),
  ])
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/watch'] }) })
  const view = render(<RouterProvider router={router} />)
  return { router, view, at: () => decodeURIComponent(router.history.location.href) }
}

async function open() {
  await screen.findByRole('button', { name: /ค้นหา/ })
  fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true })
  return screen.findByRole('combobox', { name: 'ค้นหาทั้งระบบ' }, ARRIVES)
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('combobox')).toBeNull(), ARRIVES)
const options = () => screen.getAllByRole('option').map((option) => option.textContent)
const group = (name: string) => within(screen.getByRole('group', { name }))
async function questionTo(path: string, q: string): Promise<FakeRequest> {
  const of = () => network.to(path).find(({ query }) => (query.get('q') ?? query.get('project_search__in')) === q)
  await waitFor(() => expect(of()).toBeDefined(), ARRIVES)
  return of()!
}
type PaletteAnswers = { documentPages?: number } & Partial<
  Record<'projects' | 'companies' | 'agencies' | 'documents', object[]>
>
const answerAll = async (
  text: string,
  { projects = [], companies = [], agencies = [], ...documentAnswers }: PaletteAnswers,
) => {
  const { documents = [], documentPages = documents.length } = documentAnswers
  const requests = await Promise.all([
    questionTo('projects/suggestions', text),
    questionTo('company-suggestions', text),
    questionTo('departments', text),
    questionTo('documents', text),
  ])
  await act(async () => {
    requests[0].answer({ results: projects })
    requests[1].answer({ results: companies })
    requests[2].answer({ total: agencies.length, results: agencies, ministries: [] })
    requests[3].answer({ total: documentPages, results: documents })
  })
}

test.each([
  { key: 'k', code: 'KeyK', ctrlKey: true },
  { key: 'K', code: 'KeyK', metaKey: true },
  { key: 'า', code: 'KeyK', ctrlKey: true },
])('opens and closes on %o, also from a field, and returns focus', async (press) => {
  setUp()
  const field = await screen.findByLabelText('ช่องของหน้า')
  field.focus()
  fireEvent.keyDown(field, press)
  const box = await screen.findByRole('combobox', { name: 'ค้นหาทั้งระบบ' }, ARRIVES)
  await waitFor(() => expect(box).toHaveFocus())
  fireEvent.keyDown(box, press)
  await isClosed()
  await waitFor(() => expect(field).toHaveFocus(), ARRIVES)
})

test('Esc closes it at once', async () => {
  setUp()
  await open()
  await userEvent.keyboard('{Escape}')
  await isClosed()
})

test('lists screens, saved filters and actions when empty, with a hint and no request', async () => {
  setUp()
  await open()
  expect(group('หน้า').getByRole('option', { name: 'คำติดตาม' })).toBeInTheDocument()
  expect(group('หน้า').getByRole('option', { name: 'ประวัติการใช้งาน' })).toBeInTheDocument()
  expect(group('ตัวกรองที่บันทึก').getByRole('option', { name: 'CCTV ภาคกลาง' })).toBeInTheDocument()
  expect(group('คำสั่ง').getByRole('option', { name: 'ใช้ธีมมืด' })).toBeInTheDocument()
  expect(screen.getByText(/วางเลขที่โครงการ/)).toBeInTheDocument()
  // The account (`/me`) may be refetched meanwhile, so ignore these requests.
  expect(network.asked.map(({ path }) => path).filter((path) => !path.endsWith('/me'))).toEqual([])
})

test('finds projects, companies and agencies, opens one by Enter, and lists it first next time', async () => {
  const { at } = setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'กล้อง')
  await answerAll('กล้อง', {
    projects: [suggestion({ project_id: '69119000001', name: NAME })],
    companies: [
      {
        id: 7,
        name: 'บริษัท กล้องไทย จำกัด',
        tax_id: '0105500000001',
        is_shared_name: false,
        is_sme: null,
        wins: 3,
        value: 1,
      },
    ],
    agencies: [
      {
        word: 'กองกล้อง',
        department: 'กรมตัวอย่าง',
        unit: 'กองกล้อง',
        ministry: null,
        province: null,
        units: 0,
        same_name: 1,
        open: 4,
        recent: 1,
      },
    ],
  })
  await screen.findByRole('option', { name: new RegExp(NAME) }, ARRIVES)
  expect(group('โครงการ').getAllByRole('option')).toHaveLength(1)
  expect(group('บริษัท').getByRole('option', { name: /กล้องไทย/ })).toBeInTheDocument()
  expect(group('หน่วยงาน').getByRole('option', { name: /กองกล้อง/ })).toBeInTheDocument()
  const optionIndex = options().findIndex((text) => text?.includes(NAME))
  const active = () => document.querySelector('[role="option"][data-focus]')?.textContent ?? ''
  for (let step = 0; step <= optionIndex && !active().includes(NAME); step += 1) await user.keyboard('{ArrowDown}')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(at()).toBe('/report/69119000001'))
  await isClosed()
  await open()
  expect(options()[0]).toContain(NAME)
  expect(group('ล่าสุด').getAllByRole('option')).toHaveLength(1)
})

test('states where the report has a project outside the active tab', async () => {
  setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'กล้อง')
  await answerAll('กล้อง', {
    projects: [
      suggestion({ project_id: '69119000001', name: 'กล้องหนึ่ง' }),
      suggestion({ project_id: '69119000002', name: 'กล้องสอง', is_archived: true }),
      suggestion({ project_id: '69119000003', name: 'กล้องสาม', is_archived: true, is_hidden: true }),
    ],
  })
  await screen.findByRole('option', { name: /กล้องสาม/ }, ARRIVES)
  expect(network.to('projects/suggestions')).toHaveLength(1)
  expect(
    group('โครงการ')
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'กล้องหนึ่ง69119000001 · กองกล้อง · 500,000 บาท',
    'กล้องสองส่งมอบแล้ว · 69119000002 · กองกล้อง · 500,000 บาท',
    'กล้องสามส่งมอบแล้ว · ที่ซ่อนไว้ · 69119000003 · กองกล้อง · 500,000 บาท',
  ])
})

test('forgets opened entries on logout', async () => {
  const { view } = setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'ธีมมืด')
  await user.keyboard('{Enter}')
  expect(document.documentElement.dataset.theme).toBe('dark')
  await isClosed()
  await open()
  expect(group('ล่าสุด').getByRole('option', { name: 'ใช้ธีมมืด' })).toBeInTheDocument()
  view.unmount()
  endSession('logout')
  expect(Object.keys(localStorage).filter((key) => key.startsWith('tamngan.palette'))).toEqual([])
  delete document.documentElement.dataset.theme
})

test('opens a project number in any notation at once', async () => {
  const { at } = setUp()
  const user = userEvent.setup()
  await user.click(await open())
  await user.paste('๖๙๑๑-๙๒๘ ๔๔๑๗')
  expect(screen.getByRole('option', { name: 'เปิดโครงการ 69119284417' })).toBeInTheDocument()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(at()).toBe('/report/69119284417'))
})

test('ignores the response for an earlier text', async () => {
  setUp()
  const user = userEvent.setup()
  const box = await open()
  await user.type(box, 'กล้อง')
  const old = await questionTo('projects/suggestions', 'กล้อง')
  await user.clear(box)
  await user.type(box, 'ถนน')
  await answerAll('ถนน', { projects: [suggestion({ project_id: '69119000002', name: 'จ้างก่อสร้างถนน' })] })
  await screen.findByRole('option', { name: /จ้างก่อสร้างถนน/ }, ARRIVES)
  expect(old.isAborted()).toBe(true)
  await act(async () => old.answer({ results: [suggestion({ name: NAME })] }))
  expect(screen.queryByRole('option', { name: new RegExp(NAME) })).toBeNull()
})

test('reports a failed search with a retry, and keeps the other results', async () => {
  setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'เฝ้า')
  const failing = await questionTo('projects/suggestions', 'เฝ้า')
  await act(async () => failing.answer({ code: 'forbidden', non_field_errors: ['ไม่มีสิทธิ์'] }, 403))
  expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('ค้นโครงการไม่สำเร็จ: ไม่มีสิทธิ์')
  expect(screen.getByRole('option', { name: 'คำติดตาม' })).toBeInTheDocument()
  const before = network.to('projects/suggestions').length
  await user.click(screen.getByRole('button', { name: 'ลองอีกครั้ง' }))
  await waitFor(() => expect(network.to('projects/suggestions')).toHaveLength(before + 1))
})

test('suggests what else to try when nothing is found', async () => {
  setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'กขค')
  await answerAll('กขค', {})
  expect(await screen.findByText(/ไม่พบ “กขค”/, {}, ARRIVES)).toBeInTheDocument()
  expect(screen.getByRole('option', { name: 'ค้น “กขค” ในรายงาน' })).toBeInTheDocument()
})

test('links to the budget and requests no projects with only budget access', async () => {
  queryClient.setQueryData(
    organisationKeys.me,
    buildTestOrganisation({ is_access_budget_year: true, is_access_budget_year_only: true }),
  )
  setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'งบประมาณ')
  expect(await screen.findByRole('option', { name: 'งบประมาณประจำปี' }, ARRIVES)).toBeInTheDocument()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(network.asked.map(({ path }) => path).filter((path) => !path.endsWith('/me'))).toEqual([])
})

test('lists document hits last, with passage and page link, and shows their total', async () => {
  const { at } = setUp()
  const user = userEvent.setup()
  await user.type(await open(), 'หลักประกัน')
  await answerAll('หลักประกัน', {
    documentPages: 37,
    documents: [
      {
        document_id: 'one',
        document_name: 'TOR.pdf',
        project_id: '69119000001',
        project_name: NAME,
        page: 5,
        count: 2,
        is_from_picture: false,
        excerpt: { text: 'ต้องวางหลักประกันสัญญา', marks: [{ from: 7, to: 17 }] },
      },
    ],
  })
  const documentOption = await screen.findByRole('option', { name: /ต้องวางหลักประกันสัญญา/ }, ARRIVES)
  expect(documentOption).toHaveTextContent(`TOR.pdf หน้า 5 · ${NAME}`)
  expect(screen.getByText(/พบ 37 หน้า แสดง 1 หน้า/)).toBeInTheDocument()
  await user.click(documentOption)
  await waitFor(() => expect(at()).toBe('/report/69119000001/documents/one?page=5&q=หลักประกัน'))
})

test('searches documents for all words on one page, or by the operators typed', () => {
  expect(toPaletteDocumentQuery('กล้อง วงจรปิด')).toBe('กล้อง ## วงจรปิด')
  expect(toPaletteDocumentQuery('กล้อง << ยกเลิก')).toBe('กล้อง << ยกเลิก')
  expect(toPaletteDocumentQuery('"หลัก ประกัน"')).toBe('"หลัก ประกัน"')
  expect(toPaletteDocumentQuery('ฝน ตก')).toBe('ฝน ตก')
  expect(toPaletteDocumentQuery('ฝน')).toBeUndefined()
})

test('Enter on a tax id opens its company instead of searching the report for it', async () => {
  const { at } = setUp()
  await open()
  await userEvent.keyboard('0105550000015')
  await answerAll('0105550000015', {
    companies: [
      {
        ...{ id: 7, name: 'บริษัท กล้องดี จำกัด', tax_id: '0105550000015', is_shared_name: false, is_sme: null },
        ...{ wins: 3, value: null },
      },
    ],
  })
  await screen.findByRole('option', { name: /กล้องดี/ }, ARRIVES)
  expect(options()).toHaveLength(1)
  await userEvent.keyboard('{Enter}')
  await isClosed()
  expect(at()).toBe('/companies/บริษัท กล้องดี จำกัด')
})
