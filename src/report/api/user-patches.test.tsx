import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { useUser } from '#src/account/api/users.ts'
import { type ChangeNotice, setChangeNoticeListener } from '#src/api/change-notice.ts'
import { reportKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { patchUser } from './user-patches.ts'

const LABEL = { id: 'road', name: 'งานถนน', color: 'amber' }
const FAILED = { failed: 'ไม่สำเร็จ' }

let api: ReturnType<typeof startFakeUserApi>
let news: ChangeNotice[]
beforeEach(() => {
  api = startFakeUserApi(buildTestUser({ project_bookmark: ['7'], project_labels: [LABEL] }))
  news = []
  setChangeNoticeListener((notice) => news.push(notice))
})
afterEach(stopFakeUserApi)

const star = (id: string, on = true, words: Parameters<typeof patchUser>[1] = FAILED) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_id: id } }, words)
const starMany = (ids: string[], on = true) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_ids: ids } }, FAILED)

function show() {
  const seen: (readonly string[])[] = []
  const view = renderHook(
    () => {
      const user = useUser()
      seen.push(user.project_bookmark)
      return user
    },
    {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    },
  )
  return { user: () => view.result.current, seen }
}
/** Waits longer than the usual second, because parallel tests may delay a request. */
const waitForPatches = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count), { timeout: 5000 })
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))
/**
 * Freezes time, so that only `pass` advances it, because a busy machine may pause longer than the timeouts under test.
 */
function freezeTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
function press(button: 'undo' | 'retry') {
  const [first] = news
  if (button === 'undo' && first?.kind === 'done') first.undo?.()
  if (button === 'retry' && first?.kind === 'failed') first.retry()
}
/** Waits for refetches, which follow after a second without changes. */
const quiet = (expectation: () => void) => act(() => vi.waitFor(expectation, { timeout: 3000 }))
function watchCounts() {
  let reads = 0
  queryClient.setQueryData(reportKeys.savedFilterCounts, {})
  const observer = new QueryObserver(queryClient, {
    queryKey: reportKeys.savedFilterCounts,
    queryFn: () => ({ reads: ++reads }),
    staleTime: 60_000,
  })
  onTestFinished(observer.subscribe(() => undefined))
  return { reads: () => reads }
}
const reads = () => api.paths.filter((path) => path === 'GET users/me').length

