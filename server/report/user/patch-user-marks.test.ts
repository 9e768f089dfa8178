import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_MARKED_PROJECTS } from '#contract/report/project-targets.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const [P1, P2, P3] = [projectId(1), projectId(2), projectId(3)]
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => projectId(from + i))

onEachEngineInTurn('stars and hidden projects', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn
  let colleague: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: MAX_MARKED_PROJECTS + 10 })
    manager = await signIn(world.app, 'manager@tharamek.example')
    colleague = await signIn(world.app, 'sales@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(() => db.script('delete from bookmarks; delete from hidden_projects'))

  const KINDS = [
    { field: 'bookmark_action', list: 'project_bookmark' },
    { field: 'hide_action', list: 'project_hidden' },
  ] as const

  test.each(KINDS)(
    '$field adds and removes one or several in order, and ignores a list sent along',
    async ({ field, list }) => {
      const after = async (action: object) =>
        (await world.patched(manager, { [field]: action, project_bookmark: [] }))[list]
      expect(await after({ action: 'add', project_ids: [P3, P1], project_id: P2 })).toEqual([P2, P3, P1])
      expect(await after({ action: 'add', project_id: P1 })).toEqual([P2, P3, P1])
      expect(await after({ action: 'remove', project_ids: [P2, P1, projectId(9)] })).toEqual([P3])
      expect((await world.me(colleague))[list]).toEqual([])
    },
  )

  test.each(KINDS)('R44: $field removes the last project', async ({ field, list }) => {
    await world.patched(manager, { [field]: { action: 'add', project_id: P1 } })
    await world.patched(manager, { [field]: { action: 'remove', project_id: P1 } })
    expect((await world.me(manager))[list]).toEqual([])
  })

  test.each(KINDS)(
    '$field refuses unknown or missing projects, with the number of unknown ones',
    async ({ field, list }) => {
      const unknown = await world.patch(manager, { [field]: { action: 'add', project_ids: [P1, '1', '2'] } })
      expect([unknown.status, unknown.body[field]]).toEqual([400, ['ไม่พบ 2 โครงการที่ระบุ']])
      for (const action of [{ action: 'add' }, { action: 'remove', project_ids: [] }]) {
        const nothing = await world.patch(manager, { [field]: action })
        expect([nothing.status, nothing.body[field]]).toEqual([400, [expect.stringContaining('ระบุโครงการ')]])
      }
      expect((await world.patch(manager, { [field]: { action: 'add', project_ids: ids(1, 1_001) } })).status).toBe(400)
      expect((await world.patch(manager, { [field]: { action: 'remove', project_ids: ['1', '2'] } })).status).toBe(200)
      expect((await world.me(manager))[list]).toEqual([])
    },
  )

  test.each(KINDS)(
    '$field enforces the limit and returns how many are left',
    async ({ field, list }) => {
      for (let from = 1; from < MAX_MARKED_PROJECTS; from += 1_000)
        await world.patched(manager, { [field]: { action: 'add', project_ids: ids(from, from + 999) } })
      await world.patched(manager, { [field]: { action: 'remove', project_id: P1 } })
      const over = await world.patch(manager, { [field]: { action: 'add', project_ids: ids(5_001, 5_002) } })
      expect([over.status, over.body[field]]).toEqual([400, [expect.stringMatching(/^(?=.*5,000).*1 โครงการ/)]])
      await world.patched(manager, { [field]: { action: 'add', project_id: projectId(5_001) } })
      expect((await world.patched(manager, { [field]: { action: 'add', project_id: P2 } }))[list]).toHaveLength(
        MAX_MARKED_PROJECTS,
      )
      expect((await world.patch(manager, { [field]: { action: 'add', project_id: P1 } })).status).toBe(400)
    },
    30_000,
  )

  test('project_bookmark without an action replaces the stars, also with an empty list', async () => {
    await world.patched(manager, { bookmark_action: { action: 'add', project_ids: [P1, P2] } })
    expect((await world.patched(manager, { project_bookmark: [P3, P2, P3] })).project_bookmark).toEqual([P3, P2])
    expect((await world.patch(manager, { project_bookmark: [P1, '1'] })).status).toBe(400)
    expect((await world.me(manager)).project_bookmark).toEqual([P3, P2])
    expect((await world.patched(manager, { project_bookmark: [] })).project_bookmark).toEqual([])
  })
})
