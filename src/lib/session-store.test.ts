import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  endSession,
  getCurrentSession,
  getServerTime,
  parseTokenClaims,
  type Session,
  startSession,
  subscribeToSession,
  toSession,
} from './session-store.ts'

const YEAR_543_MS = 543 * 365.25 * 86_400_000
const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const tokenOf = (claims: object) => `${encode({ alg: 'HS256' })}.${encode(claims)}.signature`
const SERVER_NOW = 1_795_000_000
const access = tokenOf({ sub: '7', org: '3', iat: SERVER_NOW, exp: SERVER_NOW + 1800 })

beforeEach(() => localStorage.clear())
afterEach(() => vi.useRealTimers())

describe('the stored session', () => {
  test.each([0, YEAR_543_MS, -86_400_000])(
    'R56: lasts for the lifetime of the token when the device clock is off by %d ms',
    (offset) => {
      const now = SERVER_NOW * 1000 + offset
      startSession(toSession({ access, refresh: 'r' }, false, now)!)
      expect(getCurrentSession(now + 1_799_000)?.refresh).toBe('r')
      expect(getCurrentSession(now + 1_800_000)).toBeUndefined()
      expect(localStorage.length).toBe(0)
    },
  )

  test.each(['', 'abc', 'a.b.c', tokenOf({ iat: 1 }), tokenOf({ iat: 5, exp: 5 }), tokenOf({ iat: 9, exp: '99' })])(
    'does not begin with the token %j',
    (token) => {
      expect(toSession({ access: token }, false)).toBeUndefined()
    },
  )

  test.each(['{', 'null', '{"access":1}', '"x"', '[]'])('stored as %s counts as logged out and is removed', (text) => {
    localStorage.setItem('tamngan.session', text)
    expect(getCurrentSession()).toBeUndefined()
    expect(localStorage.length).toBe(0)
  })

  test('reads claims with Thai text', () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ sub: 'ก' }))
    expect(parseTokenClaims(`x.${btoa(String.fromCharCode(...bytes))}.y`)).toEqual({ sub: 'ก' })
  })

  test('notifies about login and logout in this tab and in others', () => {
    const seen: [Session | undefined, string][] = []
    const stop = subscribeToSession((session, cause) => seen.push([session, cause]))
    const session = toSession({ access }, true)!
    startSession(session)
    endSession('logout')
    localStorage.setItem('tamngan.session', JSON.stringify(session))
    window.dispatchEvent(new StorageEvent('storage', { key: 'tamngan.session' }))
    window.dispatchEvent(new StorageEvent('storage', { key: 'something.else' }))
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    stop()
    endSession('logout')
    expect(seen).toEqual([
      [session, 'login'],
      [undefined, 'logout'],
      [session, 'elsewhere'],
      [undefined, 'elsewhere'],
    ])
  })
})

test.each([YEAR_543_MS, -86_400_000])('R56: uses the server’s clock on a device that is off by %d ms', (offset) => {
  vi.useFakeTimers({ now: SERVER_NOW * 1000 + offset })
  startSession(toSession({ access, refresh: 'r' }, false)!)
  vi.setSystemTime(SERVER_NOW * 1000 + offset + 60_000)
  expect(getServerTime().getTime()).toBe((SERVER_NOW + 60) * 1000)
})

test('keeps the device clock if it is off by no more than the response time', () => {
  vi.useFakeTimers({ now: SERVER_NOW * 1000 + 2000 })
  startSession(toSession({ access, refresh: 'r' }, false)!)
  expect(getServerTime().getTime()).toBe(SERVER_NOW * 1000 + 2000)
})