describe('a change', () => {
  test('is applied synchronously and causes no re-render when confirmed', async () => {
    const { user } = show()
    act(() => void star('1'))
    const { project_bookmark: stars } = user()
    expect(stars).toEqual(['7', '1'])
    await waitForPatches(1)
    api.patches[0]!.accept()
    await settled()
    expect(user().project_bookmark).toBe(stars)
  })

  test('is shown before the server answers, and no old value flashes afterwards', async () => {
    const { user, seen } = show()
    await act(async () => void star('1'))
    expect(user().project_bookmark).toEqual(['7', '1'])
    await waitForPatches(1)
    api.patches[0]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '1'])
    const shownSince = seen.slice(seen.findIndex((stars) => stars.includes('1')))
    expect(shownSince.every((stars) => stars.includes('1'))).toBe(true)
  })

  test('R54: is rolled back alone when the server refuses it, with the reason and a retry', async () => {
    const { user } = show()
    await act(async () => {
      void star('1', true, { failed: 'ติดดาวไม่สำเร็จ' })
      void star('2')
    })
    await waitForPatches(2)
    api.patches[0]!.refuse(500)
    api.patches[1]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '2'])
    expect(news).toMatchObject([{ kind: 'failed', text: 'ติดดาวไม่สำเร็จ' }])
    await act(async () => press('retry'))
    await waitForPatches(3)
    api.patches[2]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '2', '1'])
    expect(api.user.project_bookmark).toEqual(['7', '2', '1'])
  })

  test('is kept and resent under its key without a response; a refusal then rolls it back', async () => {
    const { user } = show()
    await act(async () => {
      void star('1')
      void star('2', true, { failed: 'ติดดาวไม่สำเร็จ' })
    })
    await waitForPatches(2)
    api.patches[0]!.lose()
    api.patches[1]!.refuse(503)
    await waitForPatches(4)
    expect(user().project_bookmark).toEqual(['7', '1', '2'])
    expect(news).toHaveLength(0)
    const [first, second, ...again] = api.patches.map(({ key }) => key)
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(second).not.toBe(first)
    expect(new Set(again)).toEqual(new Set([first, second]))
    for (const { patch, accept, refuse } of api.patches.slice(2)) {
      if (patch.bookmark_action?.project_id === '1') accept()
      else refuse(400)
    }
    await settled()
    expect(user().project_bookmark).toEqual(['7', '1'])
    expect(news).toMatchObject([{ kind: 'failed', text: 'ติดดาวไม่สำเร็จ' }])
  })

  test('of the settings is rolled back without a response, and the form reports it', async () => {
    show()
    const saved = patchUser({ is_send_report_email: false }, { failed: 'ปิดอีเมลรายงานไม่สำเร็จ' })
    await waitForPatches(1)
    expect(api.patches[0]!.key).toBeNull()
    api.patches[0]!.lose()
    expect(await saved).toBe(false)
    expect(news).toMatchObject([{ kind: 'failed', text: 'ปิดอีเมลรายงานไม่สำเร็จ' }])
  })

  test('of the same row waits for the previous one, and stays if that one fails', async () => {
    const { user } = show()
    await act(async () => {
      void star('1', true)
      void star('1', false)
      void star('1', true)
    })
    await waitForPatches(1)
    await settled()
    expect(api.patches).toHaveLength(1)
    api.patches[0]!.refuse(500)
    await waitForPatches(2)
    expect(user().project_bookmark).toEqual(['7', '1'])
    api.patches[1]!.accept()
    await waitForPatches(3)
    expect(user().project_bookmark).toEqual(['7', '1'])
    api.patches[2]!.accept()
    await settled()
    expect(api.patches.map(({ patch }) => patch.bookmark_action?.action)).toEqual(['add', 'remove', 'add'])
    expect(api.user.project_bookmark).toEqual(['7', '1'])
    expect(user().project_bookmark).toEqual(['7', '1'])
  })

  test('of a selection is ordered with one of a row in it; other rows do not wait', async () => {
    show()
    await act(async () => {
      void starMany(['1', '2', '3'])
      void star('2', false)
      void star('9')
    })
    await waitForPatches(2)
    expect(api.patches[1]!.patch.bookmark_action?.project_id).toBe('9')
    api.patches[0]!.accept()
    await waitForPatches(3)
    api.patches[1]!.accept()
    api.patches[2]!.accept()
    await settled()
    expect(api.user.project_bookmark.toSorted()).toEqual(['1', '3', '7', '9'])
  })

  test('waits for the new label that it uses', async () => {
    const { user } = show()
    await act(async () => {
      const created = { action: 'create_label', label_id: 'new', label_name: 'ใหม่', label_color: 'sky' } as const
      void patchUser({ label_action: { ...created, project_id: '1' } }, FAILED)
      void patchUser({ label_action: { action: 'assign_label', label_id: 'new', project_id: '2' } }, FAILED)
      void patchUser({ label_action: { action: 'assign_label', label_id: 'road', project_id: '3' } }, FAILED)
    })
    expect(user().project_label_assignments).toEqual({ '1': ['new'], '2': ['new'], '3': ['road'] })
    await waitForPatches(2)
    expect(api.patches.map(({ patch }) => patch.label_action?.action)).toEqual(['create_label', 'assign_label'])
    api.patches[0]!.accept()
    await waitForPatches(3)
    expect(api.patches[2]!.patch.label_action).toMatchObject({ label_id: 'new', project_id: '2' })
    api.patches[1]!.accept()
    api.patches[2]!.accept()
    await settled()
    expect(api.user.project_label_assignments).toEqual({ '1': ['new'], '2': ['new'], '3': ['road'] })
  })
})

describe('undoMorningQueueStep', () => {
  test('restores the previous state: a star set earlier stays', async () => {
    const { user } = show()
    await act(async () => {
      void patchUser(
        { bookmark_action: { action: 'add', project_ids: ['7', '8'] } },
        { failed: 'ไม่สำเร็จ', done: 'ติดดาว 2 โครงการแล้ว' },
      )
    })
    expect(news).toMatchObject([{ kind: 'done', text: 'ติดดาว 2 โครงการแล้ว' }])
    await act(async () => press('undo'))
    expect(user().project_bookmark).toEqual(['7'])
    await waitForPatches(1)
    api.patches[0]!.accept()
    await waitForPatches(2)
    api.patches[1]!.accept()
    await settled()
    expect(api.user.project_bookmark).toEqual(['7'])
  })

  test('is withdrawn when the change fails: both messages refer to the same change', async () => {
    show()
    await act(async () => void star('7', false, { failed: 'เอาดาวออกไม่สำเร็จ', done: 'เอาดาวออกแล้ว' }))
    await waitForPatches(1)
    api.patches[0]!.refuse(500)
    await settled()
    expect(news.map(({ kind }) => kind)).toEqual(['done', 'failed'])
    expect(news[1]!.change).toBe(news[0]!.change)
  })
})

