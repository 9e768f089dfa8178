import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { registerReauthenticationPrompt, setSessionEndHandler } from './client.ts'
import { downloadFile } from './file-download.ts'

const requests: Request[] = []
const answers: (() => Response)[] = []
const saved: Blob[] = []

beforeEach(() => {
  startSession({ access: 'abc', isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 })
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    requests.push(new Request(input, init))
    return answers.shift()!()
  })
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (file: Blob) => `blob:${saved.push(file)}`, revokeObjectURL: () => {} }),
  )
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
})
afterEach(() => {
  endSession('logout')
  setSessionEndHandler(() => undefined)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  for (const list of [requests, answers, saved]) list.length = 0
})

test('saves the response and reports how much has arrived', async () => {
  answers.push(() => new Response('12345', { headers: { 'content-length': '5', 'content-type': 'text/csv' } }))
  const progress = vi.fn()
  await downloadFile({ path: 'who-wins/file', query: { page: '1' }, name: 'a.csv', onProgress: progress })
  expect(requests.map(({ method, url }) => [method, new URL(url).pathname + new URL(url).search])).toEqual([
    ['GET', '/api/v2/who-wins/file?page=1'],
  ])
  expect(progress).toHaveBeenLastCalledWith({ received: 5, total: 5 })
  expect(saved.map(({ size, type }) => [size, type])).toEqual([[5, 'text/csv']])
})

test('ends the session after a 401, and saves nothing', async () => {
  const ended = vi.fn()
  setSessionEndHandler(ended)
  answers.push(() => Response.json({ code: 'session_invalid' }, { status: 401 }))
  await expect(downloadFile({ path: 'exports/1/file', name: 'a.csv' })).rejects.toThrow(ProblemError)
  expect(ended).toHaveBeenCalledWith('abc')
  expect(saved).toEqual([])
})

test('posts the text of a file again after a re-authentication', async () => {
  const stop = registerReauthenticationPrompt(async () => true)
  answers.push(
    () => Response.json({ code: 'proof_needed' }, { status: 403 }),
    () => new Response('letter'),
  )
  await downloadFile({ path: 'draft-letter', name: 'a.docx', json: { text: 'ก' } })
  stop()
  expect(await Promise.all(requests.map(async (request) => [request.method, await request.json()]))).toEqual([
    ['POST', { text: 'ก' }],
    ['POST', { text: 'ก' }],
  ])
  expect(saved).toHaveLength(1)
})

test('reports a download that breaks off as a network error', async () => {
  const breakOff = () => Promise.reject(new TypeError('network error'))
  answers.push(() => Object.assign(new Response('half'), { blob: breakOff }))
  await expect(downloadFile({ path: 'exports/1/file', name: 'a.csv' })).rejects.toThrow(NetworkError)
})
