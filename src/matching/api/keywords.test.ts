import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getOptimisticQueryData } from '#src/api/optimistic-changes.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { buildTestSession } from '#src/report/api/user-api-for-tests.ts'
import { hasServerId } from './keyword-edits.ts'
import {
  addKeywords,
  changeKeywords,
  getKeywordErrors,
  isKeywordListError,
  removeKeywords,
  renameKeywordGroup,
  restoreKeywords,
  setSearchModes,
} from './keywords.ts'
import { buildTestKeyword, buildTestOrganisation } from './organisation-for-tests.ts'

/** A sent change whose response the test controls. */
type ChangeRequest = {
  readonly call: string
  readonly body: unknown
  readonly answer: (body: unknown, status?: number) => void
  readonly lose: () => void
}
let changes: ChangeRequest[]
let server: Organisation

beforeEach(() => {
  changes = []
  server = buildTestOrganisation({
    include: [buildTestKeyword(1, 'กล้อง'), buildTestKeyword(2, 'CCTV'), buildTestKeyword(3, 'ยา')],
    keyword_groups: [{ id: 7, name: 'ความปลอดภัย' }],
  })
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '')}`
    if (call === 'GET organisations/me/matching')
      return Response.json({ state: 'idle', done: 0, total: 0, finished_at: null })
    if (sent.method === 'GET') return Response.json(server)
    const body: unknown = await sent.json()
    return new Promise<Response>((resolve, reject) => {
      changes.push({
        call,
        body,
        answer: (answer, status = 200) => resolve(Response.json(answer, { status })),
        lose: () => reject(new TypeError('Failed to fetch')),
      })
    })
  })
  localStorage.clear()
  startSession(buildTestSession())
  queryClient.setQueryData(organisationKeys.me, server)
})
afterEach(() => {
  endSession('logout')
  queryClient.clear()
  vi.unstubAllGlobals()
})

const organisation = () => getOptimisticQueryData<Organisation>(organisationKeys.me)!
const words = () => organisation().include.map(({ word }) => word)
const sent = async (count: number) => {
  await vi.waitFor(() => expect(changes).toHaveLength(count))
  return changes[count - 1]!
}
const outcome = (change: Promise<void>) =>
  change.then(
    () => 'done',
    (error: unknown) => error,
  )

describe('a list change', () => {
  test('is applied before the server answers and replaced by its response', async () => {
    const change = addKeywords([{ list: 'include', entry: { word: ' โซลาร์เซลล์ ', group: 'พลังงาน' } }])
    const request = await sent(1)
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา', 'โซลาร์เซลล์'])
    expect(hasServerId(organisation().include[3]!)).toBe(false)
    expect(organisation().keyword_groups.map(({ name }) => name)).toEqual(['ความปลอดภัย', 'พลังงาน'])
    expect(request).toMatchObject({
      call: 'POST organisations/me',
      body: { include_keywords: [{ word: ' โซลาร์เซลล์ ', group: 'พลังงาน' }] },
    })
    request.answer({ ...server, include: [...server.include, buildTestKeyword(9, 'โซลาร์เซลล์', { group_id: 8 })] })
    await change
    expect(organisation().include[3]).toMatchObject({ id: 9, group_id: 8 })
  })

  test('preserves concurrent changes by other users', async () => {
    const change = removeKeywords('include', [server.include[0]!])
    const request = await sent(1)
    expect(request).toMatchObject({ call: 'DELETE organisations/me', body: { include_keywords: [{ id: 1 }] } })
    request.answer({ ...server, include: [...server.include.slice(1), buildTestKeyword(4, 'ของเพื่อนร่วมงาน')] })
    await change
    expect(words()).toEqual(['CCTV', 'ยา', 'ของเพื่อนร่วมงาน'])
  })

  test('is rolled back alone when refused; the others keep their positions (R54)', async () => {
    const first = outcome(removeKeywords('include', [server.include[1]!]))
    const second = outcome(addKeywords([{ list: 'include', entry: { word: 'ไฟถนน' } }]))
    const third = outcome(changeKeywords('include', [{ id: 3, word: 'ยา<<ยาง', group_id: 7 }]))
    await vi.waitFor(() => expect(words()).toEqual(['กล้อง', 'ยา<<ยาง', 'ไฟถนน']))
    // Changes are sent one at a time, in click order.
    ;(await sent(1)).answer({ code: 'internal' }, 500)
    expect(await first).toBeInstanceOf(Error)
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา<<ยาง', 'ไฟถนน'])
    const added = { ...server, include: [...server.include, buildTestKeyword(4, 'ไฟถนน')] }
    ;(await sent(2)).answer(added)
    expect(await second).toBe('done')
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา<<ยาง', 'ไฟถนน'])
    server = added
    ;(await sent(3)).answer({ non_field_errors: ['วงเล็บ'] }, 400)
    expect(await third).toBeInstanceOf(Error)
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา', 'ไฟถนน'])
    expect(organisation().include[2]).toMatchObject({ group_id: null })
  })

  test('is rolled back and the lists refetched when its response is lost', async () => {
    const change = outcome(setSearchModes({ search_by_ai: false }))
    const request = await sent(1)
    expect(organisation().customer_config.search_by_ai).toBe(false)
    server = buildTestOrganisation({ include: server.include }, { search_by_ai: false })
    request.lose()
    expect(await change).toBeInstanceOf(Error)
    const stop = queryClient.getQueryCache().find({ queryKey: organisationKeys.me })?.state.isInvalidated
    expect(stop).toBe(true)
  })

  test('leaves the next user untouched after a logout', async () => {
    const change = outcome(renameKeywordGroup(7, 'กล้องวงจรปิด'))
    const request = await sent(1)
    expect(organisation().keyword_groups[0]?.name).toBe('กล้องวงจรปิด')
    startSession(buildTestSession('99'))
    queryClient.setQueryData(organisationKeys.me, buildTestOrganisation({ code: 'other' }))
    request.answer(server)
    await change
    expect(organisation().code).toBe('other')
  })
})

describe('a deletion', () => {
  test.each([400, 405, 501])('falls back to another route when a proxy drops the DELETE body (%s)', async (status) => {
    const change = removeKeywords('include', [server.include[0]!])
    ;(await sent(1)).answer({ non_field_errors: ['ยังไม่ได้เลือกคำที่จะลบ'] }, status)
    const again = await sent(2)
    expect(again).toMatchObject({
      call: 'POST organisations/me/keywords/remove',
      body: { include_keywords: [{ id: 1 }] },
    })
    again.answer({ ...server, include: server.include.slice(1) })
    await change
    expect(words()).toEqual(['CCTV', 'ยา'])
  })

  test('does not fall back when the server refuses it', async () => {
    const change = outcome(removeKeywords('include', [server.include[0]!]))
    ;(await sent(1)).answer({ code: 'lists_locked', non_field_errors: ['ปิด'] }, 403)
    expect(isKeywordListError(await change, 'lists_locked')).toBe(true)
    expect(changes).toHaveLength(1)
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา'])
  })

  test('is undone by ids, which restores the words to their positions', async () => {
    const gone = [server.include[0]!, server.include[2]!]
    const removed = removeKeywords('include', gone)
    ;(await sent(1)).answer({ ...server, include: [server.include[1]!] })
    await removed
    const back = restoreKeywords('include', gone)
    const request = await sent(2)
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา'])
    expect(request).toMatchObject({ call: 'POST organisations/me/keywords/restore', body: { ids: [1, 3] } })
    request.answer(server)
    await back
    expect(words()).toEqual(['กล้อง', 'CCTV', 'ยา'])
  })
})

test('parses the errors of the server line by line', async () => {
  const change = outcome(addKeywords([{ list: 'include', entry: { word: 'โครงการ' } }]))
  ;(await sent(1)).answer(
    {
      errors: { include_keywords: 'เพิ่มไม่ได้ 1 คำ', blacklisted_words: ['โครงการ'] },
      non_field_errors: ['เพิ่มไม่ได้ 1 คำ'],
      lines: [{ list: 'include', index: 0, word: 'โครงการ', code: 'blacklisted', position: 0, message: 'อยู่ในทุกชื่อ' }],
    },
    400,
  )
  expect(getKeywordErrors(await change)).toMatchObject({
    errors: { blacklisted_words: ['โครงการ'] },
    lines: [{ code: 'blacklisted' }],
  })
})
