import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { FilterHitRate, FilterHitRateResult } from '#contract/report/filter-hit-rate.ts'
import { userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { SavedFilterHitRate, WatchListHitRate } from './saved-filter-hit-rate.tsx'

afterEach(() => {
  stopFakeNetwork()
  queryClient.clear()
})
const recall = (change: Partial<FilterHitRateResult>): FilterHitRateResult => ({
  seen: 46,
  n: 51,
  left_out: [],
  missed: [],
  ...change,
})
const leave = vi.fn()

function show(answer: Partial<FilterHitRate>) {
  const response = { since: '2025-11-23', watch: recall({}), filters: {}, ...answer }
  startFakeNetwork(({ path }) => (path === 'projects/saved-filter-recall' ? response : undefined))
  queryClient.setQueryData(userKeys.me, buildTestUser())
  const search = { project_name__in: 'กล้อง||CCTV' }
  const root = createRootRoute({
    component: () => (
      <>
        <WatchListHitRate onLeave={leave} />
        <SavedFilterHitRate id="f" search={search} onLeave={leave} />
      </>
    ),
  })
  const router = createRouter({ routeTree: root, history: createMemoryHistory() })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

test('shows how many own projects a filter finds, and on click why it misses the others', async () => {
  const missed = [{ project_id: '9', name: 'ซ่อมถนน', by: ['project_name__in'] }]
  show({ filters: { f: recall({ missed, left_out: ['project_status__in'] }) }, watch: recall({ n: 0, seen: 0 }) })
  await screen.findByText(/เห็น 46 จาก 51 งานที่คุณติดดาวหรือทีมทำใน 12 เดือน \(90%\)/)
  expect(screen.queryByText('คำติดตามขององค์กร')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: /ที่ไม่เห็น 5/ }))
  const list = within(screen.getByRole('list', { name: 'งานที่ไม่เห็น' }))
  expect(list.getByRole('link', { name: 'ซ่อมถนน' })).toHaveAttribute('href', '/report/9')
  expect(list.getByText(/^ไม่ผ่าน ชื่อโครงการ/)).toHaveTextContent('กล้อง หรือ CCTV')
  expect(list.getByText(/ไม่นับเงื่อนไข/)).toBeVisible()
  expect(list.getByText('และอีก 4 งาน')).toBeVisible()
})

test('shows no share for few projects, and links watch-list misses to their rule', async () => {
  const missed = [{ project_id: '9', name: 'ซ่อมถนน', by: [], why: 'ไม่มีคำที่ติดตามในชื่อโครงการ' }]
  show({ filters: { f: recall({ seen: 4, n: 4 }) }, watch: recall({ seen: 4, n: 5, missed }) })
  expect(await screen.findByText(/น้อยเกินกว่าจะสรุป/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /ที่ไม่เห็น 1/ }))
  expect(screen.getByText('ไม่มีคำที่ติดตามในชื่อโครงการ')).toBeVisible()
  const link = screen.getByRole('link', { name: 'ซ่อมถนน' })
  expect(link.getAttribute('href')).toContain('project=')
})

test('shows nothing for a filter that cannot be judged', async () => {
  show({})
  expect(await screen.findByText('คำติดตามขององค์กร')).toBeVisible()
  expect(screen.getAllByText(/เห็น 46/)).toHaveLength(1)
})
