import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startUserApi, stopUserApi, userForTests } from './user-api-for-tests.ts'
import { type PatchNews, patchUser, whenPatchesCanShow, whenPatchHasNews } from './user-patches.ts'

const ENGINE = './run-user-patch.ts'
const news: PatchNews[] = []
let api: ReturnType<typeof startUserApi>
beforeEach(() => {
  api = startUserApi(userForTests(), true)
  whenPatchHasNews((one) => news.push(one))
})
afterEach(() => {
  vi.doUnmock(ENGINE)
  stopUserApi()
})

test('code that does not load is a failure like any other: said, and tried again on request', async () => {
  // The file does not arrive.
  vi.doMock(ENGINE, () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  })
  await whenPatchesCanShow()
  expect(await patchUser({ is_noti_e_bidding: true }, { failed: 'บันทึกไม่สำเร็จ', done: 'บันทึกแล้ว' })).toBe(false)
  expect(news).toMatchObject([{ kind: 'failed', text: 'บันทึกไม่สำเร็จ' }])
  expect(api.patches).toEqual([])

  vi.doUnmock(ENGINE)
  if (news[0]?.kind === 'failed') news[0].retry()
  await vi.waitFor(() => expect(api.user.is_noti_e_bidding).toBe(true))
})
