import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

const words = (...listed: string[]) => listed.map((word) => ({ word }))

onEachEngine('too broad words', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.clear())
  beforeEach(() => db.script('delete from projects'))

  const add = (body: object) => world.changed(user, 'POST', '', body)

  test('an include word in over 5 % of 500 recent projects awaits approval; an exclusion works at once', async () => {
    await fakeProjects(db, { camera: 26, unrelated: 474, on: '2026-11-10' })
    const check = await world.send(user, 'POST', '/keywords/check', {
      include_keywords: words('โดรน', 'กล้อง', 'ก'),
      exclude_keywords: words('กล้อง'),
    })
    expect(check.body).toMatchObject({
      lines: [{ list: 'include', index: 2, code: 'E_SHORT' }],
      waiting: [{ list: 'include', index: 1, word: 'กล้อง', code: 'too_broad', message: expect.stringContaining('5%') }],
    })
    const after = await add({ include_keywords: words('กล้อง', 'โดรน'), exclude_keywords: words('ถนน') })
    expect(after.include.map(({ word, approved }) => [word, approved])).toEqual([
      ['กล้อง', false],
      ['โดรน', true],
    ])
    expect(after.exclude[0]!.approved).toBe(true)
    expect(await world.scopes()).toEqual([{ expressions: ['โดรน', 'ถนน'], terms: [], units: [] }])
  })

  test('does not wait at exactly 5 %, below 500 projects or for movements older than 30 days', async () => {
    const isApproved = async (word: string) => (await add({ include_keywords: words(word) })).include.at(-1)!.approved
    await fakeProjects(db, { camera: 25, unrelated: 475, on: '2026-10-22' })
    expect(await isApproved('กล้อง')).toBe(true)
    expect(await isApproved('ซ่อมถนน')).toBe(false)
    await db.script(`update projects set movement_on = '2026-10-21' where project_id = '68000000500'`)
    expect(await isApproved('ถนน')).toBe(true)
  })

  test('judges a word as a whole expression, and again after a change', async () => {
    await fakeProjects(db, { camera: 300, unrelated: 300, on: '2026-11-10' })
    const after = await add({ include_keywords: words('กล้อง##ถนน', '<<กล้อง', 'โดรน||กล้อง', 'โดรน') })
    expect(after.include.map(({ approved }) => approved)).toEqual([true, false, false, true])
    const [narrow, , broad] = after.include.map(({ id }) => id)
    const changed = await world.changed(user, 'PATCH', '', {
      include_keywords: [
        { id: narrow, word: 'ถนน' },
        { id: broad, word: 'โดรน##กล้อง' },
      ],
    })
    expect(changed.include.map(({ word, approved }) => [word, approved])).toEqual([
      ['ถนน', false],
      ['<<กล้อง', false],
      ['โดรน##กล้อง', true],
      ['โดรน', true],
    ])
    const grouped = await world.changed(user, 'PATCH', '', { include_keywords: [{ id: narrow, group: 'ถนน' }] })
    expect(grouped.include[0]!.approved).toBe(false)
  })
})

/** Inserts projects of one day; the first `camera` of them have กล้อง in their name. */
async function fakeProjects(
  db: OpenDb,
  { camera, unrelated, on }: { camera: number; unrelated: number; on: string },
): Promise<void> {
  const [load] = await db.query<{ id: number }>(sql`
    insert into loads (source, origin, state, published_at) values ('test', 'test', 'published', now()) returning id`)
  await db.execute(sql`
    insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, movement_on, method, method_type, source,
      first_load, changed_load, written_load)
    select '68' || lpad(n::text, 9, '0'), t.name, t.name, t.name, (select min(id) from departments), 'in_progress', 'invited', ${on}::date,
      'e_bidding', 'buy', 'test', ${load!.id}::bigint, ${load!.id}::bigint, ${load!.id}::bigint
    from generate_series(1, ${camera + unrelated}::int) n
    cross join lateral (select case when n <= ${camera}::int then 'ซื้อกล้อง' else 'ซ่อมถนน' end as name) t`)
}