describe('refetching', () => {
  test('during a change overwrites nothing, even if the response is older than the change', async () => {
    const { user } = show()
    await act(async () => void star('1'))
    await act(() => queryClient.refetchQueries({ queryKey: userKeys.me }))
    expect(queryClient.getQueryData<User>(userKeys.me)?.project_bookmark).toEqual(['7'])
    expect(user().project_bookmark).toEqual(['7', '1'])
    // Wait until the change is sent; otherwise the next test would count its request.
    await waitForPatches(1)
  })

  test('started before a change and answered after it restores no old value', async () => {
    const { user, seen } = show()
    api.pendingReads = []
    void queryClient.refetchQueries({ queryKey: userKeys.me })
    await act(async () => {
      void star('1')
      void star('2')
    })
    await waitForPatches(2)
    const oldReads = api.pendingReads
    api.pendingReads = undefined
    api.patches[0]!.accept()
    await settled()
    for (const answer of oldReads) answer()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '1', '2'])
    api.patches[1]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '1', '2'])
    const shownSince = seen.slice(seen.findIndex((stars) => stars.includes('1')))
    expect(shownSince.every((stars) => stars.includes('1'))).toBe(true)
  })

  test('the user is skipped after a change, as the confirmed state is known', async () => {
    freezeTimers()
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    expect(api.patches[0]!.prefers).toBe('return=minimal')
    api.patches[0]!.accept()
    // Frozen time must not pass before the response has been read, which takes real time.
    await vi.waitFor(() => expect(queryClient.getQueryData<User>(userKeys.me)).toEqual(api.user), { timeout: 5000 })
    // Pass more time than the delay of dependent queries.
    await pass(1500)
    expect(api.paths).toEqual(['PATCH users/me'])
  })

  test('follows a failed change, as the server may have applied it', async () => {
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    api.patches[0]!.refuse(500)
    await quiet(() => expect(reads()).toBe(1))
  })

  test('cancelled for a change runs after it', async () => {
    show()
    api.pendingReads = []
    void queryClient.refetchQueries({ queryKey: userKeys.me })
    await act(async () => void star('1'))
    await waitForPatches(1)
    expect(reads()).toBe(1)
    api.pendingReads = undefined
    api.patches[0]!.accept()
    await quiet(() => expect(reads()).toBe(2))
  })

  test('dependent queries happens once, after the last of several changes', async () => {
    show()
    const counted = watchCounts()
    await act(async () => {
      for (const id of ['1', '2', '3']) void star(id)
    })
    await waitForPatches(3)
    for (const patch of api.patches) patch.accept()
    await quiet(() => expect(counted.reads()).toBe(1))
    await settled()
    expect(counted.reads()).toBe(1)
  })

  test('waits until the user stops clicking', async () => {
    freezeTimers()
    show()
    const counted = watchCounts()
    api.answersAtOnce = true
    await act(() => star('1'))
    await pass(999)
    await act(() => star('2'))
    await pass(999)
    expect(counted.reads()).toBe(0)
    await pass(1)
    expect(counted.reads()).toBe(1)
  })

  test('is limited to queries that depend on the change', async () => {
    show()
    const all = {
      plain: reportKeys.page({ page: '1' }),
      starred: reportKeys.page({ project_bookmark: 'true' }),
      labelled: reportKeys.page({ project_label__in: 'road' }),
      facets: reportKeys.facets({}),
      saved: reportKeys.savedFilterCounts,
    }
    const staleAfter = async (patch: Parameters<typeof patchUser>[0]) => {
      for (const key of Object.values(all)) queryClient.setQueryData(key, {})
      await act(async () => void patchUser(patch, FAILED))
      await vi.waitFor(() => expect(api.patches).not.toHaveLength(0))
      api.patches.pop()!.accept()
      await settled()
      return Object.keys(all).filter((name) => queryClient.getQueryState(all[name as keyof typeof all])?.isInvalidated)
    }
    expect(await staleAfter({ bookmark_action: { action: 'add', project_id: '1' } })).toEqual([
      'starred',
      'facets',
      'saved',
    ])
    expect(await staleAfter({ label_action: { action: 'assign_label', label_id: 'road', project_id: '1' } })).toEqual([
      'labelled',
      'facets',
      'saved',
    ])
    expect(await staleAfter({ hide_action: { action: 'add', project_id: '1' } })).toEqual(Object.keys(all))
    expect(await staleAfter({ is_noti_e_bidding: true })).toEqual([])
  })
})

test('notifies other tabs of the kind of change, and refetches when notified', async () => {
  show()
  const otherTab = new BroadcastChannel('tamngan.changes')
  const heard = new Promise((resolve) => {
    otherTab.onmessage = ({ data }) => resolve(data)
  })
  await act(async () => void star('1'))
  await waitForPatches(1)
  api.patches[0]!.accept()
  expect(await heard).toEqual(['stars'])
  await settled()
  const before = reads()
  api.user = { ...api.user, project_bookmark: ['5'] }
  otherTab.postMessage(['stars'])
  await quiet(() => expect(reads()).toBe(before + 1))
  otherTab.close()
})
