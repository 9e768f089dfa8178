import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { ReportPageResponse as Answer, ReportRow } from '#contract/report/report.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { formatProjectPageSearch, parseProjectPageSearch } from '#src/lib/project-url.ts'
import { reportSearchOptions } from '#src/lib/report-url.ts'
import { typedSearch } from '#src/lib/typed-search.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { ReportPage } from '#src/report/pages/report/report-page.tsx'
import { setSingleKeyShortcutsEnabled } from '#src/shell/shortcuts/shortcut-setting.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'
import { ToastRegion } from '#src/ui/overlay/toast-region.tsx'
import { reportPage } from '../../../../../test/report-page.ts'
import { reportRow } from '../../../../../test/report-row.ts'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })
const COUNT = 60

const idOf = (number: number) => String(69119000000 + number)
const row = (number: number): ReportRow =>
  reportRow({
    project_id: idOf(number),
    changes: [{ field: 'submission_end_date', old: '2026-11-25', new: '2026-12-02', seen_at: '2026-11-21T02:00:00Z' }],
    name: `งานที่ ${number} กล้องวงจรปิด`,
    movement_date: null,
    bidding_invite_date: null,
    submission_end_date: '2026-12-02',
  })
const ALL = Array.from({ length: COUNT }, (_, index) => row(index + 1))
const ORGANISATION = {
  code: 'acme',
  customer_config: { not_allow_start_time: '01:00:00', not_allow_end_time: '01:00:00', max_project_budget: '0' },
  areasWithProvinces: {},
  include: [],
  ai_include: [],
  deptsub_include: [],
} as unknown as Organisation

const news: ChangeNotice[] = []
let api: ReturnType<typeof startFakeUserApi>

function pageOf(query: URLSearchParams): Answer {
  const ids = query.get('project_id__in')?.split('||')
  const hides = query.get('project_hidden') === 'true'
  const matches = ALL.filter(
    ({ project_id }) =>
      (!ids || ids.includes(project_id)) &&
      api.user.project_hidden.includes(project_id) === hides &&
      query.get('is_archived') !== 'true',
  )
  const page = Number(query.get('page') ?? 1)
  return reportPage({
    total_project: matches.length,
    page,
    results: matches.slice((page - 1) * 50, page * 50),
    counts: { ...reportPage().counts, all: COUNT },
  })
}

