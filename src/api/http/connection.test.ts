import { onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { queriesPausedStore } from '#src/lib/queries-paused-store.ts'
import { connectionStore, probeConnection, probeConnectionAfterFailure, startWatchingConnection } from './connection.ts'
import { startFakeNetwork, stopFakeNetwork } from './network-for-tests.ts'
import { queryClient } from './query-client.ts'

let isReady = false
let stop = () => {}
let network: ReturnType<typeof startFakeNetwork>

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  isReady = false
  network = startFakeNetwork()
  queryClient.mount()
  stop = startWatchingConnection()
})
afterEach(() => {
  stop()
  queryClient.unmount()
  stopFakeNetwork()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const probes = () => network.to('/readyz')
const answerProbe = async () => {
  probes()
    .at(-1)!
    .answer({}, isReady ? 200 : 503)
  await pass(0)
}
const refused = (status: number, retryAfter?: string) =>
  new ProblemError(
    { status, statusText: '', headers: new Headers(retryAfter ? { 'retry-after': retryAfter } : {}) },
    {},
  )
const goAway = async () => {
  probeConnectionAfterFailure(refused(503))
  await pass(0)
  await answerProbe()
}
const read = (queryFn: () => Promise<unknown>, queryKey = ['companies', 'list', {}]) =>
  new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => {})

test('a failed call triggers a probe of the server, and changes nothing by itself', async () => {
  probeConnectionAfterFailure(refused(500))
  probeConnectionAfterFailure(refused(404))
  await pass(0)
  expect(probes()).toHaveLength(0)
  isReady = true
  probeConnectionAfterFailure(refused(503))
  probeConnectionAfterFailure(new NetworkError('No answer'))
  await pass(0)
  expect(probes()).toHaveLength(1)
  await answerProbe()
  expect(connectionStore.get()).toEqual({ state: 'up' })
  expect(onlineManager.isOnline()).toBe(true)
})

test('when away, probes after 2, 4, 8, 15, 15 seconds and no more often; resumes when the server is back', async () => {
  await goAway()
  expect(connectionStore.get()).toMatchObject({ state: 'away', retryAtMs: Date.now() + 2000 })
  expect(onlineManager.isOnline()).toBe(false)
  for (const seconds of [2, 4, 8, 15, 15]) {
    const before = probes().length
    probeConnectionAfterFailure(refused(503))
    await pass(seconds * 1000 - 1)
    expect(probes()).toHaveLength(before)
    await pass(1)
    expect(probes()).toHaveLength(before + 1)
    await answerProbe()
  }
  isReady = true
  void probeConnection()
  await pass(0)
  await answerProbe()
  expect(onlineManager.isOnline()).toBe(true)
  await pass(1)
  expect(connectionStore.get()).toEqual({ state: 'back', isCurrent: true })
  await pass(5000)
  expect(connectionStore.get()).toEqual({ state: 'up' })
})

test('adds up to 50 % jitter to the wait, so tabs do not return together', async () => {
  vi.mocked(Math.random).mockReturnValue(1)
  await goAway()
  expect(connectionStore.get()).toMatchObject({ retryAtMs: Date.now() + 3000 })
})

test('a refused read pauses without an error, and resumes once when the server is back', async () => {
  const queryFn = vi.fn(async () => {
    if (!isReady) throw refused(503)
    return 'rows'
  })
  const leave = read(queryFn)
  await pass(0)
  await answerProbe()
  for (const seconds of [2, 4, 8]) {
    await pass(seconds * 1000)
    await answerProbe()
  }
  const query = queryClient.getQueryCache().find({ queryKey: ['companies', 'list', {}] })!
  expect(query.state).toMatchObject({ status: 'pending', fetchStatus: 'paused', error: null })
  expect(queriesPausedStore.get()).toBe(true)
  expect(queryFn).toHaveBeenCalledTimes(1)
  isReady = true
  await pass(15_000)
  await answerProbe()
  await pass(300)
  expect(query.state).toMatchObject({ status: 'success', data: 'rows' })
  expect(queriesPausedStore.get()).toBe(false)
  expect(queryFn).toHaveBeenCalledTimes(2)
  expect(connectionStore.get()).toEqual({ state: 'back', isCurrent: true })
  leave()
})

test('reports offline at once, and back only when the server answers', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  window.dispatchEvent(new Event('offline'))
  expect(connectionStore.get()).toMatchObject({ state: 'offline' })
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await pass(0)
  expect(onlineManager.isOnline()).toBe(false)
  probes().at(-1)!.lose()
  await pass(0)
  expect(connectionStore.get()).toMatchObject({ state: 'unreachable' })
  isReady = true
  void probeConnection()
  await pass(0)
  await answerProbe()
  expect(onlineManager.isOnline()).toBe(true)
})

test('after 429 counts down the server’s delay and then repeats the read (2.0)', async () => {
  const queryFn = vi.fn(async () => {
    if (queryFn.mock.calls.length === 1) throw refused(429, '7')
    return 'rows'
  })
  const leave = read(queryFn)
  await pass(0)
  expect(connectionStore.get()).toEqual({ state: 'limited', retryAtMs: Date.now() + 7000 })
  await pass(6999)
  expect(queryFn).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(queryFn).toHaveBeenCalledTimes(2)
  expect(connectionStore.get()).toEqual({ state: 'up' })
  leave()
})
