import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getErrorText, ProblemError } from '#src/lib/problem-error.ts'
import { queryClient } from './query-client.ts'
import {
  cancelSlowQueries,
  retryFailedQueries,
  SLOW_QUERY_THRESHOLD_MS,
  type SlowAndFailedQueries,
  subscribeToSlowAndFailedQueries,
} from './slow-and-failed-queries.ts'

const KEY = ['companies', 'list', {}]
let troubles: SlowAndFailedQueries = { slow: [], failed: [] }
let stop = () => {}
let answers: { resolve: (data: string) => void; reject: (error: Error) => void }[] = []

const fetchData = () => new Promise<string>((resolve, reject) => answers.push({ resolve, reject }))
const observe = () =>
  new QueryObserver(queryClient, { queryKey: KEY, queryFn: fetchData, retry: false }).subscribe(() => {})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  stop = subscribeToSlowAndFailedQueries((next) => {
    troubles = next
  })
})
afterEach(() => {
  stop()
  queryClient.clear()
  vi.useRealTimers()
})

test('a read is slow after eight seconds, until its answer arrives (C23)', async () => {
  const leave = observe()
  await pass(SLOW_QUERY_THRESHOLD_MS - 100)
  expect(troubles.slow).toHaveLength(0)
  await pass(200)
  expect(troubles.slow).toHaveLength(1)
  answers[0]!.resolve('rows')
  await pass(10)
  expect(troubles).toEqual({ slow: [], failed: [] })
  leave()
})

test('a stopped read fails with a message, keeps the previous data, and can be retried', async () => {
  const leave = observe()
  await pass(0)
  answers[0]!.resolve('old rows')
  await pass(0)
  void queryClient.refetchQueries({ queryKey: KEY })
  await pass(SLOW_QUERY_THRESHOLD_MS + 100)
  cancelSlowQueries(troubles.slow)
  await pass(10)
  const [failed] = troubles.failed
  expect(failed?.state).toMatchObject({ status: 'error', data: 'old rows', fetchStatus: 'idle' })
  expect(getErrorText(failed?.state.error)).toBe('ยกเลิกการโหลดแล้ว')
  retryFailedQueries(troubles.failed)
  await pass(0)
  answers.at(-1)!.resolve('new rows')
  await pass(10)
  expect(troubles.failed).toHaveLength(0)
  expect(queryClient.getQueryData(KEY)).toBe('new rows')
  leave()
})

test('reports a failed refresh, but not for a query without observers', async () => {
  const leave = observe()
  await pass(0)
  answers[0]!.resolve('rows')
  await pass(0)
  void queryClient.refetchQueries({ queryKey: KEY })
  await pass(0)
  answers[1]!.reject(new ProblemError({ status: 500, statusText: '', headers: new Headers() }, {}))
  await pass(10)
  expect(troubles.failed.map(({ state }) => state.data)).toEqual(['rows'])
  leave()
  await pass(10)
  expect(troubles.failed).toHaveLength(0)
})
