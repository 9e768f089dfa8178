import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endSession, getCurrentSession, replaceSessionTokens, startSession } from '#src/lib/session-store.ts'
import { refreshSession } from './refresh-session.ts'

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const tokenOf = (turn: number) =>
  `${encode({ alg: 'HS256' })}.${encode({ sub: '1', org: '2', iat: 1000, exp: 2800, turn })}.x`
const sessionOf = (turn: number) => ({
  access: tokenOf(turn),
  refresh: `r${turn}`,
  isDemo: false,
  receivedAtMs: Date.now(),
  expiresAtMs: Date.now() + 60_000,
})

let calls = 0
let reply: (answer: Response) => void = () => {}
beforeEach(() => {
  calls = 0
  localStorage.clear()
  startSession(sessionOf(1))
  vi.stubGlobal('fetch', () => {
    calls += 1
    return new Promise<Response>((resolve) => {
      reply = resolve
    })
  })
})
afterEach(() => {
  endSession('logout')
  vi.unstubAllGlobals()
})
const waitForCall = () => vi.waitFor(() => expect(calls).toBe(1))

test('keeps tokens that another tab stored meanwhile, and does not refresh again', async () => {
  const first = refreshSession()
  await waitForCall()
  replaceSessionTokens(sessionOf(2))
  reply(Response.json({ access: tokenOf(3), refresh: 'r3' }))
  expect(await first).toBe(false)
  expect(getCurrentSession()?.refresh).toBe('r2')
})

test('ignores an answer that arrives after logout', async () => {
  const late = refreshSession()
  await waitForCall()
  endSession('logout')
  reply(Response.json({ access: tokenOf(2), refresh: 'r2' }))
  expect(await late).toBe(false)
  expect(getCurrentSession()).toBeUndefined()
})

test('sends nothing without a session or without a refresh token, as in the demo', async () => {
  const { refresh: _, ...demo } = sessionOf(1)
  startSession({ ...demo, isDemo: true })
  expect(await refreshSession()).toBe(false)
  endSession('logout')
  expect(await refreshSession()).toBe(false)
  expect(calls).toBe(0)
})
