import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeptStore } from '#src/api/offline/kept-store.ts'
import { endSession, ownerOf, startSession } from '#src/lib/session-store.ts'
import { sessionForTests, startUserApi, stopUserApi, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { sendUserPatch } from '#src/report/api/user-patches.ts'
import { startStoringChanges } from './outbox.ts'

function memoryStore() {
  const values = new Map<string, unknown>()
  const store: KeptStore = {
    get: async <T>(key: string) => values.get(key) as T | undefined,
    set: async (key, value) => void values.set(key, structuredClone(value)),
    remove: async (keys) => {
      for (const key of keys) values.delete(key)
    },
    all: async <T>() => [...values].map(([key, value]) => [key, structuredClone(value) as T] as const),
    clear: async () => values.clear(),
  }
  return { values, store }
}

const OWNER = ownerOf(sessionForTests('1'))!
const left = (project: string, place: number, change: object = {}) => ({
  ...{ owner: OWNER, tab: 'closed', name: 'user', failed: 'ติดดาวไม่สำเร็จ', madeAtMs: Date.now() - 1000, place },
  variables: { bookmark_action: { action: 'add', project_id: project } },
  ...change,
})
const star = (id: string, action: 'add' | 'remove' = 'add') =>
  void sendUserPatch({ bookmark_action: { action, project_id: id } }, { failed: 'ติดดาวไม่สำเร็จ' })

let kept: ReturnType<typeof memoryStore>
let api: ReturnType<typeof startUserApi>
let stop = () => {}
const open = (tab: string, others: readonly string[] = []) => {
  stop = startStoringChanges({ store: kept.store, tab, openTabs: async () => new Set([tab, ...others]) })
}
const asked = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count), { timeout: 5000 })
const keptCount = (count: number) => vi.waitFor(() => expect(kept.values.size).toBe(count), { timeout: 5000 })
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)))

beforeEach(() => {
  kept = memoryStore()
  api = startUserApi(userForTests())
})
afterEach(() => {
  stop()
  stopUserApi()
})

test('R75: a change is kept under its key until the server has answered it', async () => {
  open('mine')
  star('1')
  await asked(1)
  await keptCount(1)
  expect([...kept.values.keys()]).toEqual([api.patches[0]!.key])
  api.patches[0]!.accept()
  await keptCount(0)
})

test('what a closed tab has left behind is sent in its order, under the keys it had', async () => {
  kept.values.set('key-b', left('1', 1, { variables: { bookmark_action: { action: 'remove', project_id: '1' } } }))
  kept.values.set('key-a', left('1', 0))
  open('mine')
  await asked(1)
  expect(api.patches[0]).toMatchObject({ key: 'key-a', patch: { bookmark_action: { action: 'add' } } })
  api.patches[0]!.accept()
  await asked(2)
  expect(api.patches[1]).toMatchObject({ key: 'key-b', patch: { bookmark_action: { action: 'remove' } } })
  api.patches[1]!.refuse(400)
  await keptCount(0)
})

test('what another open tab is sending is left to it', async () => {
  kept.values.set('key-a', left('1', 0, { tab: 'other' }))
  kept.values.set('key-b', left('2', 1))
  open('mine', ['other'])
  await asked(1)
  await settle()
  expect(api.patches.map(({ key }) => key)).toEqual(['key-b'])
  expect(kept.values.has('key-a')).toBe(true)
})

test('R74: what somebody else left, and what is older than a week, is never sent and goes', async () => {
  kept.values.set('key-a', left('1', 0, { owner: '2/99' }))
  kept.values.set('key-b', left('2', 1, { madeAtMs: Date.now() - 8 * 24 * 60 * 60_000 }))
  open('mine')
  await keptCount(0)
  await settle()
  expect(api.patches).toHaveLength(0)
})

test('logging out ends what waits; a session that the server ended leaves it to the same person', async () => {
  open('mine')
  star('1')
  await asked(1)
  await keptCount(1)
  const { key } = api.patches[0]!
  endSession('dead')
  api.patches[0]!.lose()
  await settle()
  expect(kept.values.size).toBe(1)
  startSession(sessionForTests('1', 2))
  await asked(2)
  expect(api.patches[1]!.key).toBe(key)
  endSession('logout')
  await keptCount(0)
})
