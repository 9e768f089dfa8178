import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

onEachEngineInTurn('two people at once', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let user: SignedIn
  let colleague: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
    user = await signIn(world.app, 'manager@tharamek.example')
    colleague = await signIn(world.app, 'sales@tharamek.example')
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.clear())

  const words = (from: number, to: number) => numbers(to - from).map((n) => ({ word: `คำ ${from + n}` }))
  const limit = (max: number) =>
    db.execute(sql`
      update organisations set customer_config = customer_config || ${JSON.stringify({ limit_include_by_name: max })}::jsonb where code = 'tharamek'`)

  test('concurrent adds, changes, removals and switches all succeed without lost updates', async () => {
    const start = await world.changed(user, 'POST', '', { include_keywords: words(0, 20) })
    const ids = start.include.map(({ id }) => id)
    const answers = await Promise.all([
      ...numbers(5).map((n) => world.send(user, 'POST', '', { include_keywords: words(20 + n * 2, 22 + n * 2) })),
      ...numbers(5).map((n) =>
        world.send(colleague, 'PATCH', '', { include_keywords: [{ id: ids[n], word: `ใหม่ ${n}` }] }),
      ),
      ...numbers(5).map((n) =>
        world.send(colleague, 'PATCH', '', { include_keywords: [{ id: ids[n + 5], group: `กลุ่ม ${n % 2}` }] }),
      ),
      ...numbers(5).map((n) => world.send(user, 'DELETE', '', { include_keywords: [{ id: ids[n + 10] }] })),
      world.send(user, 'PATCH', '', { search_by_ai: true }),
      world.send(colleague, 'PATCH', '', { search_by_deptsub: false }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const after = await world.organisation(user)
    expect(after.include.map(({ word }) => word).slice(0, 15)).toEqual([
      ...numbers(5).map((n) => `ใหม่ ${n}`),
      ...numbers(5).map((n) => `คำ ${n + 5}`),
      ...numbers(5).map((n) => `คำ ${n + 15}`),
    ])
    expect(new Set(after.include.slice(15).map(({ word }) => word))).toEqual(
      new Set(words(20, 30).map(({ word }) => word)),
    )
    expect(after.keyword_groups.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'กลุ่ม 0',
      'กลุ่ม 1',
    ])
    expect(after.include.filter(({ group_id }) => group_id !== null)).toHaveLength(5)
    expect(after.customer_config).toMatchObject({ search_by_ai: true, search_by_deptsub: false, search_by_name: true })
    const [version] = await db.query<{ same: boolean }>(sql`
      select (select count(*) from jobs where kind = 'match') = 1 + 5 + 5 + 5 + 2 as same`)
    expect(version).toEqual({ same: true })
  })

  test('R45: of 20 concurrent adds for one free place exactly one succeeds; the others get the limit error', async () => {
    await limit(3)
    await world.changed(user, 'POST', '', { include_keywords: words(0, 2) })
    const answers = await Promise.all(
      numbers(20).map((n) =>
        world.send(n % 2 ? user : colleague, 'POST', '', { include_keywords: words(10 + n, 11 + n) }),
      ),
    )
    const refused = answers.filter(({ status }) => status === 400)
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([1, 19])
    for (const { body } of refused) expect(body).toMatchObject({ lines: [{ code: 'limit' }] })
    expect((await world.organisation(user)).include).toHaveLength(3)
    await limit(50)
  })

  test('R46: twenty concurrent adds of one word store it once; the others get the duplicate error', async () => {
    const answers = await Promise.all(
      numbers(20).map(() => world.send(user, 'POST', '', { include_keywords: [{ word: 'กล้อง', group: 'ภาพ' }] })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers)
      if (status !== 200) expect(body).toMatchObject({ lines: [{ code: 'duplicate' }] })
    const after = await world.organisation(user)
    expect([after.include.length, after.keyword_groups.length]).toEqual([1, 1])
  })

  test('removing, restoring and adding a word concurrently leaves it once, in any order', async () => {
    const start = await world.changed(user, 'POST', '', { include_keywords: [{ word: 'กล้อง' }] })
    const { id } = start.include[0]!
    await world.changed(user, 'DELETE', '', { include_keywords: [{ id }] })
    const answers = await Promise.all([
      world.send(user, 'POST', '/keywords/restore', { ids: [id] }),
      world.send(colleague, 'POST', '', { include_keywords: [{ word: 'กล้อง' }] }),
      world.send(user, 'POST', '/keywords/restore', { ids: [id] }),
    ])
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 400)).toBe(true)
    expect((await world.organisation(user)).include.map(({ word }) => word)).toEqual(['กล้อง'])
  })

  test('ticks of two people on the same AI keyword all stay', async () => {
    const start = await world.changed(user, 'POST', '', { ai_include_keywords: [{ word: 'คำที่ไม่มีใครรู้จัก' }] })
    const path = `/keywords/${start.ai_include[0]!.id}/terms`
    const added = numbers(10).map((n) => `คำใกล้เคียงที่ ${n}`)
    const answers = await Promise.all(
      added.map((term, n) => world.send(n % 2 ? user : colleague, 'PATCH', path, { add: [term] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await world.send(user, 'GET', '/keyword-terms')
    const terms = (body.keywords as [{ terms: { term: string; source: string }[] }])[0].terms
    expect(new Set(terms.filter(({ source }) => source === 'user').map(({ term }) => term))).toEqual(new Set(added))
  })
})
