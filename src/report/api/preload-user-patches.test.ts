import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userKeys } from '#src/api/http/keys.ts'
import { getOptimisticQueryData } from '#src/api/optimistic-changes.ts'
import { buildTestUser, startFakeUserApi, stopFakeUserApi } from '#src/report/api/user-api-for-tests.ts'
import { patchUser } from './preload-user-patches.ts'

let api: ReturnType<typeof startFakeUserApi>
beforeEach(() => {
  api = startFakeUserApi(buildTestUser({ project_bookmark: [] }))
})
afterEach(stopFakeUserApi)

const star = (id: string, on = true) =>
  patchUser({ bookmark_action: { action: on ? 'add' : 'remove', project_id: id } }, { failed: 'ติดดาวไม่สำเร็จ' })
const starred = () => getOptimisticQueryData<{ project_bookmark: readonly string[] }>(userKeys.me)?.project_bookmark

test('applies changes made before the module was loaded, in order', async () => {
  void star('1')
  void star('1', false)
  void star('2')
  // The patch code has not loaded yet, so nothing can have been sent.
  expect(api.patches).toHaveLength(0)
  await vi.waitFor(() => expect(api.patches).toHaveLength(2))
  expect(api.patches.map(({ patch }) => patch.bookmark_action)).toEqual([
    { action: 'add', project_id: '1' },
    { action: 'add', project_id: '2' },
  ])
  api.patches[0]!.accept()
  await vi.waitFor(() => expect(api.patches).toHaveLength(3))
  expect(api.patches[2]!.patch.bookmark_action).toEqual({ action: 'remove', project_id: '1' })
  void star('3')
  expect(starred()).toEqual(['2', '3'])
})
