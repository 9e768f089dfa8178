import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const [P1, P2, P3] = [projectId(1), projectId(2), projectId(3)]

onEachEngineInTurn('labels', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1_300 })
    manager = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await db.script('delete from labels; update users set max_labels = 20')
    await label({ action: 'create_label', label_id: 'a', label_name: 'เตรียมยื่น', label_color: 'sky' })
    await label({ action: 'create_label', label_id: 'b', label_name: 'รอราคา', label_color: 'amber' })
  })

  const label = (label_action: object) => world.patched(manager, { label_action })
  const refusal = async (label_action: object) => {
    const before = await world.me(manager)
    const { status, body } = await world.patch(manager, { label_action })
    expect(await world.me(manager)).toEqual(before)
    return [status, (body.label_action as string[] | undefined)?.[0]]
  }
  const create = (id: string, name: string, more: object = {}) => ({
    action: 'create_label',
    label_id: id,
    label_name: name,
    label_color: 'rose',
    ...more,
  })

  test('create_label appends the label, trims its name and assigns it to the named projects', async () => {
    const after = await label(create('c', '  ไม่เข้าเกณฑ์ ', { project_ids: [P2, P1] }))
    expect(after.project_labels.map(({ id, name, color }) => [id, name, color])).toEqual([
      ['a', 'เตรียมยื่น', 'sky'],
      ['b', 'รอราคา', 'amber'],
      ['c', 'ไม่เข้าเกณฑ์', 'rose'],
    ])
    expect(after.project_label_assignments).toEqual({ [P1]: ['c'], [P2]: ['c'] })
    expect(after.label_metadata).toEqual({ maxLabels: 20, currentCount: 3, canCreateMore: true, remainingSlots: 17 })
  })

  test('R46: repeating create_label only adds its projects; another name for the same id is refused', async () => {
    await label(create('c', 'ใหม่', { project_id: P1 }))
    const again = await label(create('c', 'ใหม่', { project_id: P2, label_color: 'teal' }))
    expect(again.project_labels).toHaveLength(3)
    expect(again.project_labels[2]!.color).toBe('rose')
    expect(again.project_label_assignments).toEqual({ [P1]: ['c'], [P2]: ['c'] })
    expect(await refusal(create('c', 'อื่น'))).toEqual([400, expect.stringContaining('ชื่ออื่น')])
  })

  test.each(['เตรียมยื่น', ' เตรียมยื่น ', 'เตรียม​ยื่น'])('a second label called %j is refused', async (name) => {
    expect(await refusal(create('c', name))).toEqual([400, expect.stringContaining('แล้ว')])
    expect(await refusal({ action: 'rename_label', label_id: 'b', label_name: name })).toEqual([
      400,
      expect.stringContaining('แล้ว'),
    ])
  })

  test.each([
    create('a b', 'x'),
    create('<x>', 'x'),
    create('x'.repeat(121), 'x'),
    create('c', '   '),
    create('c', 'ก'.repeat(41)),
    create('c', 'x', { label_color: 'red; background: url(x)' }),
    create('c', 'x', { project_ids: ['../1'] }),
    { action: 'explode_label', label_id: 'a' },
    { action: 'assign_label', label_id: 'a' },
    { action: 'unassign_label', label_id: 'a', project_ids: [] },
    { action: 'remove_assignment' },
    { action: 'assign_label', label_id: 'a', project_ids: [P1, '1'] },
  ])('%o is refused', async (action) => {
    expect((await refusal(action))[0]).toBe(400)
  })

  test('R45: of 20 parallel creates with one slot left exactly one succeeds; the rest report none left', async () => {
    await db.execute(sql`update users set max_labels = 3`)
    for (let round = 0; round < 5; round += 1) {
      await db.execute(sql`delete from labels where id like 'n%'`)
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => world.patch(manager, { label_action: create(`n${i}`, `ป้าย ${i}`) })),
      )
      const refused = answers.filter(({ status }) => status === 400)
      expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([1, 19])
      for (const { body } of refused)
        expect(body.non_field_errors).toEqual([expect.stringMatching(/^(?=.*3 ป้าย).*อีก 0 ป้าย/)])
      expect((await world.me(manager)).label_metadata).toMatchObject({ currentCount: 3, canCreateMore: false })
    }
  })

  test('labels can be assigned, unassigned, cleared and deleted with assignments, even the last (R44)', async () => {
    await label({ action: 'assign_label', label_id: 'b', project_ids: [P1, P2] })
    await label({ action: 'assign_label', label_id: 'a', project_id: P1 })
    expect((await world.me(manager)).project_label_assignments).toEqual({ [P1]: ['b', 'a'], [P2]: ['b'] })
    await label({ action: 'unassign_label', label_id: 'b', project_id: P1 })
    expect((await world.me(manager)).project_label_assignments).toEqual({ [P1]: ['a'], [P2]: ['b'] })
    await label({ action: 'remove_assignment', project_ids: [P1, '99'] })
    expect((await world.me(manager)).project_label_assignments).toEqual({ [P2]: ['b'] })
    const after = await label({ action: 'delete_label', label_id: 'b' })
    expect([after.project_labels.map(({ id }) => id), after.project_label_assignments]).toEqual([['a'], {}])
    expect((await label({ action: 'delete_label', label_id: 'a' })).project_labels).toEqual([])
  })

  test('a missing label can be deleted and unassigned again, but not assigned, renamed or recoloured', async () => {
    await label({ action: 'delete_label', label_id: 'gone' })
    await label({ action: 'unassign_label', label_id: 'gone', project_id: P1 })
    for (const action of [
      { action: 'assign_label', label_id: 'gone', project_id: P1 },
      { action: 'rename_label', label_id: 'gone', label_name: 'x' },
      { action: 'recolor_label', label_id: 'gone', label_color: 'sky' },
    ])
      expect(await refusal(action)).toEqual([400, expect.stringContaining('ไม่พบป้ายกำกับ')])
  })

  test('rename and recolour change only name or colour; renaming to the current name is allowed', async () => {
    await label({ action: 'rename_label', label_id: 'a', label_name: 'ยื่นแล้ว' })
    await label({ action: 'rename_label', label_id: 'a', label_name: 'ยื่นแล้ว' })
    const after = await label({ action: 'recolor_label', label_id: 'a', label_color: 'slate' })
    expect(after.project_labels[0]).toEqual({ id: 'a', name: 'ยื่นแล้ว', color: 'slate' })
  })

  test('project_label_assignments without an action sets exactly the named projects', async () => {
    await label({ action: 'assign_label', label_id: 'a', project_ids: [P1, P2] })
    const set = (project_label_assignments: object) => world.patch(manager, { project_label_assignments })
    expect((await set({ [P1]: ['b', 'a', 'b'], [P3]: ['b'] })).status).toBe(200)
    expect((await world.me(manager)).project_label_assignments).toEqual({ [P1]: ['b', 'a'], [P2]: ['a'], [P3]: ['b'] })
    expect((await set({ [P1]: [] })).status).toBe(200)
    for (const bad of [
      { [P2]: [], [P3]: ['gone'] },
      { [P2]: [], '99': ['a'] },
    ]) {
      const { status, body } = await set(bad)
      expect([status, body]).toEqual([
        400,
        expect.objectContaining({ project_label_assignments: [expect.any(String)] }),
      ])
    }
    expect((await world.me(manager)).project_label_assignments).toEqual({ [P2]: ['a'], [P3]: ['b'] })
  })

  test('deleting a label on 1,300 projects can be undone', async () => {
    const all = Array.from({ length: 1_300 }, (_, i) => projectId(i + 1))
    await label({ action: 'assign_label', label_id: 'a', project_ids: all.slice(0, 1_000) })
    await label({ action: 'assign_label', label_id: 'a', project_ids: all.slice(1_000) })
    await label({ action: 'delete_label', label_id: 'a' })
    const back = await label({ ...create('a', 'เตรียมยื่น'), project_ids: all })
    expect(Object.keys(back.project_label_assignments)).toHaveLength(1_300)
  })
})
