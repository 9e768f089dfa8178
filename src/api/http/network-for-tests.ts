// Imported up front, because tests with fake timers cannot wait for a dynamic import.
import './ky-client.ts'
import { vi } from 'vitest'
import { queryClient } from './query-client.ts'

export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
  readonly prefers: string | null
  readonly isAborted: () => boolean
  readonly answer: (body: object, status?: number) => void
  readonly lose: () => void
}

/**
 * Mocks the network. Requests for which `answers` returns a response get it at once; all others stay pending until the
 * test answers them. `stopFakeNetwork` aborts the rest.
 */
export function startFakeNetwork(
  answers: (request: Omit<FakeRequest, 'answer' | 'lose' | 'isAborted'>) => object | undefined = () => undefined,
) {
  const requests: FakeRequest[] = []
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
      const fakeRequest: FakeRequest = {
        ...call,
        isAborted: () => request.signal.aborted,
        answer: (body, status = 200) => resolve(Response.json(body, { status })),
        lose: () => reject(new TypeError('Failed to fetch')),
      }
      requests.push(fakeRequest)
      const atOnce = answers(call)
      if (atOnce) fakeRequest.answer(atOnce)
    })
  })
  hangUp = () => {
    for (const request of requests) request.lose()
  }
  return { asked: requests, to: (path: string) => requests.filter((request) => request.path === path) }
}

let hangUp = () => {}

export function stopFakeNetwork(): void {
  hangUp()
  queryClient.clear()
  vi.unstubAllGlobals()
}
