import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { buildTestKeyword, buildTestOrganisation } from './organisation-for-tests.ts'

let server: Organisation
let requestCount: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  requestCount = 0
  server = buildTestOrganisation({ include: [buildTestKeyword(1, 'กล้อง')] })
  vi.stubGlobal('fetch', async (input: RequestInfo) => {
    const { pathname } = new URL(new Request(input).url)
    if (pathname.endsWith('/matching')) return Response.json({ state: 'idle', done: 0, total: 0, finished_at: null })
    requestCount += 1
    return Response.json(server)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

/** Loads a fresh module graph, as a page reload does. */
async function openPage() {
  vi.resetModules()
  const { endSession, startSession } = await import('#src/lib/session-store.ts')
  const { buildTestSession: sessionForTests } = await import('#src/report/api/user-api-for-tests.ts')
  endSession('logout')
  startSession(sessionForTests())
  const lists = await import('./interrupted-save.ts')
  const { queryClient } = await import('#src/api/http/query-client.ts')
  const { organisationQuery } = await import('#src/account/api/organisations.ts')
  const watcher = new QueryObserver(queryClient, organisationQuery)
  const stop = watcher.subscribe(() => undefined)
  await vi.waitFor(() => expect(watcher.getCurrentResult().data).toBeDefined())
  const words = () => watcher.getCurrentResult().data!.include.map(({ word }) => word)
  return { ...lists, words, stop }
}

test('refetches lists read before the last page saved, until they contain the save', async () => {
  const left = await openPage()
  left.markWatchListSaveInFlight()
  left.stop()

  const page = await openPage()
  page.refetchAfterInterruptedWatchListSave()
  const first = requestCount
  await vi.advanceTimersByTimeAsync(1_100)
  expect(requestCount).toBe(first + 1)
  expect(page.words()).toEqual(['กล้อง'])
  server = { ...server, include: [...server.include, buildTestKeyword(2, 'CCTV')] }
  await vi.advanceTimersByTimeAsync(3_000)
  expect(page.words()).toEqual(['กล้อง', 'CCTV'])

  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(first + 2)
  page.stop()
  const next = await openPage()
  next.refetchAfterInterruptedWatchListSave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(first + 3)
  next.stop()
})

test('does not refetch after a confirmed save or an old one', async () => {
  const page = await openPage()
  page.markWatchListSaveInFlight()()
  page.stop()
  const next = await openPage()
  next.refetchAfterInterruptedWatchListSave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(2)
  next.markWatchListSaveInFlight()
  next.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  const later = await openPage()
  later.refetchAfterInterruptedWatchListSave()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(3)
  later.stop()
})
