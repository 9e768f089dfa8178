import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { MatchingProgress } from '#contract/matching/matching-progress.ts'
import { keywordImpactKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { endSession, getServerTime, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { hasMatchingRecentlyEnded, pollMatchingProgress } from './matching-progress.ts'

const at = (state: MatchingProgress['state'], done = 0): MatchingProgress => ({
  state,
  done,
  total: 100,
  finished_at: null,
})
let progress: MatchingProgress[]
let requestCount: number

beforeEach(() => {
  vi.useFakeTimers()
  requestCount = 0
  vi.stubGlobal('fetch', async () => {
    requestCount += 1
    return Response.json(progress.length > 1 ? progress.shift() : progress[0])
  })
  localStorage.clear()
  startSession(buildTestSession())
  queryClient.setQueryData(reportKeys.savedFilterCounts, {})
  queryClient.setQueryData(keywordImpactKeys.stats, {})
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const isStale = (key: readonly string[]) => queryClient.getQueryState(key)?.isInvalidated
const settle = () => vi.waitFor(() => expect(isStale(reportKeys.savedFilterCounts)).toBe(true))

test('polls every 700 ms during a run, then refreshes only the report and the figures', async () => {
  progress = [at('waiting'), at('running', 40), at('running', 80), at('idle')]
  pollMatchingProgress()
  pollMatchingProgress()
  await vi.advanceTimersByTimeAsync(100)
  await vi.waitFor(() => expect(requestCount).toBe(1))
  await vi.advanceTimersByTimeAsync(700)
  await vi.waitFor(() => expect(requestCount).toBe(2))
  expect(isStale(reportKeys.savedFilterCounts)).toBe(false)
  await vi.advanceTimersByTimeAsync(1400)
  await settle()
  expect(isStale(keywordImpactKeys.stats)).toBe(true)
  expect(requestCount).toBe(4)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requestCount).toBe(4)
})

test('stops polling when another user signs in', async () => {
  progress = [at('running', 1)]
  pollMatchingProgress()
  await vi.advanceTimersByTimeAsync(100)
  await vi.waitFor(() => expect(requestCount).toBe(1))
  startSession(buildTestSession('99'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requestCount).toBeLessThanOrEqual(2)
})

test('reports a run that ended just before the page opened, once', async () => {
  const endedAgo = (ms: number): MatchingProgress => ({
    ...at('idle'),
    finished_at: new Date(getServerTime().getTime() - ms).toISOString(),
  })
  const ended = endedAgo(2000)
  expect([ended, endedAgo(11_000), at('idle'), at('running')].map(hasMatchingRecentlyEnded)).toEqual([
    true,
    false,
    false,
    false,
  ])
  progress = [ended]
  pollMatchingProgress()
  await vi.advanceTimersByTimeAsync(100)
  await settle()
  expect(hasMatchingRecentlyEnded(ended)).toBe(false)
})
