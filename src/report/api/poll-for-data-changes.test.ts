import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DataChangePollResponse } from '#contract/account/notification.ts'
import { reportKeys, userKeys } from '#src/api/http/keys.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'
import { newestDataTimeStore } from './newest-data-time-store.ts'
import { DATA_CHANGE_POLL_INTERVAL_MS, loadNewestReport, pollForDataChanges } from './poll-for-data-changes.ts'

const BEFORE = '2026-11-20T02:00:00.000Z'
const AFTER = '2026-11-21T02:00:00.000Z'
const QUIET: DataChangePollResponse = { data_time: BEFORE, newest_notification: null, unread: 0 }

let answer = QUIET
let network: ReturnType<typeof startFakeNetwork>
let stop = () => {}
let visible: DocumentVisibilityState = 'visible'
let online = true

beforeEach(async () => {
  vi.useFakeTimers()
  answer = QUIET
  visible = 'visible'
  online = true
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible)
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  network = startFakeNetwork(({ path }) => (path === 'users/me/pulse' ? answer : undefined))
  startSession({ ...buildTestSession(), expiresAtMs: Date.now() + 3_600_000 })
  newestDataTimeStore.set(null)
  queryClient.setQueryData(userKeys.me, buildTestUser())
  stop = pollForDataChanges()
})
afterEach(() => {
  stop()
  stopFakeNetwork()
  endSession('logout')
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pollCount = () => network.to('users/me/pulse').length
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const show = async (next: DocumentVisibilityState) => {
  visible = next
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(50)
}
/** Observes a query, because only observed queries are refetched. */
const observe = (queryKey: readonly unknown[], data: object) => {
  const queryFn = vi.fn(async () => data)
  queryClient.setQueryData(queryKey, data)
  const leave = new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY }).subscribe(
    () => {},
  )
  return { queryFn, leave }
}

test('polls every 20 seconds while the tab is visible, but not immediately', async () => {
  await pass(DATA_CHANGE_POLL_INTERVAL_MS - 10)
  expect(pollCount()).toBe(0)
  await pass(20)
  expect(pollCount()).toBe(1)
  await pass(2 * DATA_CHANGE_POLL_INTERVAL_MS + 200)
  expect(pollCount()).toBe(3)
})

test('does not poll while hidden, offline or signed out, and polls at once on return', async () => {
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 10)
  await show('hidden')
  await pass(10 * DATA_CHANGE_POLL_INTERVAL_MS)
  expect(pollCount()).toBe(1)
  await show('visible')
  expect(pollCount()).toBe(2)
  online = false
  await pass(10 * DATA_CHANGE_POLL_INTERVAL_MS)
  expect(pollCount()).toBe(2)
  online = true
  window.dispatchEvent(new Event('online'))
  await pass(50)
  expect(pollCount()).toBe(3)
  endSession('logout')
  await pass(10 * DATA_CHANGE_POLL_INTERVAL_MS)
  expect(pollCount()).toBe(3)
})

test('polls once for several events of the same return', async () => {
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 10)
  await show('hidden')
  await pass(5000)
  visible = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  window.dispatchEvent(new Event('focus'))
  await pass(10)
  window.dispatchEvent(new Event('focus'))
  await pass(50)
  expect(pollCount()).toBe(2)
})

test('does not poll after being stopped', async () => {
  stop()
  await pass(5 * DATA_CHANGE_POLL_INTERVAL_MS)
  await show('visible')
  expect(pollCount()).toBe(0)
})

test('reloads the user for a newer notification, but not for the same one', async () => {
  const me = observe(userKeys.me, buildTestUser())
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(me.queryFn).not.toHaveBeenCalled()
  answer = { ...QUIET, newest_notification: '7', unread: 1 }
  me.queryFn.mockResolvedValue(
    buildTestUser({
      notification_updated_status: {
        clickRead: true,
        notifications: [
          {
            id: '7',
            read: false,
            type: 'Updated',
            detail: '',
            project_id: '1',
            date_created: AFTER,
            due_date: null,
            outdated: false,
            changes: [],
            export_id: null,
          },
        ],
      },
    }),
  )
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(me.queryFn).toHaveBeenCalledOnce()
  await pass(3 * DATA_CHANGE_POLL_INTERVAL_MS)
  expect(me.queryFn).toHaveBeenCalledOnce()
  me.leave()
})

test('reports newer data and marks the report stale, but keeps its rows until requested', async () => {
  const page = observe(reportKeys.page({}), { data_time: BEFORE })
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(newestDataTimeStore.get()).toBe(BEFORE)
  expect(queryClient.getQueryState(reportKeys.page({}))?.isInvalidated).toBe(false)
  answer = { ...QUIET, data_time: AFTER }
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(newestDataTimeStore.get()).toBe(AFTER)
  expect(queryClient.getQueryState(reportKeys.page({}))?.isInvalidated).toBe(true)
  expect(page.queryFn).not.toHaveBeenCalled()
  await loadNewestReport()
  expect(page.queryFn).toHaveBeenCalledOnce()
  page.leave()
})

test('marks older data as stale on the first poll', async () => {
  const page = observe(reportKeys.page({}), { data_time: BEFORE })
  answer = { ...QUIET, data_time: AFTER }
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(queryClient.getQueryState(reportKeys.page({}))?.isInvalidated).toBe(true)
  page.leave()
})

test('refetches pages with an older board version than the first poll, or after any change', async () => {
  const page = observe(reportKeys.page({}), { data_time: BEFORE, pursuit_version: 4 })
  answer = { ...QUIET, pursuit_version: 4 }
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(page.queryFn).not.toHaveBeenCalled()
  answer = { ...QUIET, pursuit_version: 5 }
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(page.queryFn).toHaveBeenCalledOnce()
  page.leave()
  stop()
  stop = pollForDataChanges()
  const older = observe(reportKeys.page({}), { data_time: BEFORE, pursuit_version: 4 })
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(older.queryFn).toHaveBeenCalledOnce()
  older.leave()
})

test('retries a failed poll at the next interval', async () => {
  stopFakeNetwork()
  network = startFakeNetwork()
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(pollCount()).toBe(1)
  network.to('users/me/pulse')[0]!.lose()
  await pass(DATA_CHANGE_POLL_INTERVAL_MS + 50)
  expect(pollCount()).toBe(2)
})
