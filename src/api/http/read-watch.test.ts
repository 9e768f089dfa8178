import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { errorText, ProblemError } from './problem-error.ts'
import { queryClient } from './query-client.ts'
import { type ReadTroubles, retryReads, SLOW_MS, stopReads, watchReads } from './read-watch.ts'

const KEY = ['companies', 'list', {}]
let troubles: ReadTroubles = { slow: [], failed: [] }
let stop = () => {}
let answers: { resolve: (data: string) => void; reject: (error: Error) => void }[] = []

const ask = () => new Promise<string>((resolve, reject) => answers.push({ resolve, reject }))
const look = () => new QueryObserver(queryClient, { queryKey: KEY, queryFn: ask, retry: false }).subscribe(() => {})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  stop = watchReads((next) => {
    troubles = next
  })
})
afterEach(() => {
  stop()
  queryClient.clear()
  vi.useRealTimers()
})

test('a read is slow after eight seconds, and no longer when its answer is there (C23)', async () => {
  const leave = look()
  await pass(SLOW_MS - 100)
  expect(troubles.slow).toHaveLength(0)
  await pass(200)
  expect(troubles.slow).toHaveLength(1)
  answers[0]!.resolve('rows')
  await pass(10)
  expect(troubles).toEqual({ slow: [], failed: [] })
  leave()
})

test('a read that was stopped is a failure in words, keeps what was there, and can be asked again', async () => {
  const leave = look()
  await pass(0)
  answers[0]!.resolve('old rows')
  await pass(0)
  void queryClient.refetchQueries({ queryKey: KEY })
  await pass(SLOW_MS + 100)
  stopReads(troubles.slow)
  await pass(10)
  const [failed] = troubles.failed
  expect(failed?.state).toMatchObject({ status: 'error', data: 'old rows', fetchStatus: 'idle' })
  expect(errorText(failed?.state.error)).toBe('ยกเลิกการโหลดแล้ว')
  retryReads(troubles.failed)
  await pass(0)
  answers.at(-1)!.resolve('new rows')
  await pass(10)
  expect(troubles.failed).toHaveLength(0)
  expect(queryClient.getQueryData(KEY)).toBe('new rows')
  leave()
})

test('a refresh that fails is told of; a read that nobody looks at is not', async () => {
  const leave = look()
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
