import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { keywordForTests, organisationForTests } from './organisation-for-tests.ts'

let server: Organisation
let asked: number

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  asked = 0
  server = organisationForTests({ include: [keywordForTests(1, 'กล้อง')] })
  vi.stubGlobal('fetch', async (input: RequestInfo) => {
    const { pathname } = new URL(new Request(input).url)
    if (pathname.endsWith('/matching')) return Response.json({ state: 'idle', done: 0, total: 0, finished_at: null })
    asked += 1
    return Response.json(server)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

/** A fresh module graph, as after a reload. */
async function openPage() {
  vi.resetModules()
  const { endSession, startSession } = await import('#src/lib/session-store.ts')
  const { sessionForTests } = await import('#src/report/api/user-api-for-tests.ts')
  endSession('logout')
  startSession(sessionForTests())
  const lists = await import('./left-lists.ts')
  const { queryClient } = await import('#src/api/http/query-client.ts')
  const { organisationQuery } = await import('#src/account/api/organisations.ts')
  const watcher = new QueryObserver(queryClient, organisationQuery)
  const stop = watcher.subscribe(() => undefined)
  await vi.waitFor(() => expect(watcher.getCurrentResult().data).toBeDefined())
  const words = () => watcher.getCurrentResult().data!.include.map(({ word }) => word)
  return { ...lists, words, stop }
}

test('lists that were read before the save of the page before was stored are asked for again until they hold it', async () => {
  const left = await openPage()
  left.beginSave()
  left.stop()

  const page = await openPage()
  page.askForLeftLists()
  const first = asked
  await vi.advanceTimersByTimeAsync(1_100)
  expect(asked).toBe(first + 1)
  expect(page.words()).toEqual(['กล้อง'])
  server = { ...server, include: [...server.include, keywordForTests(2, 'CCTV')] }
  await vi.advanceTimersByTimeAsync(3_000)
  expect(page.words()).toEqual(['กล้อง', 'CCTV'])

  // Polling has stopped: neither this page nor the next requests more.
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(first + 2)
  page.stop()
  const next = await openPage()
  next.askForLeftLists()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(first + 3)
  next.stop()
})

test('a save that was answered, and one of long ago, are no reason to ask', async () => {
  const page = await openPage()
  page.beginSave()()
  page.stop()
  const next = await openPage()
  next.askForLeftLists()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(2)
  next.beginSave()
  next.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  const later = await openPage()
  later.askForLeftLists()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(3)
  later.stop()
})
