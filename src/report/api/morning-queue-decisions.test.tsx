import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MorningQueue } from '#contract/report/morning-queue.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getOptimisticQueryData, useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { morningQueueQuery } from './morning-queue.ts'
import {
  setMorningQueueDecision,
  useLatestDataLoad,
  useUnsentMorningQueueDecisions,
} from './morning-queue-decisions.ts'

const QUERY = morningQueueQuery({})
const QUEUE: MorningQueue = {
  load_id: 7,
  data_time: '2026-11-21T01:00:00Z',
  sections: [{ kind: 'new', ids: ['1', '2', '3'], total: 3 }],
  decided: [],
}
const ANSWER = { load_id: 8, data_time: '2026-11-22T01:00:00Z' }

let network: ReturnType<typeof startFakeNetwork>
let news: ChangeNotice[]
beforeEach(() => {
  network = startFakeNetwork(({ path }) => (path === 'projects/queue' ? QUEUE : undefined))
  news = []
  setChangeNoticeListener((notice) => news.push(notice))
  localStorage.clear()
  startSession(buildTestSession())
  queryClient.setQueryData(QUERY.queryKey, QUEUE)
})
afterEach(() => {
  startSession(buildTestSession('nobody'))
  endSession('logout')
  stopFakeNetwork()
})

const calls = () => network.to('projects/queue/decisions')
const bodies = () => calls().map(({ body }) => body)
const called = (count: number) => act(() => vi.waitFor(() => expect(calls()).toHaveLength(count)))
const body = (project_ids: string[], decided = true, load_id = 7) => ({ load_id, project_ids, decided })
const decided = () => getOptimisticQueryData<MorningQueue>(QUERY.queryKey)?.decided
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

function show() {
  const view = renderHook(
    () => ({
      queue: useQuery({ ...useOptimisticQueryOptions(QUERY), enabled: false }).data,
      unsent: useUnsentMorningQueueDecisions(),
      latest: useLatestDataLoad(),
    }),
    { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> },
  )
  return () => view.result.current
}

test('shows and sends a decision at once, and stores the latest load from the response', async () => {
  const state = show()
  act(() => setMorningQueueDecision(7, '1', true))
  expect(state().queue?.decided).toEqual(['1'])
  await called(1)
  expect(bodies()).toEqual([body(['1'])])
  await act(() => vi.waitFor(() => expect(state().unsent).toEqual({ count: 1, hasFailed: false })))
  calls()[0]!.answer(ANSWER)
  await act(() => vi.waitFor(() => expect(state().unsent.count).toBe(0)))
  expect(state().queue?.decided).toEqual(['1'])
  expect(state().latest).toEqual(ANSWER)
})

test('batches decisions made during a request, and sends an undo after them', async () => {
  setMorningQueueDecision(7, '1', true)
  await called(1)
  for (const [id, on] of [
    ['2', true],
    ['3', true],
    ['2', false],
  ] as const)
    setMorningQueueDecision(7, id, on)
  expect(decided()).toEqual(['1', '3'])
  await settled()
  expect(calls()).toHaveLength(1)
  calls()[0]!.answer(ANSWER)
  await called(2)
  calls()[1]!.answer(ANSWER)
  await called(3)
  calls()[2]!.answer(ANSWER)
  await settled()
  expect(bodies()).toEqual([body(['1']), body(['2', '3']), body(['2'], false)])
  expect(queryClient.getQueryData<MorningQueue>(QUERY.queryKey)?.decided).toEqual(['1', '3'])
})

test('ignores a decision that belongs to another load', () => {
  setMorningQueueDecision(6, '1', true)
  expect(decided()).toEqual([])
})

test('keeps and reports unsent decisions, and sends them with later ones once online', async () => {
  const state = show()
  act(() => setMorningQueueDecision(7, '1', true))
  await called(1)
  calls()[0]!.lose()
  await act(() => vi.waitFor(() => expect(state().unsent).toEqual({ count: 1, hasFailed: true })))
  act(() => setMorningQueueDecision(7, '2', true))
  expect(window.dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  window.dispatchEvent(new Event('online'))
  await called(2)
  expect(bodies()[1]).toEqual(body(['1', '2']))
  calls()[1]!.answer(ANSWER)
  await act(() => vi.waitFor(() => expect(state().unsent).toEqual({ count: 0, hasFailed: false })))
  expect(calls()).toHaveLength(2)
  expect(news).toEqual([])
})

test('removes a refused decision from the queue with an error instead of retrying', async () => {
  setMorningQueueDecision(7, '1', true)
  await called(1)
  calls()[0]!.answer({ code: 'forbidden' }, 403)
  await settled()
  expect(decided()).toEqual([])
  expect(news).toMatchObject([{ kind: 'failed', text: 'บันทึกการไล่ดูไม่สำเร็จ' }])
})

test('resends decisions cut off by the end of a session only for the same user', async () => {
  setMorningQueueDecision(7, '1', true)
  await called(1)
  endSession('logout')
  startSession(buildTestSession('1', 2))
  await called(2)
  expect(bodies()[1]).toEqual(body(['1']))
  endSession('logout')
  startSession(buildTestSession('99'))
  for (const call of calls()) call.lose()
  window.dispatchEvent(new Event('online'))
  await settled()
  expect(calls()).toHaveLength(2)
})
