import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentSession, endSession, startSession } from '#src/lib/session-store.ts'
import type { AppRouter } from './router.ts'
import { followSession } from './session-watch.ts'

const MINUTE_MS = 60_000
const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
/** A token of 30 minutes; `turn` distinguishes tokens. */
const tokenOf = (turn: number) =>
  `${encode({ alg: 'HS256' })}.${encode({ sub: '1', org: '2', iat: 1000, exp: 2800, turn })}.x`

let answers: (() => Response | Promise<Response>)[]
let asked: unknown[]
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
  asked = []
  answers = []
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname
    if (!path.endsWith('/auth/token/refresh/')) return new Response(null, { status: 204 })
    asked.push(await sent.clone().json())
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
  stop = followSession(router)
})
afterEach(() => {
  stop()
  endSession('logout')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** Dynamic imports resolve outside the fake clock. */
const untilAsked = (times: number) => vi.waitFor(() => expect(asked).toHaveLength(times), { timeout: 5000 })
const newTokens = (turn: number) => () => Response.json({ access: tokenOf(turn), refresh: `r${turn}` })

test('five minutes before its end the access token is exchanged, and again before the end of the next', async () => {
  answers = [newTokens(2), newTokens(3)]
  await pass(24 * MINUTE_MS)
  expect(asked).toEqual([])
  await pass(MINUTE_MS)
  await untilAsked(1)
  await vi.waitFor(() => expect(currentSession()?.refresh).toBe('r2'))
  await pass(25 * MINUTE_MS)
  await untilAsked(2)
  expect(asked).toEqual([{ refresh: 'r1' }, { refresh: 'r2' }])
  await vi.waitFor(() => expect(currentSession()?.access).toBe(tokenOf(3)))
  expect(navigate).not.toHaveBeenCalled()
})

test('a bad connection is tried again, at first within the seconds in which the same answer is given', async () => {
  answers = []
  await pass(25 * MINUTE_MS)
  await untilAsked(1)
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThanOrEqual(2))
  answers = [newTokens(2)]
  await pass(2000)
  await untilAsked(2)
  await vi.waitFor(() => expect(currentSession()?.refresh).toBe('r2'))
})

test('a refused exchange ends the session once and keeps the address for after login', async () => {
  answers = [() => Response.json({ code: 'session_invalid' }, { status: 401 })]
  await pass(25 * MINUTE_MS)
  await untilAsked(1)
  await vi.waitFor(() => expect(currentSession()).toBeUndefined())
  await pass(1)
  expect(navigate).toHaveBeenCalledExactlyOnceWith({
    to: '/login',
    search: { redirect: '/report?page=2' },
    replace: true,
  })
})

test('a device that slept past the end finds itself logged out', async () => {
  vi.setSystemTime(Date.now() + 31 * MINUTE_MS)
  expect(currentSession()).toBeUndefined()
  await pass(1)
  expect(navigate).toHaveBeenCalledOnce()
})
