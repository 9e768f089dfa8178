import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runPeriodically, type StoppableTask } from './run-periodically.ts'

let schedule: StoppableTask
beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await schedule.stop()
  vi.useRealTimers()
})

test('runs the work at once and then repeatedly, never overlapping', async () => {
  const ends: (() => void)[] = []
  schedule = runPeriodically({
    everyMs: 1_000,
    work: () => new Promise<void>((resolve) => void ends.push(resolve)),
    onFailure: () => undefined,
  })
  expect(ends).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(ends).toHaveLength(1)
  ends[0]!()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(2)
  ends[1]!()
})

test('reports a failure once, and again only after a success', async () => {
  const reported: unknown[] = []
  let isAway = true
  schedule = runPeriodically({
    everyMs: 1_000,
    work: async () => {
      if (isAway) throw new Error('away')
    },
    onFailure: (error) => void reported.push(error),
  })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(reported).toHaveLength(1)
  isAway = false
  await vi.advanceTimersByTimeAsync(1_000)
  isAway = true
  await vi.advanceTimersByTimeAsync(2_000)
  expect(reported).toHaveLength(2)
})

test('stop aborts the running work, waits for it, starts no more and reports no failure', async () => {
  const seen: string[] = []
  schedule = runPeriodically({
    everyMs: 1_000,
    work: (signal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => {
          seen.push('told')
          setTimeout(() => reject(new Error('broken off')), 500)
        })
      }),
    onFailure: () => void seen.push('failed'),
  })
  const stopped = schedule.stop().then(() => void seen.push('stopped'))
  await vi.advanceTimersByTimeAsync(400)
  expect(seen).toEqual(['told'])
  await vi.advanceTimersByTimeAsync(100)
  await stopped
  await vi.advanceTimersByTimeAsync(5_000)
  expect(seen).toEqual(['told', 'stopped'])
})
