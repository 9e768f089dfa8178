import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { queryClient } from '#src/api/http/query-client.ts'
import { formatQueryString, parseQueryString } from '#src/lib/flat-search-params.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { ReportManagerHost } from './report-manager-host.tsx'

const ARRIVES = { timeout: 15_000 }
const FILTER = { id: 'cctv', filterName: 'CCTV', isSend: false, isStart: false, filterData: { filter: {}, search: [] } }

beforeEach(() => void startFakeUserApi(buildTestUser({ project_save_filter_profile: [FILTER] }), true))
afterEach(stopFakeUserApi)

async function openAt(address: string) {
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '$',
    component: () => (
      <QueryClientProvider client={queryClient}>
        <ReportManagerHost />
      </QueryClientProvider>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: parseQueryString,
    stringifySearch: formatQueryString,
  })
  await router.load()
  // The router type registered globally is the app's, so cast the test's router.
  render(<RouterProvider router={router as never} />)
  return router
}

test.each([
  ['saved-filters', 'ตัวกรองที่บันทึก'],
  ['labels', 'จัดการป้ายกำกับ'],
  ['columns', 'คอลัมน์ในตาราง'],
])('/report#%s opens %s; Esc closes it and keeps the search', async (hash, name) => {
  const router = await openAt(`/report?check_sme=true#${hash}`)
  expect(await screen.findByRole('dialog', { name }, ARRIVES)).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), ARRIVES)
  expect(router.state.location.href).toBe('/report?check_sme=true')
  expect(router.history.length).toBe(1)
})

test('a saved filter opens in the report without the dialog', async () => {
  const router = await openAt('/report#saved-filters')
  await screen.findByRole('dialog', {}, ARRIVES)
  await userEvent.click(await screen.findByRole('button', { name: 'CCTV' }, ARRIVES))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), ARRIVES)
  expect(router.state.location.pathname).toBe('/report')
  expect(router.state.location.hash).toBe('')
  expect(router.state.location.search).toMatchObject({ saved: 'cctv' })
})

test.each(['/report', '/report#main', '/board#labels'])('%s opens nothing', async (address) => {
  await openAt(address)
  await act(async () => undefined)
  expect(screen.queryByRole('dialog')).toBeNull()
})
