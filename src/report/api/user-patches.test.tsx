import { QueryClientProvider, QueryObserver } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { useUser } from '#src/account/api/users.ts'
import { type ChangeNews, whenChangeHasNews } from '#src/api/change-news.ts'
import { reportKeys, userKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { startUserApi, stopUserApi, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { patchUser, preloadUserPatches } from './patch-user.ts'

const LABEL = { id: 'road', name: 'งานถนน', color: 'amber' }
const FAILED = { failed: 'ไม่สำเร็จ' }

let api: ReturnType<typeof startUserApi>
let news: ChangeNews[]
beforeAll(preloadUserPatches)
beforeEach(() => {
  api = startUserApi(userForTests({ project_bookmark: ['7'], project_labels: [LABEL] }))
  news = []
  whenChangeHasNews((one) => news.push(one))
})
afterEach(stopUserApi)

const star = (id: string, on = true, words: Parameters<typeof patchUser>[1] = FAILED) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_id: id } }, words)
const starMany = (ids: string[], on = true) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_ids: ids } }, FAILED)

/** Renders the user; `seen` collects the stars of every render. */
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
/** Parallel tests may delay a request beyond the usual second. */
const asked = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count), { timeout: 5000 })
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))
/** Time advances only through `pass`: a busy machine may pause longer than the timeouts under test. */
function holdTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Clicks the button of the first message. */
function press(button: 'undo' | 'retry') {
  const [first] = news
  if (button === 'undo' && first?.kind === 'done') first.undo?.()
  if (button === 'retry' && first?.kind === 'failed') first.retry()
}
/** Refetches wait for a second without changes. */
const quiet = (expectation: () => void) => act(() => vi.waitFor(expectation, { timeout: 3000 }))
/** Observes the saved-filter counts. */
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
  test('stands within the press itself, and being confirmed it draws nothing of it again', async () => {
    const { user } = show()
    act(() => void star('1'))
    // Synchronous: nothing has been awaited yet.
    const { project_bookmark: stars } = user()
    expect(stars).toEqual(['7', '1'])
    await asked(1)
    api.patches[0]!.accept()
    await settled()
    expect(user().project_bookmark).toBe(stars)
  })

  test('is shown before the server has answered, and stays without a flash of the old when it has', async () => {
    const { user, seen } = show()
    await act(async () => void star('1'))
    expect(user().project_bookmark).toEqual(['7', '1'])
    await asked(1)
    api.patches[0]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '1'])
    const shownSince = seen.slice(seen.findIndex((stars) => stars.includes('1')))
    expect(shownSince.every((stars) => stars.includes('1'))).toBe(true)
  })

  test('R54: that the server refuses is taken back alone, with the reason and a way to try again', async () => {
    const { user } = show()
    await act(async () => {
      void star('1', true, { failed: 'ติดดาวไม่สำเร็จ' })
      void star('2')
    })
    await asked(2)
    api.patches[0]!.refuse(500)
    api.patches[1]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '2'])
    expect(news).toMatchObject([{ kind: 'failed', text: 'ติดดาวไม่สำเร็จ' }])
    await act(async () => press('retry'))
    await asked(3)
    api.patches[2]!.accept()
    await settled()
    expect(user().project_bookmark).toEqual(['7', '2', '1'])
    expect(api.user.project_bookmark).toEqual(['7', '2', '1'])
  })

  test('that gets no answer stands and is sent again under its key, and a refusal then takes it back', async () => {
    const { user } = show()
    await act(async () => {
      void star('1')
      void star('2', true, { failed: 'ติดดาวไม่สำเร็จ' })
    })
    await asked(2)
    api.patches[0]!.lose()
    api.patches[1]!.refuse(503)
    await asked(4)
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

  test('of the settings that gets no answer is taken back, and its form says so', async () => {
    show()
    const saved = patchUser({ is_send_report_email: false }, { failed: 'ปิดอีเมลรายงานไม่สำเร็จ' })
    await asked(1)
    expect(api.patches[0]!.key).toBeNull()
    api.patches[0]!.lose()
    expect(await saved).toBe(false)
    expect(news).toMatchObject([{ kind: 'failed', text: 'ปิดอีเมลรายงานไม่สำเร็จ' }])
  })

  test('of the same row waits for the one before; when that fails, the later stays', async () => {
    const { user } = show()
    await act(async () => {
      void star('1', true)
      void star('1', false)
      void star('1', true)
    })
    await asked(1)
    await settled()
    expect(api.patches).toHaveLength(1)
    api.patches[0]!.refuse(500)
    await asked(2)
    expect(user().project_bookmark).toEqual(['7', '1'])
    api.patches[1]!.accept()
    await asked(3)
    expect(user().project_bookmark).toEqual(['7', '1'])
    api.patches[2]!.accept()
    await settled()
    expect(api.patches.map(({ patch }) => patch.bookmark_action?.action)).toEqual(['add', 'remove', 'add'])
    expect(api.user.project_bookmark).toEqual(['7', '1'])
    expect(user().project_bookmark).toEqual(['7', '1'])
  })

  test('of a selection and one of a row in it go in their order, other rows do not wait', async () => {
    show()
    await act(async () => {
      void starMany(['1', '2', '3'])
      void star('2', false)
      void star('9')
    })
    await asked(2)
    expect(api.patches[1]!.patch.bookmark_action?.project_id).toBe('9')
    api.patches[0]!.accept()
    await asked(3)
    api.patches[1]!.accept()
    api.patches[2]!.accept()
    await settled()
    expect(api.user.project_bookmark.toSorted()).toEqual(['1', '3', '7', '9'])
  })

  test('that uses a new label waits for the label', async () => {
    const { user } = show()
    await act(async () => {
      const created = { action: 'create_label', label_id: 'new', label_name: 'ใหม่', label_color: 'sky' } as const
      void patchUser({ label_action: { ...created, project_id: '1' } }, FAILED)
      void patchUser({ label_action: { action: 'assign_label', label_id: 'new', project_id: '2' } }, FAILED)
      void patchUser({ label_action: { action: 'assign_label', label_id: 'road', project_id: '3' } }, FAILED)
    })
    expect(user().project_label_assignments).toEqual({ '1': ['new'], '2': ['new'], '3': ['road'] })
    await asked(2)
    expect(api.patches.map(({ patch }) => patch.label_action?.action)).toEqual(['create_label', 'assign_label'])
    api.patches[0]!.accept()
    await asked(3)
    expect(api.patches[2]!.patch.label_action).toMatchObject({ label_id: 'new', project_id: '2' })
    api.patches[1]!.accept()
    api.patches[2]!.accept()
    await settled()
    expect(api.user.project_label_assignments).toEqual({ '1': ['new'], '2': ['new'], '3': ['road'] })
  })
})

