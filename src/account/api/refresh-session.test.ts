import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentSession, endSession, replaceTokens, startSession } from '#src/lib/session-store.ts'
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
const asked = () => vi.waitFor(() => expect(calls).toBe(1))

test('tokens that another tab has brought meanwhile are kept, and nobody asks a second time', async () => {
  const first = refreshSession()
  await asked()
  replaceTokens(sessionOf(2))
  reply(Response.json({ access: tokenOf(3), refresh: 'r3' }))
  expect(await first).toBe(false)
  expect(currentSession()?.refresh).toBe('r2')
})

test('an answer that comes after logout signs nobody in', async () => {
  const late = refreshSession()
  await asked()
  endSession('logout')
  reply(Response.json({ access: tokenOf(2), refresh: 'r2' }))
  expect(await late).toBe(false)
  expect(currentSession()).toBeUndefined()
})

test('without a session, or without a refresh token as in the demo, nothing is asked', async () => {
  const { refresh: _, ...demo } = sessionOf(1)
  startSession({ ...demo, isDemo: true })
  expect(await refreshSession()).toBe(false)
  endSession('logout')
  expect(await refreshSession()).toBe(false)
  expect(calls).toBe(0)
})
