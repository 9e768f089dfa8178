import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, getCurrentSession, startSession } from '#src/lib/session-store.ts'
import type { AppRouter } from './router.ts'
import { startHandlingSessionEnd } from './start-handling-session-end.ts'

const MINUTE_MS = 60_000
const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const tokenOf = (turn: number) =>
  `${encode({ alg: 'HS256' })}.${encode({ sub: '1', org: '2', iat: 1000, exp: 2800, turn })}.x`

let answers: (() => Response | Promise<Response>)[]
let requestBodies: unknown[]
let stop = () => {}
const navigate = vi.fn(async () => undefined)
const router = {
  navigate,
  invalidate: vi.fn(async () => undefined),
  latestLocation: { pathname: '/report', href: '/report?page=2' },
} as unknown as AppRouter

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  navigate.mockClear()
  requestBodies = []
  answers = []
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname
    if (!path.endsWith('/auth/token/refresh/')) return new Response(null, { status: 204 })
    requestBodies.push(await sent.clone().json())
    const answer = answers.shift()
    if (!answer) throw new TypeError('offline')
    return answer()
  })
  startSession({
    access: tokenOf(1),
    refresh: 'r1',
    isDemo: false,
    receivedAtMs: Date.now(),
    expiresAtMs: Date.now() + 30 * MINUTE_MS,
  })
  stop = startHandlingSessionEnd(router)
})
afterEach(() => {
  stop()
  endSession('logout')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** Waits in real time, because the fake clock does not control dynamic imports. */
const waitForRequests = (times: number) =>
  vi.waitFor(() => expect(requestBodies).toHaveLength(times), { timeout: 5000 })
const newTokens = (turn: number) => () => Response.json({ access: tokenOf(turn), refresh: `r${turn}` })

test('refreshes the access token five minutes before it expires, and again before the next expires', async () => {
  answers = [newTokens(2), newTokens(3)]
  await pass(24 * MINUTE_MS)
  expect(requestBodies).toEqual([])
  await pass(MINUTE_MS)
  await waitForRequests(1)
  await vi.waitFor(() => expect(getCurrentSession()?.refresh).toBe('r2'))
  await pass(25 * MINUTE_MS)
  await waitForRequests(2)
  expect(requestBodies).toEqual([{ refresh: 'r1' }, { refresh: 'r2' }])
  await vi.waitFor(() => expect(getCurrentSession()?.access).toBe(tokenOf(3)))
  expect(navigate).not.toHaveBeenCalled()
})

test('retries on a bad connection, first within the seconds in which the server repeats its answer', async () => {
  answers = []
  await pass(25 * MINUTE_MS)
  await waitForRequests(1)
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(2))
  answers = [newTokens(2)]
  await pass(2000)
  await waitForRequests(2)
  await vi.waitFor(() => expect(getCurrentSession()?.refresh).toBe('r2'))
})

test('a refused refresh ends the session once and keeps the address for the next login', async () => {
  answers = [() => Response.json({ code: 'session_invalid' }, { status: 401 })]
  await pass(25 * MINUTE_MS)
  await waitForRequests(1)
  await vi.waitFor(() => expect(getCurrentSession()).toBeUndefined())
  await pass(1)
  expect(navigate).toHaveBeenCalledExactlyOnceWith({
    to: '/login',
    search: { redirect: '/report?page=2' },
    replace: true,
  })
})

test('a device that slept past the expiry is signed out', async () => {
  vi.setSystemTime(Date.now() + 31 * MINUTE_MS)
  expect(getCurrentSession()).toBeUndefined()
  await pass(1)
  expect(navigate).toHaveBeenCalledOnce()
})