describe('taking back', () => {
  test('starts from what was there: a star set before stays', async () => {
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
    // The undo does not overtake the change it reverts.
    await asked(1)
    api.patches[0]!.accept()
    await asked(2)
    api.patches[1]!.accept()
    await settled()
    expect(api.user.project_bookmark).toEqual(['7'])
  })

  test('of a failed change is offered no more: both news name the same change', async () => {
    show()
    await act(async () => void star('7', false, { failed: 'เอาดาวออกไม่สำเร็จ', done: 'เอาดาวออกแล้ว' }))
    await asked(1)
    api.patches[0]!.refuse(500)
    await settled()
    expect(news.map(({ kind }) => kind)).toEqual(['done', 'failed'])
    expect(news[1]!.change).toBe(news[0]!.change)
  })
})

describe('reading again', () => {
  test('in the middle overwrites nothing, though the answer is older than the change', async () => {
    const { user } = show()
    await act(async () => void star('1'))
    await act(() => queryClient.refetchQueries({ queryKey: userKeys.me }))
    expect(queryClient.getQueryData<User>(userKeys.me)?.project_bookmark).toEqual(['7'])
    expect(user().project_bookmark).toEqual(['7', '1'])
    // Sent within this test; later requests would be counted by the next one.
    await asked(1)
  })

  test('begun before a change and answered after it brings no old word back', async () => {
    const { user, seen } = show()
    api.pendingReads = []
    void queryClient.refetchQueries({ queryKey: userKeys.me })
    await act(async () => {
      void star('1')
      void star('2')
    })
    await asked(2)
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

  test('of the user happens after no change: what was confirmed is known', async () => {
    holdTimers()
    show()
    await act(async () => void star('1'))
    await asked(1)
    expect(api.patches[0]!.prefers).toBe('return=minimal')
    api.patches[0]!.accept()
    // Longer than the delay of dependent queries.
    await pass(1500)
    expect(api.paths).toEqual(['PATCH users/me'])
    expect(queryClient.getQueryData<User>(userKeys.me)).toEqual(api.user)
  })

  test('happens after a change that failed: the server may have made it', async () => {
    show()
    await act(async () => void star('1'))
    await asked(1)
    api.patches[0]!.refuse(500)
    await quiet(() => expect(reads()).toBe(1))
  })

  test('that was wanted before a change and was cut off for it happens after it', async () => {
    show()
    api.pendingReads = []
    void queryClient.refetchQueries({ queryKey: userKeys.me })
    await act(async () => void star('1'))
    await asked(1)
    expect(reads()).toBe(1)
    api.pendingReads = undefined
    api.patches[0]!.accept()
    await quiet(() => expect(reads()).toBe(2))
  })

  test('of what hangs on a change happens once, after the last of several', async () => {
    show()
    const counted = watchCounts()
    await act(async () => {
      for (const id of ['1', '2', '3']) void star(id)
    })
    await asked(3)
    for (const one of api.patches) one.accept()
    await quiet(() => expect(counted.reads()).toBe(1))
    await settled()
    expect(counted.reads()).toBe(1)
  })

  test('waits until the clicking has stopped', async () => {
    holdTimers()
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

  test('is asked of what depends on the change, and of nothing else', async () => {
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

test('another tab is told what kind of marks changed, and asks again when it hears so', async () => {
  show()
  const other = new BroadcastChannel('tamngan.changes')
  const heard = new Promise((resolve) => {
    other.onmessage = ({ data }) => resolve(data)
  })
  await act(async () => void star('1'))
  await asked(1)
  api.patches[0]!.accept()
  expect(await heard).toEqual(['stars'])
  await settled()
  const before = reads()
  api.user = { ...api.user, project_bookmark: ['5'] }
  other.postMessage(['stars'])
  await quiet(() => expect(reads()).toBe(before + 1))
  other.close()
})
