import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { getWordsByList, type KeywordWorld, MORNING, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

/** The DELETE call, and its alias for clients behind proxies that drop the body of a DELETE. */
const WAYS = [
  ['DELETE', ''],
  ['POST', '/keywords/remove'],
] as const

onEachEngineInTurn('removing words and taking it back', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let start: Organisation

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    world.clock.now = MORNING
    await world.clear()
    start = await world.changed(user, 'POST', '', {
      include_keywords: [{ word: 'กล้อง', group: 'ภาพ' }, { word: 'จอภาพ' }, { word: '#5' }],
      exclude_keywords: [{ word: 'ซ่อม' }],
      ai_include_keywords: [{ word: 'กล้องวงจรปิด', approve: ['ซีซีทีวีแบบพกพา'] }],
      deptsub_include_keywords: [{ word: 'สำนักการโยธา' }],
    })
    await db.script('delete from jobs; delete from audit_events')
  })

  const remove = (body: object) => world.changed(user, 'DELETE', '', body)
  const restore = (...ids: number[]) => world.changed(user, 'POST', '/keywords/restore', { ids })
  const termsOf = (id: number) =>
    db.query(
      sql`select term, source, state, similarity, facet, title_count from keyword_terms where keyword_id = ${id}::int order by position`,
    )

  test.each(WAYS)('%s %s removes by id, or by word without an id, and rematches affected projects', async (...way) => {
    const after = await world.changed(user, ...way, {
      include_keywords: [{ id: start.include[0]!.id, word: 'whatever', group_id: 4 }, { word: ' จอ ภาพ' }],
      deptsub_include_keywords: [{ id: start.deptsub_include[0]!.id }],
    })
    expect(getWordsByList(after)).toEqual({ include: ['#5'], exclude: ['ซ่อม'], ai_include: ['กล้องวงจรปิด'] })
    expect(after.keyword_groups).toEqual([])
    expect(await world.scopes()).toEqual([{ expressions: ['กล้อง', 'จอภาพ'], terms: [], units: ['สำนักการโยธา'] }])
    const [row] = await db.query<{ detail: unknown }>(sql`select detail from audit_events`)
    expect(row!.detail).toMatchObject({
      did: 'remove',
      before: [{ word: 'กล้อง' }, { word: 'จอภาพ' }, { word: 'สำนักการโยธา' }],
    })
  })

  test.each(WAYS)('C7: %s %s without words deletes nothing and is refused', async (method, path) => {
    for (const body of [
      undefined,
      {},
      { include_keywords: [] },
      { include_keywords: [{}] },
      { include_keywords: [{ group_id: null }] },
      [],
    ])
      expect([body, (await world.send(user, method, path, body)).status]).toEqual([body, 400])
    const { errors, non_field_errors } = await world.refused(user, method, path, { exclude_keywords: [] })
    expect([errors.non_field_errors, non_field_errors[0]]).toEqual(['ยังไม่ได้เลือกคำที่จะลบ', 'ยังไม่ได้เลือกคำที่จะลบ'])
    expect(await world.organisation(user)).toEqual(start)
  })

  test('a word that is gone, unknown or in another list is not an error and removes nothing', async () => {
    const { id } = start.include[0]!
    await remove({ include_keywords: [{ id }] })
    await db.script('delete from jobs')
    const again = await remove({
      include_keywords: [{ id }, { id: 2 ** 40 }, { word: 'ไม่เคยมี' }, { word: `#${start.include[1]!.id}` }],
      exclude_keywords: [{ id: start.include[1]!.id }, { word: 'จอภาพ' }],
    })
    expect(again.include.map(({ word }) => word)).toEqual(['จอภาพ', '#5'])
    expect(await world.scopes()).toEqual([])
  })

  test('restores a deleted word with id, terms, ticks, group, author, date and position', async () => {
    const ids = [start.include[0]!.id, start.ai_include[0]!.id]
    const terms = await termsOf(ids[1]!)
    expect(terms).toContainEqual(expect.objectContaining({ term: 'ซีซีทีวีแบบพกพา', source: 'user', state: 'approved' }))
    await remove({ include_keywords: [{ id: ids[0] }], ai_include_keywords: [{ id: ids[1] }] })
    expect(await termsOf(ids[1]!)).toEqual([])
    await db.script('delete from jobs')
    expect(await restore(...ids)).toEqual(start)
    expect(await termsOf(ids[1]!)).toEqual(terms)
    expect(await world.scopes()).toEqual([
      { expressions: ['กล้อง'], terms: expect.arrayContaining(['กล้องวงจรปิด', 'ซีซีทีวีแบบพกพา']), units: [] },
    ])
    expect(await restore(...ids)).toEqual(start)
    expect(await world.scopes()).toHaveLength(1)
  })

  test('a restored word still awaits approval, and joins its group even when renamed or recreated', async () => {
    const { id } = start.include[0]!
    await db.execute(sql`update keywords set approved = false where id = ${id}::int`)
    await remove({ include_keywords: [{ id }] })
    await world.changed(user, 'PATCH', '', { include_keywords: [{ id: start.include[1]!.id, group: 'ภาพ ' }] })
    const after = await restore(id)
    expect(after.include[0]).toEqual({ ...start.include[0], approved: false, group_id: after.keyword_groups[0]!.id })
    expect(after.keyword_groups).toEqual([{ id: expect.any(Number), name: 'ภาพ' }])
  })

  test('restoring a word that was added again succeeds and keeps it once', async () => {
    const { id } = start.include[1]!
    await remove({ include_keywords: [{ id }] })
    const again = await world.changed(user, 'POST', '', { include_keywords: [{ word: 'จอ ภาพ' }] })
    expect(await restore(id)).toEqual(again)
    expect(await db.query(sql`select from deleted_keywords`)).toEqual([])
  })

  test('enforces limits and then restores nothing', async () => {
    const ids = start.include.map(({ id }) => id)
    await remove({ include_keywords: ids.map((id) => ({ id })) })
    const limit = (max: number) =>
      db.execute(sql`
        update organisations set customer_config = customer_config || ${JSON.stringify({ limit_include_by_name: max })}::jsonb where code = 'tharamek'`)
    await limit(2)
    const { lines, errors } = await world.refused(user, 'POST', '/keywords/restore', { ids })
    expect(lines).toMatchObject([{ list: 'include', index: 2, word: '#5', code: 'limit' }])
    expect(errors.include_keywords).toContain('ไม่เกิน 2 คำ')
    expect((await world.organisation(user)).include).toEqual([])
    await limit(50)
    expect((await restore(...ids)).include).toEqual(start.include)
  })

  test('refuses to restore a word after a day, or a word never deleted', async () => {
    const { id } = start.include[0]!
    await remove({ include_keywords: [{ id }] })
    world.clock.now = new Date(MORNING.getTime() + 24 * 60 * 60_000 + 1_000)
    user = await signIn(world.app, 'manager@tharamek.example')
    for (const ids of [[id], [id + 1_000], [2 ** 40], [-1], [0]]) {
      const { errors } = await world.refused(user, 'POST', '/keywords/restore', { ids })
      expect(errors).toEqual({ ids: expect.stringContaining('กู้คืนคำนี้ไม่ได้แล้ว') })
    }
    for (const body of [{}, { ids: [] }, { ids: ['1'] }, { ids: Array.from({ length: 501 }, (_, i) => i) }])
      expect((await world.send(user, 'POST', '/keywords/restore', body)).status).toBe(400)
    await remove({ include_keywords: [{ id: start.include[1]!.id }] })
    expect(await db.query(sql`select keyword->>'word' as word from deleted_keywords`)).toEqual([{ word: 'จอภาพ' }])
  })
})
