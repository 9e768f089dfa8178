import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import type { FilterContext } from '#src/report/filter/filter-context.ts'
import { FilterSheet } from './filter-sheet.tsx'

const ARRIVES = { timeout: 15_000 }

async function setUp() {
  const root = createRootRoute()
  function Page() {
    const navigate = useNavigate()
    const context: FilterContext = {
      search: {},
      change: (patch, how) => void navigate({ to: '.', search: patch as never, replace: how === 'replace' }),
      facets: undefined,
      labels: [],
      areas: {},
      ceilings: { budget: 1_000_000, otherBudgets: 1_000_000 },
      window: { start: null, end: null },
      today: '2026-11-21',
    }
    return (
      <FilterSheet
        context={context}
        total={7}
        onClear={() => undefined}
        selection={{ isSelecting: false, toggleSelecting: () => undefined }}
      />
    )
  }
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/before' }),
      createRoute({ getParentRoute: () => root, path: '/report', component: Page }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/before', '/report'] }),
  })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return {
    address: () => router.history.location.href,
    back: () => act(async () => router.history.back()),
  }
}
const open = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'กรอง' }))
  return screen.findByRole('checkbox', { name: /คงเดิม/ }, ARRIVES)
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), ARRIVES)

beforeEach(() => {
  localStorage.clear()
  startFakeNetwork(() => ({ total: 0, results: [] }))
})
afterEach(stopFakeNetwork)

test('closes the open sheet on Back and stays on the report', async () => {
  const { address, back } = await setUp()
  await open()
  await back()
  await isClosed()
  expect(address()).toBe('/report')
  await back()
  expect(address()).toBe('/before')
})

test('keeps choices when Back closes the sheet, as one step for the next Back', async () => {
  const { address, back } = await setUp()
  fireEvent.click(await open())
  await waitFor(() => expect(address()).toMatch(/project_change_status__in/))
  await back()
  await isClosed()
  await waitFor(() => expect(address()).toMatch(/project_change_status__in/))
  await back()
  expect(address()).toBe('/report')
})

test('leaves no history entry when closed by its button without a choice', async () => {
  const { address, back } = await setUp()
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'แสดง 7 โครงการ' }))
  await isClosed()
  expect(address()).toBe('/report')
  await back()
  expect(address()).toBe('/before')
})
