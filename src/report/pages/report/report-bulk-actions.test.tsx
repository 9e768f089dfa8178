import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import type { ReportInteractionState } from './keyboard/use-report-interaction-state.ts'
import { ReportBulkActions } from './report-bulk-actions.tsx'

afterEach(stopFakeUserApi)

function setUp({ count = 50, total = 603, starred = 0, isWholePage = true, search = {} as ReportSearch } = {}) {
  const ids = Array.from({ length: count }, (_, index) => String(index))
  const api = startFakeUserApi(buildTestUser({ project_bookmark: ids.slice(0, starred) }))
  const selection = {
    ids: new Set(ids),
    chosen: new Map(ids.map((id) => [id, null])),
    selectIds: vi.fn(),
    clear: vi.fn(),
  }
  const rows = isWholePage ? ids.slice(0, 50).map((id) => ({ project_id: id })) : [{ project_id: 'not selected' }]
  const tools = { selection, rows, table: { current: null } } as unknown as ReportInteractionState
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <ReportBulkActions tools={tools} search={search} total={total} />
    </QueryClientProvider>,
  )
  return { ...selection, api, unmount }
}
const button = (name: string | RegExp) => screen.queryByRole('button', { name })

test('announces the number selected, and offers the whole result with its number', async () => {
  const { selectIds } = setUp()
  vi.stubGlobal('fetch', async () => Response.json({ ids: ['1', '2'], total: 2 }))
  expect(screen.getByRole('status')).toHaveTextContent('เลือก 50 โครงการ')
  await userEvent.click(button('เลือกทั้งหมด 603 โครงการในผลลัพธ์')!)
  await vi.waitFor(() => expect(selectIds).toHaveBeenCalledExactlyOnceWith(['1', '2']))
})

test('states how many of how many beyond the limit per action', () => {
  setUp({ total: 2345 })
  expect(button('เลือก 1,000 โครงการแรก จาก 2,345 ในผลลัพธ์')).toBeInTheDocument()
})

test('offers nothing more once the limit is reached', () => {
  setUp({ total: 2345, count: 1000 })
  expect(button(/^เลือก/)).toBeNull()
  expect(screen.getByRole('region')).toHaveTextContent('ทำได้ครั้งละไม่เกิน 1,000 โครงการ จากผลลัพธ์ 2,345 โครงการ')
})

test('offers nothing for part of a page or for the whole result', () => {
  setUp({ isWholePage: false, count: 3 })
  expect(button(/^เลือก/)).toBeNull()
})

test.each([
  [0, true, false],
  [20, true, true],
  [50, false, true],
])('with %i of 50 starred: star offered %s, unstar offered %s', (starred, star, unstar) => {
  setUp({ starred })
  expect(button('ติดดาว') !== null).toBe(star)
  expect(button('เอาดาวออก') !== null).toBe(unstar)
})

test('unhides projects in the hidden view', async () => {
  const { api, clear } = setUp({ count: 1, search: { project_hidden: true } })
  await userEvent.click(button('เลิกซ่อน')!)
  await vi.waitFor(() => expect(api.patches).toHaveLength(1))
  expect(api.patches[0]!.patch).toEqual({ hide_action: { action: 'remove', project_ids: ['0'] } })
  expect(clear).toHaveBeenCalledOnce()
})

test('lifts toasts only while it is visible', () => {
  const { unmount } = setUp()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).not.toBe('')
  unmount()
  expect(document.documentElement.style.getPropertyValue('--toast-lift')).toBe('')
})
