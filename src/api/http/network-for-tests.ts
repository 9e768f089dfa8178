// Loaded ahead: timers that a test holds do not wait for code to come.
import './ky-client.ts'
import { vi } from 'vitest'
import { queryClient } from './query-client.ts'

/** One call that has reached the network's edge, held until the test answers it. */
export type Asked = {
  readonly method: string
  /** Below /api/v2. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  /** The `Prefer` header (RFC 7240). */
  readonly prefers: string | null
  readonly isAborted: () => boolean
  readonly answer: (body: object, status?: number) => void
  /** No answer comes. */
  readonly lose: () => void
}

/**
 * Fakes the network's edge: every call is held until the test answers it, except those that `answers` answers at once. Calls that were
 * not answered are hung up by `stopNetwork`.
 */
export function startNetwork(
  answers: (asked: Omit<Asked, 'answer' | 'lose' | 'isAborted'>) => object | undefined = () => undefined,
) {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const text = await request.text()
    const call = {
      method: request.method,
      path: url.pathname.replace('/api/v2/', ''),
      query: url.searchParams,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      prefers: request.headers.get('prefer'),
    }
    return new Promise<Response>((resolve, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason))
      const one: Asked = {
        ...call,
        isAborted: () => request.signal.aborted,
        answer: (body, status = 200) => resolve(Response.json(body, { status })),
        lose: () => reject(new TypeError('Failed to fetch')),
      }
      asked.push(one)
      const atOnce = answers(call)
      if (atOnce) one.answer(atOnce)
    })
  })
  hangUp = () => {
    for (const one of asked) one.lose()
  }
  return { asked, to: (path: string) => asked.filter((one) => one.path === path) }
}

let hangUp = () => {}

/** Hangs up and empties the cache; to be called after each test. */
export function stopNetwork(): void {
  hangUp()
  queryClient.clear()
  vi.unstubAllGlobals()
}
