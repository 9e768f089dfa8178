import { afterEach, expect, test, vi } from 'vitest'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { finishKeywordSetup, getRejectedWords, KeywordSetupIncompleteError } from './finish-keyword-setup.ts'
import type { NewListedKeyword } from './keyword-edits.ts'
import { buildTestOrganisation } from './organisation-for-tests.ts'

const WORDS: NewListedKeyword[] = [
  { list: 'include', entry: { word: 'กล้อง', group: 'ก' } },
  { list: 'exclude', entry: { word: 'ซ่อม' } },
]
const open = buildTestOrganisation(
  { register_status: { is_register_completed: true, is_watchlist_completed: false } },
  { search_by_ai: false },
)
const closed = buildTestOrganisation()
const line = (list: string, word: string, code: string) => ({ list, index: 0, word, code, position: 0, message: code })
const refusal = (...lines: ReturnType<typeof line>[]) => ({ errors: {}, non_field_errors: ['x'], lines })
afterEach(stopFakeNetwork)

function begin(switches = {}) {
  const network = startFakeNetwork(({ path }) =>
    path === 'organisations/me/matching' ? { state: 'idle', done: 0, total: 0, finished_at: null } : undefined,
  )
  const done = finishKeywordSetup(WORDS, switches)
  done.catch(() => undefined)
  const call = async (index: number) => {
    await vi.waitFor(() => expect(network.to('organisations/me')).toHaveLength(index + 1))
    return network.to('organisations/me')[index]!
  }
  return { done, call }
}

test('stores the words, then closes the set-up with the switches they need', async () => {
  const { done, call } = begin({ search_by_ai: true })
  const post = await call(0)
  expect([post.method, post.body]).toEqual([
    'POST',
    { include_keywords: [{ word: 'กล้อง', group: 'ก' }], exclude_keywords: [{ word: 'ซ่อม' }] },
  ])
  post.answer(open)
  const patch = await call(1)
  expect([patch.method, patch.body]).toEqual([
    'PATCH',
    { search_by_ai: true, update_register_status: { is_watchlist_completed: true } },
  ])
  patch.answer(closed)
  await done
})

test('treats words stored by an earlier attempt as done', async () => {
  const { done, call } = begin()
  ;(await call(0)).answer(refusal(line('include', 'กล้อง', 'duplicate')), 400)
  const again = await call(1)
  expect(again.body).toEqual({ exclude_keywords: [{ word: 'ซ่อม' }] })
  again.answer(open)
  ;(await call(2)).answer(closed)
  await done
})

test('names a refused word and leaves the set-up open', async () => {
  const { done, call } = begin()
  ;(await call(0)).answer(refusal(line('include', 'กล้อง', 'blacklisted')), 400)
  const error = await done.catch((reason: unknown) => reason)
  expect([...getRejectedWords(error)]).toEqual([['กล้อง', 'blacklisted']])
})

test('rejects when the response does not mark the set-up as done, whatever its status', async () => {
  const { done, call } = begin()
  ;(await call(0)).answer(open)
  ;(await call(1)).answer(open)
  await expect(done).rejects.toThrow(KeywordSetupIncompleteError)
})
