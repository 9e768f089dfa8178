import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, type UserWorld } from '../../../test/world/user-world.ts'

const DATA = {
  filter: { status: ['in_progress'], budget: [1_000_000, null] },
  search: [{ key: 'project_name__in', value: 'กล้อง', negation: false }],
}

onEachEngineInTurn('saved filters', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let manager: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1 })
    manager = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await db.script('delete from saved_filters')
    await save(add('a', 'CCTV ภาคกลาง'))
  })

  const add = (id: string, name: string, more: object = {}) => ({
    action: 'add',
    filter_id: id,
    filterName: name,
    filterData: DATA,
    ...more,
  })
  const save = async (filter_action: object) =>
    (await world.patched(manager, { filter_action })).project_save_filter_profile
  const refusal = async (filter_action: object, more: object = {}) => {
    const before = await world.me(manager)
    const { status, body } = await world.patch(manager, { filter_action, ...more })
    expect(await world.me(manager)).toEqual(before)
    return [status, (body.filter_action as string[] | undefined)?.[0]]
  }

  test('add appends a filter, without mail unless requested', async () => {
    await save(add('b', ' ยื่นภายใน 7 วัน ', { is_send: true }))
    expect(await save(add('c', 'c'))).toEqual([
      { id: 'a', filterName: 'CCTV ภาคกลาง', isSend: false, isStart: false, filterData: DATA },
      { id: 'b', filterName: 'ยื่นภายใน 7 วัน', isSend: true, isStart: false, filterData: DATA },
      { id: 'c', filterName: 'c', isSend: false, isStart: false, filterData: DATA },
    ])
  })

  test('takes the content from the list’s item too; refuses a filter without content', async () => {
    const { filterData: _, ...bare } = add('b', 'b')
    const otherFilterData = { filter: { bookmark: true }, search: [] }
    const list = [
      { id: 'a', filterData: DATA },
      { id: 'b', name: 'x', filterData: otherFilterData },
    ]
    expect((await refusal(bare))[0]).toBe(400)
    expect((await refusal(bare, { project_save_filter_profile: list.slice(0, 1) }))[0]).toBe(400)
    const after = await world.patched(manager, { filter_action: bare, project_save_filter_profile: list })
    expect(after.project_save_filter_profile.map(({ id, filterData }) => [id, filterData])).toEqual([
      ['a', DATA],
      ['b', otherFilterData],
    ])
  })

  test('R46: repeating id, name and content is a no-op; other content or another name is refused', async () => {
    const turned = { search: DATA.search, filter: { budget: DATA.filter.budget, status: DATA.filter.status } }
    expect(await save(add('a', 'CCTV ภาคกลาง', { filterData: turned }))).toHaveLength(1)
    expect((await refusal(add('a', 'อื่น')))[0]).toBe(400)
    expect((await refusal(add('a', 'CCTV ภาคกลาง', { filterData: { filter: {}, search: [] } })))[0]).toBe(400)
    expect(await refusal(add('b', 'CCTV  ภาคกลาง '))).toEqual([400, expect.stringContaining('แล้ว')])
  })

  test('R45: of 40 parallel saves as many succeed as the limit has room for', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => world.patch(manager, { filter_action: add(`n${i}`, `ตัวกรอง ${i}`) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_SAVED_FILTERS - 1)
    const messages = answers.find(({ status }) => status === 400)!.body.filter_action
    expect(messages).toEqual([expect.stringMatching(/^(?=.*30 รายการ).*อีก 0 รายการ/)])
    expect((await world.me(manager)).project_save_filter_profile).toHaveLength(MAX_SAVED_FILTERS)
  })

  test('rename, update and email_toggle change one field each; the toggle sets the given value or flips', async () => {
    const otherFilterData = { filter: { bookmark: true }, search: [] }
    await save({ action: 'rename', filter_id: 'a', filterName: 'ใหม่' })
    await save({ action: 'update', filter_id: 'a', filterData: otherFilterData })
    const switched: boolean[] = []
    for (const wish of [undefined, true, true, false, undefined, undefined]) {
      const [filter] = await save({
        action: 'email_toggle',
        filter_id: 'a',
        ...(wish === undefined ? {} : { is_send: wish }),
      })
      expect(filter).toMatchObject({ filterName: 'ใหม่', filterData: otherFilterData })
      switched.push(filter!.isSend)
    }
    expect(switched).toEqual([true, true, true, false, true, false])
  })

  test('there is at most one start view: setting one clears the other, and a restored filter regains it', async () => {
    const starts = async (filter_action: object) =>
      (await save(filter_action)).filter(({ isStart }) => isStart).map(({ id }) => id)
    await save(add('b', 'b'))
    expect(await starts({ action: 'start', filter_id: 'a', is_start: true })).toEqual(['a'])
    expect(await starts({ action: 'start', filter_id: 'b', is_start: true })).toEqual(['b'])
    expect(await starts({ action: 'start', filter_id: 'a', is_start: false })).toEqual(['b'])
    expect(await starts({ action: 'remove', filter_id: 'b' })).toEqual([])
    expect(await starts(add('b', 'b', { is_start: true }))).toEqual(['b'])
    expect(await starts(add('c', 'c', { is_start: true }))).toEqual(['b'])
    expect((await refusal({ action: 'start', filter_id: 'gone', is_start: true }))[0]).toBe(400)
  })

  test('R44: the last filter can be removed, even twice; other actions on it are refused', async () => {
    expect(await save({ action: 'remove', filter_id: 'a' })).toEqual([])
    expect(await save({ action: 'remove', filter_id: 'a' })).toEqual([])
    for (const action of [
      { action: 'rename', filter_id: 'a', filterName: 'x' },
      { action: 'update', filter_id: 'a', filterData: DATA },
      { action: 'email_toggle', filter_id: 'a' },
    ])
      expect(await refusal(action)).toEqual([400, expect.stringContaining('ไม่พบตัวกรอง')])
  })

  test.each([
    [{ filter: { provinces: { central: ['กรุงเทพ'] } }, search: [] }, 'จังหวัดของโครงการ'],
    [{ filter: { budget: [5, 1] }, search: [] }, 'งบประมาณ'],
    [{ filter: { submissionEndedDate: ['2569-01-01', null] }, search: [] }, 'วันสิ้นสุดยื่นข้อเสนอ'],
    [
      { filter: {}, search: [{ key: 'project_name__in', value: '(กล้อง', negation: false, isIgnoreEncode: true }] },
      'ชื่อโครงการ',
    ],
  ])('refuses unreadable content by the name of its filter: %j', async (filterData, name) => {
    expect(await refusal(add('b', 'b', { filterData }))).toEqual([400, expect.stringContaining(name)])
    expect(await refusal({ action: 'update', filter_id: 'a', filterData })).toEqual([
      400,
      expect.stringContaining(name),
    ])
  })

  test('omits a stored filter that this version cannot read, and still answers', async () => {
    await db.script(
      `insert into saved_filters (user_id, id, name, filter_data) select id, 'old', 'old', '{"text":1}' from users`,
    )
    expect((await world.me(manager)).project_save_filter_profile.map(({ id }) => id)).toEqual(['a'])
    expect(await save({ action: 'remove', filter_id: 'old' })).toHaveLength(1)
  })

  test('refuses content that is not a filter or too long', async () => {
    const long = { filter: { movement: Array.from({ length: 190 }, (_, i) => `${i}${'ก'.repeat(190)}`) }, search: [] }
    expect((await save(add('b', 'b', { filterData: long })))[1]!.filterData).toEqual(long)
    const longer = { ...long, search: Array(3_000).fill({ key: 'x', value: '', negation: false }) }
    expect((await refusal(add('c', 'c', { filterData: longer })))[0]).toBe(400)
    expect((await refusal(add('c', 'c', { filterData: { text: 'x' } })))[0]).toBe(400)
  })
})
