import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Keyword, Organisation } from '#contract/account/organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { getWordsByList, type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

onEachEngineInTurn('changing lists', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let start: Organisation
  let camera: Keyword
  let screen: Keyword

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await world.clear()
    start = await world.changed(user, 'POST', '', {
      include_keywords: [{ word: 'กล้อง', group: 'ภาพ' }, { word: 'จอภาพ' }],
      exclude_keywords: [{ word: 'ซ่อม' }],
      deptsub_include_keywords: [{ word: 'สำนักการโยธา' }],
    })
    ;[camera, screen] = start.include as [Keyword, Keyword]
    await db.script('delete from jobs; delete from audit_events')
  })

  const patch = (body: object) => world.changed(user, 'PATCH', '', body)
  const refused = async (body: object) => {
    const before = await world.organisation(user)
    const errors = await world.refused(user, 'PATCH', '', body)
    expect(await world.organisation(user)).toEqual(before)
    expect(await world.scopes()).toEqual([])
    return errors
  }

  test('changes the text of a word, keeps id, author and position, and rematches both texts', async () => {
    const after = await patch({ include_keywords: [{ id: camera.id, word: ' กล้องวงจรปิด ' }] })
    expect(after).toEqual({ ...start, include: [{ ...camera, word: 'กล้องวงจรปิด' }, screen] })
    expect(await world.scopes()).toEqual([{ expressions: ['กล้อง', 'กล้องวงจรปิด'], terms: [], units: [] }])
    const [row] = await db.query<{ detail: unknown }>(sql`select detail from audit_events`)
    expect(row!.detail).toMatchObject({
      did: 'change',
      before: [{ id: camera.id, word: 'กล้อง' }],
      after: [{ id: camera.id, word: 'กล้องวงจรปิด' }],
    })
  })

  test('leaves unnamed words alone, and can swap two words', async () => {
    const after = await patch({
      include_keywords: [
        { id: camera.id, word: 'จอภาพ' },
        { id: screen.id, word: 'กล้อง' },
      ],
    })
    expect(getWordsByList(after)).toEqual({ ...getWordsByList(start), include: ['จอภาพ', 'กล้อง'] })
  })

  test('moves a word between groups without rematching, creates groups and deletes empty ones', async () => {
    const group = start.keyword_groups[0]!.id
    const both = await patch({ include_keywords: [{ id: screen.id, group_id: group }] })
    expect(both.include.map(({ group_id }) => group_id)).toEqual([group, group])
    const none = await patch({
      include_keywords: [
        { id: screen.id, group_id: null },
        { id: camera.id, word: 'กล้อง', group_id: null },
      ],
    })
    expect([none.include.map(({ group_id }) => group_id), none.keyword_groups]).toEqual([[null, null], []])
    const made = await patch({ exclude_keywords: [{ id: start.exclude[0]!.id, group: 'งานซ่อม' }] })
    expect(made.keyword_groups).toEqual([{ id: made.exclude[0]!.group_id, name: 'งานซ่อม' }])
    expect(await world.scopes()).toEqual([])
  })

  test('refuses by line a deleted or repeated word or one of another list, and stores nothing', async () => {
    await world.changed(user, 'DELETE', '', { include_keywords: [{ id: camera.id }] })
    await db.script('delete from jobs')
    const { lines } = await refused({
      include_keywords: [
        { id: screen.id, word: 'โดรน' },
        { id: camera.id, word: 'กล้องถ่ายภาพ' },
        { id: start.exclude[0]!.id, word: 'เช่า' },
        { id: screen.id, word: 'จอ' },
        { id: 2 ** 40, group_id: null },
      ],
    })
    expect(lines.map(({ index, code, message }) => [index, code, message])).toEqual([
      [1, 'gone', 'คำนี้ถูกลบไปแล้ว'],
      [2, 'gone', 'คำนี้ถูกลบไปแล้ว'],
      [3, 'repeated', expect.any(String)],
      [4, 'gone', 'คำนี้ถูกลบไปแล้ว'],
    ])
  })

  test('validates a changed text like a new word, and not an unchanged one', async () => {
    const { lines } = await refused({
      include_keywords: [
        { id: camera.id, word: 'จ้าง' },
        { id: screen.id, word: '((' },
      ],
      deptsub_include_keywords: [{ id: start.deptsub_include[0]!.id, word: 'กองที่ไม่มี' }],
    })
    expect(lines.map(({ code }) => code)).toEqual(['blacklisted', 'E_BRACKET', 'unknown_department'])
    expect((await refused({ include_keywords: [{ id: camera.id, word: 'จอ ภาพ' }] })).lines).toMatchObject([
      { code: 'duplicate' },
    ])
    expect((await refused({ include_keywords: [{ id: camera.id, group_id: 9_999 }] })).lines).toMatchObject([
      { code: 'unknown_group', word: 'กล้อง' },
    ])
    await db.execute(sql`insert into keyword_blacklist (word_key, word) values ('จอภาพ', 'จอภาพ')`)
    const moved = await patch({ include_keywords: [{ id: screen.id, word: 'จอภาพ', group: 'ภาพ' }] })
    expect(moved.include[1]!.group_id).toBe(start.keyword_groups[0]!.id)
    await db.execute(sql`delete from keyword_blacklist where word_key = 'จอภาพ'`)
  })

  test('renames and swaps groups; refuses a duplicate name or a deleted group', async () => {
    const two = await patch({ exclude_keywords: [{ id: start.exclude[0]!.id, group: 'งานซ่อม' }] })
    const [first, second] = two.keyword_groups as [{ id: number; name: string }, { id: number; name: string }]
    expect((await refused({ keyword_groups: [{ id: first.id, name: 'งาน ซ่อม' }] })).errors).toEqual({
      keyword_groups: expect.stringContaining('มีกลุ่มชื่อ'),
    })
    expect((await refused({ keyword_groups: [{ id: 9_999, name: 'ใหม่' }] })).errors).toEqual({
      keyword_groups: expect.stringContaining('ไม่พบกลุ่มนี้'),
    })
    const swapped = await patch({
      keyword_groups: [
        { id: first.id, name: second.name },
        { id: second.id, name: ` ${first.name} ` },
      ],
    })
    expect(swapped.keyword_groups).toEqual([
      { id: first.id, name: second.name },
      { id: second.id, name: first.name },
    ])
  })

  test('a changed switch rematches everything, an unchanged one nothing; all three off is refused', async () => {
    const after = await patch({ search_by_ai: true, search_by_name: true })
    expect(after.customer_config).toEqual({ ...start.customer_config, search_by_ai: true })
    expect(await world.scopes()).toEqual([{ all: true }])
    expect(await db.query(sql`select detail from audit_events`)).toMatchObject([
      { detail: { switchesBefore: { search_by_ai: false }, switchesAfter: { search_by_ai: true } } },
    ])
    await patch({ search_by_ai: true })
    expect(await world.scopes()).toHaveLength(1)
    await db.script('delete from jobs')
    const { errors } = await refused({ search_by_ai: false, search_by_name: false, search_by_deptsub: false })
    expect(errors.search_by_name).toContain('ปิดทั้งสามช่องทางพร้อมกันไม่ได้')
  })

  test('C25: set-up ends once, only by true, and with something to watch', async () => {
    const done = { update_register_status: { is_watchlist_completed: true } }
    await world.clear()
    await db.execute(sql`update organisations set is_watchlist_completed = false where code = 'tharamek'`)
    expect((await refused(done)).errors).toEqual({ update_register_status: expect.stringContaining('อย่างน้อย 1') })
    await world.changed(user, 'POST', '', { exclude_keywords: [{ word: 'ซ่อม' }] })
    await db.script('delete from jobs')
    await refused(done)
    await world.changed(user, 'POST', '', { deptsub_include_keywords: [{ word: 'สำนักการโยธา' }] })
    expect((await patch(done)).register_status.is_watchlist_completed).toBe(true)
    expect((await patch(done)).register_status.is_watchlist_completed).toBe(true)
    for (const status of [{ is_watchlist_completed: false }, { is_register_completed: true }, true])
      expect((await world.send(user, 'PATCH', '', { update_register_status: status })).status).toBe(400)
    const both = { update_register_status: { is_watchlist_completed: true, is_register_completed: false } }
    expect((await patch(both)).register_status).toEqual({ is_register_completed: true, is_watchlist_completed: true })
  })

  test('changes no other field of the organisation', async () => {
    const after = await patch({
      name: 'x',
      code: 'x',
      customer_use_package: 'x',
      customer_config: { limit_include_by_name: 9_999 },
      is_company_compare: false,
    })
    expect(after).toEqual(start)
    await patch({ include_keywords: [{ id: camera.id, approved: false, added_at: 'x' }] })
    expect(await world.organisation(user)).toEqual(start)
  })

  test('a corrected AI word keeps its ticks and added terms where they still apply', async () => {
    const added = await world.changed(user, 'POST', '', { ai_include_keywords: [{ word: 'กล้องวงจรปิด' }] })
    const { id } = added.ai_include[0]!
    const path = `/keywords/${id}/terms`
    const { body } = await world.send(user, 'PATCH', path, { reject: ['cctv'], add: ['ตาวิเศษ'] })
    expect(body.terms).toContainEqual(expect.objectContaining({ term: 'cctv', state: 'rejected' }))
    await patch({ ai_include_keywords: [{ id, word: 'กล้องโทรทัศน์วงจรปิด' }] })
    const terms = await db.query<{ term: string; state: string; source: string }>(
      sql`select term, state, source from keyword_terms where keyword_id = ${id}::int order by position`,
    )
    expect(terms[0]).toEqual({ term: 'กล้องโทรทัศน์วงจรปิด', state: 'auto', source: 'literal' })
    expect(terms).toContainEqual({ term: 'ตาวิเศษ', state: 'approved', source: 'user' })
    expect(terms.find(({ term }) => term === 'cctv')?.state).toBe('rejected')
  })
})