async function setUp(address = '/report') {
  api = startFakeUserApi(
    buildTestUser({
      project_labels: [
        { id: 'road', name: 'งานถนน', color: 'sky' },
        { id: 'camera', name: 'กล้อง', color: 'amber' },
      ],
    }),
    true,
  )
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    if (pathname.endsWith('/projects')) return Response.json(pageOf(searchParams))
    if (pathname.endsWith('/projects/facets')) return Response.json({ options: {}, money: {}, dates: {} })
    if (pathname.endsWith('/projects/ids'))
      return Response.json({ ids: ALL.map(({ project_id }) => project_id), total: COUNT })
    return fakeFetch(input, init)
  })
  queryClient.setQueryData(organisationKeys.me, ORGANISATION)
  const root = createRootRoute({ component: Outlet })
  const app = createRoute({ getParentRoute: () => root, id: '_app', component: Outlet })
  const report = createRoute({
    getParentRoute: () => app,
    path: '/report',
    ...reportSearchOptions,
    component: ReportPage,
  })
  const project = createRoute({
    getParentRoute: () => app,
    path: '/report/$id',
    ...typedSearch(parseProjectPageSearch, formatProjectPageSearch),
    component: () => <h1>หน้าโครงการ</h1>,
  })
  const router = createRouter({
    routeTree: root.addChildren([app.addChildren([report, project])]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
      <ToastRegion />
    </QueryClientProvider>,
  )
  await screen.findByRole('table', {}, LOADING)
  await import('./report-shortcuts.tsx')
  const ready = userEvent.setup()
  // Wait for lazy code before a key press: otherwise `act` re-renders the fallback repeatedly and the code never loads.
  const keyboard = async (keys: string) => {
    await vi.dynamicImportSettled()
    await ready.keyboard(keys)
  }
  const user: typeof ready = { ...ready, keyboard }
  return { user, router, search: () => router.state.location.search as Record<string, string> }
}

beforeEach(() => {
  setSingleKeyShortcutsEnabled(true)
  news.length = 0
  setChangeNoticeListener((notice) => news.push(notice))
  // jsdom has no layout, so mock a wide window with a mouse, a region of 600 px and rows of 74 px.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(74)
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({
        matches: media.includes('min-width'),
        media,
        addEventListener() {},
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  )
})
afterEach(() => {
  clearToasts()
  stopFakeUserApi()
  vi.restoreAllMocks()
})

const focused = () => /งานที่ (\d+) /.exec(document.activeElement?.closest('tr')?.textContent ?? '')?.[1]
const atRow = (number: number) => waitFor(() => expect(focused()).toBe(String(number)), LOADING)
const panel = () => screen.queryByRole('complementary', { name: 'ดูย่อโครงการ' })
/** Presses J until the row has focus; the first press may precede the shortcut listener. */
async function walkTo(user: ReturnType<typeof userEvent.setup>, number: number) {
  await waitFor(async () => {
    if (focused() === undefined) await user.keyboard('j')
    expect(focused()).toBeDefined()
  }, LOADING)
  for (let at = Number(focused()); at < number; at++) {
    await user.keyboard('j')
    await atRow(at + 1)
  }
}

test('stars, labels and hides by keyboard alone, and continues from the same row', async () => {
  const { user } = await setUp()
  await walkTo(user, 2)
  await user.keyboard('b')
  await waitFor(() => expect(api.user.project_bookmark).toEqual([idOf(2)]), LOADING)
  expect(screen.getByText('ติดดาวแล้ว')).toHaveAttribute('role', 'status')

  await user.keyboard('l')
  const labels = await screen.findByRole('group', { name: 'ป้ายของโครงการ' }, LOADING)
  await waitFor(() => expect(labels).toHaveFocus(), LOADING)
  await user.keyboard('2')
  await waitFor(() => expect(api.user.project_label_assignments).toEqual({ [idOf(2)]: ['camera'] }), LOADING)
  await user.keyboard('{Escape}')
  await atRow(2)

  await user.keyboard('x')
  await atRow(3)
  await waitFor(() => expect(api.user.project_hidden).toEqual([idOf(2)]), LOADING)
  expect(screen.queryByText(idOf(2))).toBeNull()
  expect(news.at(-1)).toMatchObject({ kind: 'done', text: 'ซ่อน 1 โครงการแล้ว', undo: expect.any(Function) })
})

test('opens the panel on Space, follows J, and returns focus to the row on Esc', async () => {
  const { user, search } = await setUp()
  await walkTo(user, 1)
  await user.keyboard(' ')
  await waitFor(() => expect(panel()).toHaveTextContent('งานที่ 1 '), LOADING)
  expect(search()).toEqual({ peek: idOf(1) })
  expect(focused()).toBe('1')
  await user.keyboard('j')
  await atRow(2)
  expect(panel()).toHaveTextContent('งานที่ 2 ')
  await waitFor(() => expect(search()).toEqual({ peek: idOf(2) }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(panel()).toBeNull())
  expect(search()).toEqual({})
  await atRow(2)
})

const nameOf = (number: number) =>
  within(screen.getByRole('rowheader', { name: new RegExp(`งานที่ ${number} `) })).getByRole('link', { name: /งานที่/ })

test('opens the panel on a click on the name, which has a link for a new tab', async () => {
  const { user, search } = await setUp('/report?check_sme=true')
  await walkTo(user, 1)
  expect(nameOf(3)).toHaveAttribute('href', `/report/${idOf(3)}?from=check_sme%3Dtrue`)
  await user.click(nameOf(3))
  await waitFor(() => expect(search()).toEqual({ check_sme: 'true', peek: idOf(3) }))
})

test('leaves the name to the browser with Ctrl, Command or the middle button', async () => {
  const { user, search } = await setUp()
  await walkTo(user, 1)
  for (const press of [{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { button: 1 }]) {
    const isDefaultAllowed = fireEvent.click(nameOf(3), { detail: 1, ...press })
    expect(isDefaultAllowed).toBe(true)
  }
  expect(search()).toEqual({})
})

test('opens the page of a row on Enter in this tab, and restores the row on Back', async () => {
  const { user, router } = await setUp('/report?check_sme=true')
  await walkTo(user, 4)
  await user.keyboard('{Enter}')
  await screen.findByRole('heading', { name: 'หน้าโครงการ' })
  expect(router.state.location.pathname).toBe(`/report/${idOf(4)}`)
  expect(router.state.location.search).toEqual({ from: 'check_sme=true' })
  router.history.back()
  await screen.findByRole('table', {}, LOADING)
  await atRow(4)
})

test('links from the panel to the page', async () => {
  const { user, router } = await setUp()
  await walkTo(user, 2)
  await user.keyboard(' ')
  await user.click(await screen.findByRole('link', { name: 'เปิดหน้าโครงการ' }, LOADING))
  await screen.findByRole('heading', { name: 'หน้าโครงการ' })
  expect(router.state.location.pathname).toBe(`/report/${idOf(2)}`)
})

test('opens the row that is pressed after the panel was left by Back at another row', async () => {
  const { user, router, search } = await setUp()
  await walkTo(user, 1)
  await user.keyboard(' ')
  await waitFor(() => expect(search()).toEqual({ peek: idOf(1) }), LOADING)
  await user.keyboard('j')
  await waitFor(() => expect(search()).toEqual({ peek: idOf(2) }))
  router.history.back()
  await waitFor(() => expect(panel()).toBeNull())
  await user.click(nameOf(1))
  await waitFor(() => expect(panel()).toHaveTextContent('งานที่ 1 '))
  expect(search()).toEqual({ peek: idOf(1) })
})

test('closes the panel on Back, and leaves no dead history entry after closing', async () => {
  const { user, router, search } = await setUp()
  await walkTo(user, 1)
  await user.keyboard(' ')
  await waitFor(() => expect(panel()).not.toBeNull(), LOADING)
  router.history.back()
  await waitFor(() => expect(panel()).toBeNull())
  await user.keyboard(' ')
  await waitFor(() => expect(search()).toEqual({ peek: idOf(1) }))
  await user.keyboard(' ')
  await waitFor(() => expect(search()).toEqual({}))
  expect(router.history.canGoBack()).toBe(false)
})

test('moves to the next page with J at the end, and back to the last row with K', async () => {
  const { user, search } = await setUp()
  await walkTo(user, 1)
  await user.keyboard('{End}')
  await atRow(50)
  await user.keyboard('j')
  await atRow(51)
  expect(search()).toEqual({ page: '2' })
  await user.keyboard('k')
  await atRow(50)
  expect(search()).toEqual({})
})

test('selects rows by S across pages, and clears the selection on Esc', async () => {
  const { user } = await setUp()
  await walkTo(user, 1)
  await user.keyboard('s')
  const bar = await screen.findByRole('region', { name: 'ทำกับโครงการที่เลือก' }, LOADING)
  await user.keyboard('{End}')
  await atRow(50)
  await user.keyboard('j')
  await atRow(51)
  await user.keyboard('s')
  await waitFor(() => expect(bar).toHaveTextContent('เลือก 2 โครงการ'))
  await user.click(within(bar).getByRole('button', { name: 'ติดดาว' }))
  await waitFor(() => expect(api.user.project_bookmark).toEqual([idOf(1), idOf(51)]), LOADING)
  expect(api.patches).toHaveLength(1)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'ทำกับโครงการที่เลือก' })).toBeNull())
})

