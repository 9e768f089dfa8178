import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { useUser } from '#src/account/api/users.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import {
  buildTestSession,
  buildTestUser,
  startFakeUserApi,
  stopFakeUserApi,
} from '#src/report/api/user-api-for-tests.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import { type ChangeNotice, setChangeNoticeListener } from './change-notice.ts'
import { setSessionEndHandler } from './http/client.ts'
import { userKeys } from './http/keys.ts'
import { queryClient } from './http/query-client.ts'

let api: ReturnType<typeof startFakeUserApi>
let news: ChangeNotice[]
beforeEach(() => {
  api = startFakeUserApi(buildTestUser({ project_bookmark: ['7'] }))
  news = []
  setChangeNoticeListener((notice) => news.push(notice))
})
afterEach(() => {
  stopFakeUserApi()
  setSessionEndHandler(() => undefined)
})

const star = (id: string, on = true) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_id: id } }, { failed: 'ไม่สำเร็จ' })
const starMany = (ids: string[]) =>
  patchUser({ bookmark_action: { action: 'add', project_ids: ids } }, { failed: 'ไม่สำเร็จ' })

function show() {
  const view = renderHook(useUser, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  return { user: () => view.result.current }
}
const waitForPatches = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count))
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

describe('a closing tab', () => {
  const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  test('sends a pending change with keepalive, so it survives', async () => {
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    expect(api.patches[0]!.keepalive).toBe(true)
    expect(leave()).toBe(true)
  })

  test('warns while a change still waits for another', async () => {
    show()
    await act(async () => {
      void star('1')
      void star('1', false)
    })
    await waitForPatches(1)
    expect(leave()).toBe(false)
    api.patches[0]!.accept()
    await waitForPatches(2)
    expect(leave()).toBe(true)
  })

  test('warns about changes too large or too many for keepalive', async () => {
    show()
    const many = Array.from({ length: 3000 }, (_, index) => `66${String(index).padStart(9, '0')}`)
    await act(async () => void starMany(many))
    await waitForPatches(1)
    expect(api.patches[0]!.keepalive).toBe(false)
    expect(leave()).toBe(false)
    api.patches[0]!.accept()
    await settled()
    expect(leave()).toBe(true)
    await act(async () => {
      for (let id = 1; id <= 20; id += 1) void star(String(id))
    })
    await waitForPatches(21)
    expect(api.patches.slice(1).filter(({ keepalive }) => keepalive)).toHaveLength(16)
    expect(leave()).toBe(false)
  })
})

describe('an ending session', () => {
  test('keeps its changes and sends them when the same user is back', async () => {
    show()
    // As in the app, a 401 ends the session.
    setSessionEndHandler(() => endSession('dead'))
    await act(async () => {
      void star('1')
      void star('1', false)
      void star('2')
    })
    await waitForPatches(2)
    api.patches[0]!.refuse(401, { code: 'session_invalid' })
    await settled()
    expect(news).toEqual([])
    api.answersAtOnce = true
    startSession(buildTestSession('1', 2))
    await vi.waitFor(() => expect(api.user.project_bookmark).toEqual(['7', '2']))
    expect(api.patches.slice(2).map(({ patch }) => patch.bookmark_action)).toEqual([
      { action: 'add', project_id: '1' },
      { action: 'add', project_id: '2' },
      { action: 'remove', project_id: '1' },
    ])
    expect(api.patches.at(-1)!.bearer).toBe(`Bearer ${buildTestSession('1', 2).access}`)
  })

  test('shows and sends none of its changes to the next user', async () => {
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    endSession('logout')
    startSession(buildTestSession('99'))
    queryClient.setQueryData(userKeys.me, buildTestUser({ id: '99' }))
    const { user } = show()
    expect(user().project_bookmark).toEqual([])
    api.patches[0]!.accept()
    await settled()
    expect(api.patches).toHaveLength(1)
    expect(queryClient.getQueryData<User>(userKeys.me)?.project_bookmark).not.toContain('1')
    expect(news).toEqual([])
  })

  test('discards its changes too when another tab signs in another user', async () => {
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    startSession(buildTestSession('99'))
    api.patches[0]!.lose()
    await settled()
    expect(api.patches).toHaveLength(1)
    expect(news).toEqual([])
  })

  test('that only renews its token resends a refused change with the new one', async () => {
    show()
    await act(async () => void star('1'))
    await waitForPatches(1)
    startSession(buildTestSession('1', 2))
    api.patches[0]!.refuse(401, { code: 'session_invalid' })
    await waitForPatches(2)
    api.patches[1]!.accept()
    await settled()
    expect(api.user.project_bookmark).toEqual(['7', '1'])
    expect(news).toEqual([])
  })
})
