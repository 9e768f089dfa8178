import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

const words = (...listed: string[]) => listed.map((word) => ({ word }))

onEachEngine('words that are too broad', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let who: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    who = await signIn(world.app, 'manager@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.clear())
  beforeEach(() => db.script('delete from projects'))

  const add = (body: object) => world.changed(who, 'POST', '', body)

  test('an include word in more than 5 % of 500 recent projects is kept and waits; an exclusion works at once', async () => {
    await fakeProjects(db, { camera: 26, other: 474, on: '2026-11-10' })
    const check = await world.send(who, 'POST', '/keywords/check', {
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
    // Waiting words affect no project yet.
    expect(await world.scopes()).toEqual([{ expressions: ['โดรน', 'ถนน'], terms: [], units: [] }])
  })

  test('it waits neither at 5 % nor among fewer than 500 projects, nor for what moved longer ago than 30 days', async () => {
    const isApproved = async (word: string) => (await add({ include_keywords: words(word) })).include.at(-1)!.approved
    await fakeProjects(db, { camera: 25, other: 475, on: '2026-10-22' })
    expect(await isApproved('กล้อง')).toBe(true)
    expect(await isApproved('ซ่อมถนน')).toBe(false)
    await db.script(`update projects set movement_on = '2026-10-21' where project_id = '68000000500'`)
    expect(await isApproved('ถนน')).toBe(true)
  })

  test('a word is judged as the expression that it is, and again when it is changed', async () => {
    await fakeProjects(db, { camera: 300, other: 300, on: '2026-11-10' })
    const after = await add({ include_keywords: words('กล้อง##ถนน', '<<กล้อง', 'โดรน||กล้อง', 'โดรน') })
    expect(after.include.map(({ approved }) => approved)).toEqual([true, false, false, true])
    const [narrow, , broad] = after.include.map(({ id }) => id)
    const changed = await world.changed(who, 'PATCH', '', {
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
    const grouped = await world.changed(who, 'PATCH', '', { include_keywords: [{ id: narrow, group: 'ถนน' }] })
    expect(grouped.include[0]!.approved).toBe(false)
  })
})

/** Inserts projects of one day, some of whose names contain `กล้อง`. */
async function fakeProjects(
  db: OpenDb,
  { camera, other, on }: { camera: number; other: number; on: string },
): Promise<void> {
  const [load] = await db.query<{ id: number }>(sql`
    insert into loads (source, origin, state, published_at) values ('test', 'test', 'published', now()) returning id`)
  await db.execute(sql`
    insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, movement_on, method, method_type, source,
      first_load, changed_load, written_load)
    select '68' || lpad(n::text, 9, '0'), t.name, t.name, t.name, (select min(id) from departments), 'in_progress', 'invited', ${on}::date,
      'e_bidding', 'buy', 'test', ${load!.id}::bigint, ${load!.id}::bigint, ${load!.id}::bigint
    from generate_series(1, ${camera + other}::int) n
    cross join lateral (select case when n <= ${camera}::int then 'ซื้อกล้อง' else 'ซ่อมถนน' end as name) t`)
}