test('offers the whole result after a whole page; a filter change clears it with a notice', async () => {
  const { user, router } = await setUp()
  await user.click(screen.getByRole('checkbox', { name: 'เลือกทุกโครงการในหน้านี้' }))
  await user.click(await screen.findByRole('button', { name: 'เลือกทั้งหมด 60 โครงการในผลลัพธ์' }, LOADING))
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'ทำกับโครงการที่เลือก' })).toHaveTextContent('เลือก 60 โครงการ'),
  )
  expect(screen.getByRole('button', { name: /LINE ได้ไม่เกิน 20/ })).toBeDisabled()
  await router.navigate({ to: '/report', search: { check_sme: 'true' } } as never)
  expect(await screen.findByText('เลิกเลือก 60 โครงการแล้ว เพราะตัวกรองเปลี่ยน', {}, LOADING)).toBeInTheDocument()
})

test('opens a linked project outside the page', async () => {
  await setUp(`/report?peek=${idOf(58)}`)
  await waitFor(() => expect(panel()).toHaveTextContent('งานที่ 58 '), LOADING)
})

test('reports a linked project that is not in the report', async () => {
  await setUp('/report?peek=11111111111')
  await waitFor(() => expect(panel()).toHaveTextContent('ไม่มีโครงการนี้ในรายงานขององค์กร'), LOADING)
})

test('works on the Thai layout, and leaves letters to the search box', async () => {
  const { user } = await setUp()
  await walkTo(user, 1)
  fireEvent.keyDown(document.activeElement!, { key: '่', code: 'KeyJ' })
  await atRow(2)
  await user.keyboard('/')
  const box = screen.getByRole('textbox', { name: 'คำค้นในทุกช่อง' })
  await waitFor(() => expect(box).toHaveFocus())
  await user.keyboard('jbx')
  expect(box).toHaveValue('jbx')
  expect(api.patches).toHaveLength(0)
})
