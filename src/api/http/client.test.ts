import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { logout } from '#src/account/api/sessions.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { request, whenSessionDies } from './client.ts'
import {
  errorRequestId,
  errorText,
  InvalidResponseError,
  isWorthRetrying,
  NetworkError,
  ProblemError,
} from './problem-error.ts'

const asked: Request[] = []
let answer: (request: Request) => Response | Promise<Response>
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

beforeEach(() => {
  asked.length = 0
  localStorage.clear()
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    asked.push(sent.clone())
    sent.signal.throwIfAborted()
    return answer(sent)
  })
  answer = () => json(200, {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  whenSessionDies(() => undefined)
  // biome-ignore lint/suspicious/noDocumentCookie: the test sets the server's cookie
  document.cookie = 'XSRF-TOKEN=; max-age=0'
})
const signIn = (access = 'abc') =>
  startSession({ access, refresh: 'r1', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })

describe('a call to the API', () => {
  test('goes below /api/v2 with flat text encoded once and the bearer', async () => {
    signIn()
    await request('projects', { query: { project_name__in: 'กล้อง##CCTV', page: '2' } })
    expect(asked[0]!.url).toBe(
      `${location.origin}/api/v2/projects?project_name__in=${encodeURIComponent('กล้อง##CCTV')}&page=2`,
    )
    expect(asked[0]!.headers.get('authorization')).toBe('Bearer abc')
  })

  test('has no bearer when nobody is signed in, or when the token has expired', async () => {
    await request('projects')
    startSession({ access: 'old', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() - 1 })
    await request('projects')
    expect(asked.map((sent) => sent.headers.get('authorization'))).toEqual([null, null])
  })

  test('carries the XSRF cookie as a header when it changes something', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the test sets the server's cookie
    document.cookie = 'XSRF-TOKEN=a%2Bb'
    await request('users/me')
    await request('users/me', { method: 'patch', json: { is_noti_e_bidding: true } })
    expect(asked.map((sent) => sent.headers.get('x-xsrf-token'))).toEqual([null, 'a+b'])
  })

  test('is made once: retries belong to the cache', async () => {
    answer = () => json(503, { code: 'unavailable' })
    await expect(request('projects')).rejects.toThrow(ProblemError)
    expect(asked).toHaveLength(1)
  })

  test('answers what has the promised shape and ignores fields it does not know', async () => {
    answer = () => json(200, { count: 3, extra: true })
    expect(await request('projects', { schema: z.object({ count: z.number() }) })).toEqual({ count: 3 })
  })

  test.each([
    () => json(200, { count: 'three' }),
    () => new Response('<html>', { status: 200 }),
    () => new Response(null, { status: 204 }),
  ])('throws “Invalid response” for another shape and logs the detail', async (wrong) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answer = wrong
    await expect(request('projects', { schema: z.object({ count: z.number() }) })).rejects.toThrow(
      new InvalidResponseError(),
    )
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  test('that gets no answer is a network error, an abandoned one is an abort', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(request('projects')).rejects.toThrow(NetworkError)
    const controller = new AbortController()
    answer = (sent) =>
      new Promise((_, reject) => sent.signal.addEventListener('abort', () => reject(sent.signal.reason)))
    const pending = request('projects', { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })
})

describe('a dead session', () => {
  test('ten parallel 401 make one logout call and clear both tokens', async () => {
    signIn()
    whenSessionDies(() => void logout('dead'))
    answer = () => json(401, { code: 'session_invalid' })
    const calls = Array.from({ length: 10 }, () => request('projects').catch((error: unknown) => error))
    const errors = await Promise.all(calls)
    await vi.waitFor(() => expect(localStorage.length).toBe(0))
    const logouts = asked.filter((sent) => sent.url.endsWith('/auth/logout/'))
    expect(logouts).toHaveLength(1)
    expect(await logouts[0]!.json()).toEqual({ refresh: 'r1' })
    expect(errors.every((error) => error instanceof ProblemError)).toBe(true)
  })

  test('is not what a 401 of login or logout means', async () => {
    const died = vi.fn()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    whenSessionDies(died)
    answer = () => json(401, {})
    await request('auth/login/', { method: 'post', json: {}, withoutBearer: true, keepsSession: true }).catch(
      () => undefined,
    )
    signIn()
    await logout()
    expect(died).not.toHaveBeenCalled()
    expect(localStorage.length).toBe(0)
    warn.mockRestore()
  })

  test('logout without a refresh token calls nobody and clears', async () => {
    startSession({ access: 'demo', isDemo: true, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
    await logout()
    expect(asked).toHaveLength(0)
    expect(localStorage.length).toBe(0)
  })

  test('logout clears even when the server cannot be reached', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    signIn()
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await logout()
    expect(localStorage.length).toBe(0)
    warn.mockRestore()
  })
})

describe('the text of an error', () => {
  const problem = (status: number, body: Record<string, unknown>, statusText = '', headers = {}) =>
    new ProblemError({ status, statusText, headers: new Headers(headers) }, body)
  test.each([
    [problem(401, { code: 'session_invalid' }, 'Unauthorized'), 'หมดเวลาใช้งาน เข้าสู่ระบบอีกครั้ง (Unauthorized)'],
    [problem(404, { code: 'not_found' }), 'ไม่พบข้อมูลที่ต้องการ'],
    [problem(404, {}, 'Not Found'), 'ไม่พบข้อมูลที่ต้องการ (Not Found)'],
    [problem(400, { non_field_errors: ['อีเมลหรือรหัสผ่านไม่ถูกต้อง', 'อื่น'] }), 'อีเมลหรือรหัสผ่านไม่ถูกต้อง'],
    [problem(400, { errors: ['อีเมลนี้ใช้แล้ว'] }), 'อีเมลนี้ใช้แล้ว'],
    [problem(500, { code: 'internal' }), 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง'],
    [problem(418, { code: 'teapot' }), 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง'],
    [new NetworkError('x'), 'เชื่อมต่อระบบไม่ได้ ตรวจสอบอินเทอร์เน็ตแล้วลองใหม่'],
    [new InvalidResponseError(), 'ระบบตอบกลับในรูปแบบที่ไม่ถูกต้อง (Invalid response)'],
    [new Error('boom'), 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง'],
    [undefined, 'เกิดข้อผิดพลาดในระบบ ลองใหม่อีกครั้ง'],
  ])('%s is %s', (error, text) => {
    expect(errorText(error)).toBe(text)
  })

  test('carries the fields, the wait and the number of the request', () => {
    const error = problem(429, { email: ['ซ้ำ'], non_field_errors: ['ถี่เกินไป'], request_id: 'q-1' }, '', {
      'retry-after': '60',
    })
    expect(error.fieldErrors).toEqual({ email: ['ซ้ำ'] })
    expect([error.retryAfterSeconds, error.requestId]).toEqual([60, 'q-1'])
  })

  test('a number to quote belongs to failures of ours, not to a wrong password or a missing right', () => {
    const numbered = (status: number) => problem(status, { request_id: 'q-1' })
    expect([400, 401, 403, 404, 429, 500, 503].map((status) => errorRequestId(numbered(status)))).toEqual([
      ...Array<undefined>(5),
      'q-1',
      'q-1',
    ])
    expect(errorRequestId(new InvalidResponseError('q-2'))).toBe('q-2')
  })

  test('only failures of network and server are worth asking again', () => {
    expect([problem(503, {}), new NetworkError('x')].map(isWorthRetrying)).toEqual([true, true])
    expect(
      [problem(400, {}), problem(404, {}), problem(429, {}), new InvalidResponseError(), new Error('x')].map(
        isWorthRetrying,
      ),
    ).toEqual([false, false, false, false, false])
  })
})

test('endSession is what logout in another tab looks like here', async () => {
  signIn()
  endSession('elsewhere')
  await request('projects')
  expect(asked[0]!.headers.get('authorization')).toBeNull()
})
