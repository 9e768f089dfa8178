import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const [P1, P2, P3] = [projectId(1), projectId(2), projectId(3)]
const DATA = { filter: { bookmark: true }, search: [] }

onEachEngineInTurn('actions as the specification writes them', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn
  const patched = (body: object) => world.patched(manager, body)
  const refusal = async (body: object) => {
    const before = await world.me(manager)
    const { status, body: answer } = await world.patch(manager, body)
    expect(await world.me(manager)).toEqual(before)
    return [status, answer] as const
  }

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db)
    manager = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    for (const table of ['bookmarks', 'labels', 'saved_filters']) await db.script(`delete from ${table}`)
  })

  test('stars and unstars the projects of project_bookmark and leaves other stars', async () => {
    await patched({ bookmark_action: { action: 'add', project_id: P3 } })
    const added = await patched({ bookmark_action: 'add', project_bookmark: [P1, P2] })
    expect(added.project_bookmark.toSorted()).toEqual([P1, P2, P3])
    const removed = await patched({ bookmark_action: 'remove', project_bookmark: [P1] })
    expect(removed.project_bookmark.toSorted()).toEqual([P2, P3])
    expect((await patched({ bookmark_action: 'remove', project_id: P2 })).project_bookmark).toEqual([P3])
  })

  test('creates, assigns, renames, unassigns and deletes a label', async () => {
    const label = { label_id: 'ลูกค้า-1', label_name: ' ลูกค้า ', label_color: 'sky' }
    const created = await patched({ label_action: 'create_label', project_id: P1, ...label })
    expect(created.project_labels).toEqual([{ id: 'ลูกค้า-1', name: 'ลูกค้า', color: 'sky' }])
    expect(created.project_label_assignments).toEqual({ [P1]: ['ลูกค้า-1'] })
    const assigned = await patched({ label_action: 'assign_label', project_id: P2, label_id: 'ลูกค้า-1' })
    expect(assigned.project_label_assignments).toEqual({ [P1]: ['ลูกค้า-1'], [P2]: ['ลูกค้า-1'] })
    const renamed = await patched({ label_action: 'rename_label', label_id: 'ลูกค้า-1', label_name: 'รอราคา' })
    expect(renamed.project_labels[0]!.name).toBe('รอราคา')
    const unassigned = await patched({ label_action: 'remove_assignment', project_id: P1 })
    expect(unassigned.project_label_assignments).toEqual({ [P2]: ['ลูกค้า-1'] })
    expect((await patched({ label_action: 'delete_label', label_id: 'ลูกค้า-1' })).project_labels).toEqual([])
  })

  test('ignores the lists and label_metadata that the client of the specification sends along', async () => {
    const after = await patched({
      label_action: 'create_label',
      ...{ label_id: 'l1', label_name: 'ก', label_color: 'sky' },
      project_labels: [{ id: 'l9', name: 'x', color: 'rose' }],
      label_metadata: { maxLabels: 1, currentCount: 1, canCreateMore: false, remainingSlots: 0 },
    })
    expect(after.project_labels.map(({ id }) => id)).toEqual(['l1'])
  })

  test.each([
    ['fields beside the action', { filter_id: 'f1', filterName: 'ดาว', filterData: DATA }],
    [
      'content in the list',
      { filter_id: 'f1', filterName: 'ดาว', project_save_filter_profile: [{ id: 'f1', filterData: DATA }] },
    ],
    [
      'all of it in the only item',
      { project_save_filter_profile: [{ id: 'f1', filterName: 'ดาว', is_send: false, filterData: DATA }] },
    ],
  ])('saves a filter, turns its mail on and removes it: %s', async (_what, fields) => {
    const [saved] = (await patched({ filter_action: 'add', ...fields })).project_save_filter_profile
    expect(saved).toMatchObject({ id: 'f1', filterName: 'ดาว', isSend: false, filterData: DATA })
    const toggled = await patched({ filter_action: 'email_toggle', filter_id: 'f1', filterName: 'ดาว' })
    expect(toggled.project_save_filter_profile[0]!.isSend).toBe(true)
    expect((await patched({ filter_action: 'remove', filter_id: 'f1' })).project_save_filter_profile).toEqual([])
  })

  test('picks the item of the named filter from a list of several', async () => {
    const list = [
      { id: 'f1', filterName: 'หนึ่ง', filterData: { filter: {}, search: [] } },
      { id: 'f2', filterName: 'สอง', is_send: true, filterData: DATA },
    ]
    const after = await patched({ filter_action: 'add', filter_id: 'f2', project_save_filter_profile: list })
    expect(after.project_save_filter_profile).toEqual([
      expect.objectContaining({ id: 'f2', filterName: 'สอง', isSend: true }),
    ])
  })

  test.each([
    ['bookmark_action', { bookmark_action: 'toggle', project_bookmark: [P1] }],
    ['bookmark_action', { bookmark_action: 'add' }],
    ['bookmark_action', { bookmark_action: 'add', project_bookmark: [] }],
    ['bookmark_action', { bookmark_action: 'add', project_bookmark: ['99'] }],
    ['label_action', { label_action: 'create_label', project_id: P1, label_id: 'l1', label_color: 'sky' }],
    ['label_action', { label_action: 'create_label', label_id: 'l1', label_name: 'ก', label_color: 'no such' }],
    ['label_action', { label_action: 'assign_label', label_id: 'unknown', project_id: P1 }],
    ['label_action', { label_action: '__proto__' }],
    ['filter_action', { filter_action: 'add', filter_id: 'f1', filterName: 'ดาว' }],
    ['filter_action', { filter_action: 'email_toggle', filter_id: 'unknown' }],
  ])('refuses a wrong %s, names it and changes nothing: %j', async (field, body) => {
    expect(await refusal(body)).toEqual([400, expect.objectContaining({ [field]: [expect.any(String)] })])
  })
})
