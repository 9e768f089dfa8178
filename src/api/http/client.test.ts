import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod/mini'
import { logout } from '#src/account/api/sessions.ts'
import {
  getErrorRequestId,
  getErrorText,
  InvalidResponseError,
  isRetryableError,
  NetworkError,
  ProblemError,
} from '#src/lib/problem-error.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { sendApiRequest, setSessionEndHandler } from './client.ts'

const requests: Request[] = []
let answer: (request: Request) => Response | Promise<Response>
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers })

beforeEach(() => {
  requests.length = 0
  localStorage.clear()
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    requests.push(sent.clone())
    sent.signal.throwIfAborted()
    return answer(sent)
  })
  answer = () => json(200, {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  setSessionEndHandler(() => undefined)
  vi.restoreAllMocks()
})
const signIn = (access = 'abc') =>
  startSession({ access, refresh: 'r1', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })

describe('a call to the API', () => {
  test('uses /api/v2 with query text encoded once, and the bearer', async () => {
    signIn()
    await sendApiRequest('projects', { query: { project_name__in: 'กล้อง##CCTV', page: '2' } })
    expect(requests[0]!.url).toBe(
      `${location.origin}/api/v2/projects?project_name__in=${encodeURIComponent('กล้อง##CCTV')}&page=2`,
    )
    expect(requests[0]!.headers.get('authorization')).toBe('Bearer abc')
  })

  test('omits the bearer when signed out or when the token has expired', async () => {
    await sendApiRequest('projects')
    startSession({ access: 'old', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() - 1 })
    await sendApiRequest('projects')
    expect(requests.map((sent) => sent.headers.get('authorization'))).toEqual([null, null])
  })

  test('sends the XSRF cookie as a header for changes', async () => {
    vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=a%2Bb')
    await sendApiRequest('users/me')
    await sendApiRequest('users/me', { method: 'patch', json: { is_noti_e_bidding: true } })
    expect(requests.map((sent) => sent.headers.get('x-xsrf-token'))).toEqual([null, 'a+b'])
  })

  test('is made once: retries are left to the query cache', async () => {
    answer = () => json(503, { code: 'unavailable' })
    await expect(sendApiRequest('projects')).rejects.toThrow(ProblemError)
    expect(requests).toHaveLength(1)
  })

  test('returns the expected shape and ignores unknown fields', async () => {
    answer = () => json(200, { count: 3, extra: true })
    expect(await sendApiRequest('projects', { schema: z.object({ count: z.number() }) })).toEqual({ count: 3 })
  })

  test.each([
    () => json(200, { count: 'three' }),
    () => new Response('<html>', { status: 200 }),
    () => new Response(null, { status: 204 }),
  ])('throws “Invalid response” for another shape and logs the detail', async (wrong) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answer = wrong
    await expect(sendApiRequest('projects', { schema: z.object({ count: z.number() }) })).rejects.toThrow(
      new InvalidResponseError(),
    )
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  test('rejects with a network error without an answer, and with an abort when abandoned', async () => {
    answer = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(sendApiRequest('projects')).rejects.toThrow(NetworkError)
    const controller = new AbortController()
    answer = (sent) =>
      new Promise((_, reject) => sent.signal.addEventListener('abort', () => reject(sent.signal.reason)))
    const pending = sendApiRequest('projects', { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })
})

test('without an answer in time a call fails like one without a connection, unless the caller set the limit', async () => {
  answer = (sent) => new Promise((_, reject) => sent.signal.addEventListener('abort', () => reject(sent.signal.reason)))
  await expect(sendApiRequest('users/me', { timeoutMs: 10 })).rejects.toThrow(NetworkError)
  await expect(sendApiRequest('users/me', { signal: AbortSignal.timeout(10) })).rejects.toThrow(
    expect.objectContaining({ name: 'TimeoutError' }),
  )
})

describe('a dead session', () => {
  test('makes one logout call for ten parallel 401s and clears both tokens', async () => {
    signIn()
    setSessionEndHandler(() => void logout('dead'))
    answer = () => json(401, { code: 'session_invalid' })
    const calls = Array.from({ length: 10 }, () => sendApiRequest('projects').catch((error: unknown) => error))
    const errors = await Promise.all(calls)
    await vi.waitFor(() => expect(localStorage.length).toBe(0))
    const logouts = requests.filter((sent) => sent.url.endsWith('/auth/logout/'))
    expect(logouts).toHaveLength(1)
    expect(await logouts[0]!.json()).toEqual({ refresh: 'r1' })
    expect(errors.every((error) => error instanceof ProblemError)).toBe(true)
  })

  test('is not caused by a 401 of login or logout', async () => {
    const died = vi.fn()
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    setSessionEndHandler(died)
    answer = () => json(401, {})
    await sendApiRequest('auth/login/', { method: 'post', json: {}, withoutBearer: true, keepsSession: true }).catch(
      () => undefined,
    )
    signIn()
    await logout()
    expect(died).not.toHaveBeenCalled()
    expect(localStorage.length).toBe(0)
    warn.mockRestore()
  })

  test('logout without a refresh token calls no endpoint and clears the session', async () => {
    startSession({ access: 'demo', isDemo: true, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
    await logout()
    expect(requests).toHaveLength(0)
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
    expect(getErrorText(error)).toBe(text)
  })

  test('an error exposes field errors, retry delay and request id', () => {
    const error = problem(429, { email: ['ซ้ำ'], non_field_errors: ['ถี่เกินไป'], request_id: 'q-1' }, '', {
      'retry-after': '60',
    })
    expect(error.fieldErrors).toEqual({ email: ['ซ้ำ'] })
    expect([error.retryAfterSeconds, error.requestId]).toEqual([60, 'q-1'])
  })

  test('a request id is shown only for server failures, not for a wrong password or a missing right', () => {
    const numbered = (status: number) => problem(status, { request_id: 'q-1' })
    expect([400, 401, 403, 404, 429, 500, 503].map((status) => getErrorRequestId(numbered(status)))).toEqual([
      ...Array<undefined>(5),
      'q-1',
      'q-1',
    ])
    expect(getErrorRequestId(new InvalidResponseError('q-2'))).toBe('q-2')
  })

  test('only network and server failures are retried', () => {
    expect([problem(503, {}), new NetworkError('x')].map(isRetryableError)).toEqual([true, true])
    expect(
      [problem(400, {}), problem(404, {}), problem(429, {}), new InvalidResponseError(), new Error('x')].map(
        isRetryableError,
      ),
    ).toEqual([false, false, false, false, false])
  })
})

test('endSession has the effect of a logout in another tab', async () => {
  signIn()
  endSession('elsewhere')
  await sendApiRequest('projects')
  expect(requests[0]!.headers.get('authorization')).toBeNull()
})
