import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { useUser } from '#src/account/api/users.ts'
import { endSession, startSession } from '#src/lib/session-store.ts'
import { patchUser } from '#src/report/api/patch-user.ts'
import { sessionForTests, startUserApi, stopUserApi, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { type ChangeNews, whenChangeHasNews } from './change-news.ts'
import { whenSessionDies } from './http/client.ts'
import { userKeys } from './http/keys.ts'
import { queryClient } from './http/query-client.ts'

let api: ReturnType<typeof startUserApi>
let news: ChangeNews[]
beforeEach(() => {
  api = startUserApi(userForTests({ project_bookmark: ['7'] }))
  news = []
  whenChangeHasNews((one) => news.push(one))
})
afterEach(() => {
  stopUserApi()
  whenSessionDies(() => undefined)
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
const asked = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count))
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

describe('a tab that closes', () => {
  const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

  test('does not lose what is on its way: the request outlives it', async () => {
    show()
    await act(async () => void star('1'))
    await asked(1)
    expect(api.patches[0]!.keepalive).toBe(true)
    expect(leave()).toBe(true)
  })

  test('asks first while a change still waits for another', async () => {
    show()
    await act(async () => {
      void star('1')
      void star('1', false)
    })
    await asked(1)
    expect(leave()).toBe(false)
    api.patches[0]!.accept()
    await asked(2)
    expect(leave()).toBe(true)
  })

  test('asks first for what is too large or too much to outlive it', async () => {
    show()
    const many = Array.from({ length: 3000 }, (_, index) => `66${String(index).padStart(9, '0')}`)
    await act(async () => void starMany(many))
    await asked(1)
    expect(api.patches[0]!.keepalive).toBe(false)
    expect(leave()).toBe(false)
    api.patches[0]!.accept()
    await settled()
    expect(leave()).toBe(true)
    await act(async () => {
      for (let id = 1; id <= 20; id += 1) void star(String(id))
    })
    await asked(21)
    expect(api.patches.slice(1).filter(({ keepalive }) => keepalive)).toHaveLength(16)
    expect(leave()).toBe(false)
  })
})

describe('a session that ends', () => {
  test('takes its changes along: they are sent when the same person is back', async () => {
    show()
    // Same wiring as the app: a dead session ends on 401.
    whenSessionDies(() => endSession('dead'))
    await act(async () => {
      void star('1')
      void star('1', false)
      void star('2')
    })
    await asked(2)
    api.patches[0]!.refuse(401, { code: 'session_invalid' })
    await settled()
    expect(news).toEqual([])
    api.answersAtOnce = true
    startSession(sessionForTests('1', 2))
    await vi.waitFor(() => expect(api.user.project_bookmark).toEqual(['7', '2']))
    expect(api.patches.slice(2).map(({ patch }) => patch.bookmark_action)).toEqual([
      { action: 'add', project_id: '1' },
      { action: 'add', project_id: '2' },
      { action: 'remove', project_id: '1' },
    ])
    expect(api.patches.at(-1)!.bearer).toBe(`Bearer ${sessionForTests('1', 2).access}`)
  })

  test('shows and sends nothing of it to the next person', async () => {
    show()
    await act(async () => void star('1'))
    await asked(1)
    endSession('logout')
    startSession(sessionForTests('99'))
    queryClient.setQueryData(userKeys.me, userForTests({ id: '99' }))
    const { user } = show()
    expect(user().project_bookmark).toEqual([])
    api.patches[0]!.accept()
    await settled()
    expect(api.patches).toHaveLength(1)
    expect(queryClient.getQueryData<User>(userKeys.me)?.project_bookmark).not.toContain('1')
    expect(news).toEqual([])
  })

  test('by another tab that brings another person in does so too', async () => {
    show()
    await act(async () => void star('1'))
    await asked(1)
    startSession(sessionForTests('99'))
    api.patches[0]!.lose()
    await settled()
    expect(api.patches).toHaveLength(1)
    expect(news).toEqual([])
  })

  test('no more than its token: a change refused for the old one is sent again with the new one', async () => {
    show()
    await act(async () => void star('1'))
    await asked(1)
    startSession(sessionForTests('1', 2))
    api.patches[0]!.refuse(401, { code: 'session_invalid' })
    await asked(2)
    api.patches[1]!.accept()
    await settled()
    expect(api.user.project_bookmark).toEqual(['7', '1'])
    expect(news).toEqual([])
  })
})
