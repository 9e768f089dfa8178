import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { reportSearchOptions } from '#src/lib/report-url.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { reportPage } from '../../../../test/report-page.ts'
import { reportRow } from '../../../../test/report-row.ts'
import { ReportPage } from './report-page.tsx'

const LOADING = { timeout: 15_000 }
vi.setConfig({ testTimeout: 60_000 })

const drawn = vi.hoisted(() => ({ panels: 0, rows: [] as string[] }))
// Wraps the real components to count renders: the checkbox renders with its row, the panel with the counts.
vi.mock('#src/ui/form/checkbox.tsx', async (original) => {
  const real = await original<typeof import('#src/ui/form/checkbox.tsx')>()
  const Checkbox = (props: ComponentProps<typeof real.Checkbox>) => {
    if (props.ariaLabel?.startsWith('เลือก งาน')) drawn.rows.push(props.ariaLabel)
    return <real.Checkbox {...props} />
  }
  return { ...real, Checkbox }
})
vi.mock('#src/report/filter/filter-panel.tsx', async (original) => {
  const real = await original<typeof import('#src/report/filter/filter-panel.tsx')>()
  const FilterPanel = (props: ComponentProps<typeof real.FilterPanel>) => {
    drawn.panels += 1
    return <real.FilterPanel {...props} />
  }
  return { ...real, FilterPanel }
})

const idOf = (number: number) => String(69119000000 + number)
const ROWS = Array.from({ length: 12 }, (_, at) => reportRow({ project_id: idOf(at), name: `งานที่ ${at}` }))
const NEW = ROWS.slice(6)

type PendingRequest = { readonly path: string; readonly answer: () => void }
let pendingRequests: PendingRequest[]

beforeEach(() => {
  pendingRequests = []
  startFakeUserApi(buildTestUser(), true)
  const fakeFetch = fetch
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const path = pathname.replace(/^.*\/api\/v2\//, '')
    const isFiltered = searchParams.has('project_change_status__in')
    const results = isFiltered ? NEW : ROWS
    const counted = { project_change_status__in: [{ value: 'new', count: isFiltered ? 6 : 12 }] }
    const bodies: Record<string, object> = {
      projects: reportPage({ total_project: results.length, results }),
      'projects/agencies': { total: 0, results: [] },
      'projects/facets': { options: counted, money: {}, dates: {} },
    }
    const body = bodies[path]
    if (!body) return fakeFetch(input, init)
    if (isFiltered && path !== 'projects/agencies')
      await new Promise<void>((answer) => pendingRequests.push({ path, answer }))
    return Response.json(body)
  })
  queryClient.setQueryData(organisationKeys.me, {
    code: 'acme',
    customer_config: { not_allow_start_time: '01:00:00', not_allow_end_time: '01:00:00', max_project_budget: '0' },
    areasWithProvinces: {},
    include: [],
    ai_include: [],
    deptsub_include: [],
  } as unknown as Organisation)
  // jsdom has no layout, so mock a wide window with a mouse, a region of 600 px and rows of 74 px.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(74)
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({ matches: media.includes('min-width'), media, addEventListener() {}, removeEventListener() {} }) as never,
  )
})
afterEach(() => {
  stopFakeUserApi()
  vi.restoreAllMocks()
})

function setUp() {
  const root = createRootRoute({ component: Outlet })
  const app = createRoute({ getParentRoute: () => root, id: '_app', component: Outlet })
  const report = createRoute({
    getParentRoute: () => app,
    path: '/report',
    ...reportSearchOptions,
    component: ReportPage,
  })
  const router = createRouter({
    routeTree: root.addChildren([app.addChildren([report])]),
    history: createMemoryHistory({ initialEntries: ['/report'] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const waitForRequest = (path: string) =>
  waitFor(() => pendingRequests.find((request) => request.path === path) ?? expect.fail(path), LOADING)
const count = () => drawn.rows.length
const trOf = (number: number) =>
  document.querySelector(`[data-project-link="${idOf(number)}"]`)?.closest('tr') ?? undefined
function forget() {
  Object.assign(drawn, { panels: 0, rows: [] })
}
async function waitUntilIdle() {
  await vi.dynamicImportSettled()
  await waitFor(() => expect(queryClient.isFetching()).toBe(0), LOADING)
}

test('renders each row once per filter click, and no row for counts', async () => {
  setUp()
  const box = await screen.findByRole('checkbox', { name: /^ใหม่/ }, LOADING)
  await waitFor(() => expect(trOf(0)).toBeInTheDocument(), LOADING)
  await waitUntilIdle()
  const rowBefore = trOf(7)
  forget()

  await userEvent.setup().click(box)
  expect(box).toBeChecked()
  const rows = await waitForRequest('projects')
  // The page shows the new address with the previous rows while the new rows are loading.
  await screen.findByRole('list', { name: 'ตัวกรองที่ใช้อยู่' }, LOADING)
  expect(drawn.rows).toEqual([])

  rows.answer()
  await waitFor(() => expect(trOf(0)).toBeUndefined(), LOADING)
  expect(drawn.rows.toSorted()).toEqual(NEW.map(({ name }) => `เลือก ${name}`).toSorted())
  expect(trOf(7)).toBe(rowBefore)

  const counts = await waitForRequest('projects/facets')
  const before = { rows: count(), panels: drawn.panels }
  counts.answer()
  await waitFor(() => expect(box.closest('label')).toHaveTextContent('ใหม่6'), LOADING)
  expect(count()).toBe(before.rows)
  expect(drawn.panels).toBeGreaterThan(before.panels)
})
