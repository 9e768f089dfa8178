import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getCurrentUser } from '#src/account/api/users.ts'
import type { OfflineStore } from '#src/api/offline/offline-store.ts'
import { listQueuedMutations } from '#src/api/optimistic-changes.ts'
import { endSession, getSessionOwner, startSession } from '#src/lib/session-store.ts'
import {
  buildTestSession,
  buildTestUser,
  startFakeUserApi,
  stopFakeUserApi,
} from '#src/report/api/user-api-for-tests.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import { describeQueuedChange } from './installed-app-host.tsx'
import { startPersistingQueuedChanges } from './start-persisting-queued-changes.ts'

function memoryStore() {
  const values = new Map<string, unknown>()
  const store: OfflineStore = {
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

const OWNER = getSessionOwner(buildTestSession('1'))!
const left = (project: string, position: number, change: object = {}) => ({
  ...{
    owner: OWNER,
    tab: 'closed',
    name: 'user',
    failed: 'ติดดาวไม่สำเร็จ',
    madeAtMs: Date.now() - 1000,
    place: position,
  },
  variables: { bookmark_action: { action: 'add', project_id: project } },
  ...change,
})
const star = (id: string, action: 'add' | 'remove' = 'add') =>
  void patchUser({ bookmark_action: { action, project_id: id } }, { failed: 'ติดดาวไม่สำเร็จ' })

let memory: ReturnType<typeof memoryStore>
let api: ReturnType<typeof startFakeUserApi>
let stop = () => {}
const open = (tab: string, otherTabs: readonly string[] = []) => {
  stop = startPersistingQueuedChanges({ store: memory.store, tab, openTabs: async () => new Set([tab, ...otherTabs]) })
}
const waitForPatches = (count: number) => vi.waitFor(() => expect(api.patches).toHaveLength(count), { timeout: 5000 })
const waitForStored = (count: number) => vi.waitFor(() => expect(memory.values.size).toBe(count), { timeout: 5000 })
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve)))

beforeEach(() => {
  memory = memoryStore()
  api = startFakeUserApi(buildTestUser())
})
afterEach(() => {
  stop()
  stopFakeUserApi()
})

test('R75: stores a change under its key until the server has answered', async () => {
  open('mine')
  star('1')
  await waitForPatches(1)
  await waitForStored(1)
  expect([...memory.values.keys()]).toEqual([api.patches[0]!.key])
  api.patches[0]!.accept()
  await waitForStored(0)
})

test('sends changes left by a closed tab in order, under their keys', async () => {
  memory.values.set('key-b', left('1', 1, { variables: { bookmark_action: { action: 'remove', project_id: '1' } } }))
  memory.values.set('key-a', left('1', 0))
  open('mine')
  await waitForPatches(1)
  expect(api.patches[0]).toMatchObject({ key: 'key-a', patch: { bookmark_action: { action: 'add' } } })
  api.patches[0]!.accept()
  await waitForPatches(2)
  expect(api.patches[1]).toMatchObject({ key: 'key-b', patch: { bookmark_action: { action: 'remove' } } })
  api.patches[1]!.refuse(400)
  await waitForStored(0)
})

test('shows changes left by a closed tab, and resends them while the server is unreachable', async () => {
  memory.values.set('key-a', left('1', 0))
  open('mine')
  await waitForPatches(1)
  api.patches[0]!.lose()
  await settle()
  expect(getCurrentUser()?.project_bookmark).toEqual(['1'])
  expect(listQueuedMutations().map(describeQueuedChange)).toEqual(['ติดดาว · 1'])
  expect(memory.values.get('key-a')).toMatchObject({ tab: 'mine' })
  await waitForPatches(2)
  expect(api.patches[1]!.key).toBe('key-a')
  api.patches[1]!.accept()
  await waitForStored(0)
  expect(getCurrentUser()?.project_bookmark).toEqual(['1'])
})

test('leaves changes to another open tab that is sending them', async () => {
  memory.values.set('key-a', left('1', 0, { tab: 'other' }))
  memory.values.set('key-b', left('2', 1))
  open('mine', ['other'])
  await waitForPatches(1)
  await settle()
  expect(api.patches.map(({ key }) => key)).toEqual(['key-b'])
  expect(memory.values.has('key-a')).toBe(true)
})

test('R74: deletes changes of another user or older than a week without sending them', async () => {
  memory.values.set('key-a', left('1', 0, { owner: '2/99' }))
  memory.values.set('key-b', left('2', 1, { madeAtMs: Date.now() - 8 * 24 * 60 * 60_000 }))
  open('mine')
  await waitForStored(0)
  await settle()
  expect(api.patches).toHaveLength(0)
})

test('drops waiting changes on logout, and keeps them for the same user after a dead session', async () => {
  open('mine')
  star('1')
  await waitForPatches(1)
  await waitForStored(1)
  const { key } = api.patches[0]!
  endSession('dead')
  api.patches[0]!.lose()
  await settle()
  expect(memory.values.size).toBe(1)
  startSession(buildTestSession('1', 2))
  await waitForPatches(2)
  expect(api.patches[1]!.key).toBe(key)
  endSession('logout')
  await waitForStored(0)
})
