import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type KeywordPreview, keywordPreviewSchema } from '#contract/matching/keyword-impact.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { ImpactWorld, ids } from '../../../test/world/impact-world.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'

const idsOf = (rows: readonly { project_id: string }[]) => rows.map((row) => row.project_id)

onEachEngineInTurn('the impact of words', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.reset())

  const preview = async (payload: object, user?: SignedIn): Promise<KeywordPreview> => {
    const answer = await world.post('keywords/preview', payload, user)
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
    return keywordPreviewSchema.parse(answer.json())
  }

  describe('POST /organisations/me/keywords/preview', () => {
    test('returns what an added word matches, with samples, traps and the new report size', async () => {
      const answer = await preview({ add: { include: ['ยา'] } })
      expect(answer).toMatchObject({
        days: 30,
        looked_at: 5,
        before: 1,
        after: 3,
        added: 2,
        removed: 0,
        level: 'too_few',
      })
      expect(idsOf(answer.added_samples)).toEqual([ids[5], ids[4]])
      expect(answer.added_samples[1]).toEqual({
        project_id: ids[4],
        name: 'ซื้อยางรถยนต์',
        dept_name: 'เทศบาลเมืองตัวอย่าง',
        dept_sub_name: 'กองช่าง',
        budget: 1_000_000,
        movement_date: '2026-11-18',
        words: ['ยา'],
      })
      expect(idsOf(answer.after_samples)).toEqual([ids[0], ids[5], ids[4]])
    })

    test('returns what an exclusion removes, and what its removal restores', async () => {
      const excluded = await preview({ add: { exclude: ['วงจรปิด'] } })
      expect(excluded).toMatchObject({ before: 1, after: 0, added: 0, removed: 1 })
      expect(excluded.removed_samples).toMatchObject([{ project_id: ids[0], words: ['กล้อง'] }])
      const [word] = await world.db.query<{ id: number }>(
        sql`select id from keywords where organisation_id = ${world.organisation.a}::int and list = 'exclude'`,
      )
      const without = await preview({ add: {}, remove: [word!.id] })
      expect(without).toMatchObject({ before: 1, after: 3, added: 2, removed: 0 })
    })

    test('offers traps with their counts', async () => {
      const load = await addLoad(world.db)
      const tyres = Array.from({ length: 6 }, (_, at) => ({
        id: `6711100000${at}`,
        name: `ซื้อยางรถ คันที่ ${at}`,
        movementOn: '2026-11-10',
      }))
      await putProjects(world.db, load, tyres)
      const answer = await preview({ add: { include: ['ยา'] } })
      expect(answer.traps).toEqual([{ of: 'ยา', word: 'ยาง', count: 7, samples: ['ซื้อยางรถยนต์', 'ซื้อยางรถ คันที่ 5'] }])
      const taken = await preview({ add: { include: ['ยา'], exclude: ['ยาง'] } })
      expect(answer.added - taken.added).toBe(7)
      await world.db.script(`delete from projects where project_id like '6711100000%'`)
      await world.db.execute(sql`delete from loads where id = ${load}::bigint`)
    })

    test('names overlapping stored words and conflicting exclusions', async () => {
      const answer = await preview({ add: { include: ['วงจรปิด'] } })
      expect(answer).toMatchObject({ added: 0, removed: 0 })
      expect(answer.overlaps).toMatchObject([{ of: 'วงจรปิด', word: 'กล้อง', share: 1 }])
      expect(answer.conflicts).toEqual([{ of: 'วงจรปิด', word: 'เช่า', count: 1 }])
      const addedPair = await preview({ add: { include: ['ยาง'], exclude: ['รถยนต์'] } })
      expect(addedPair).toMatchObject({ added: 0, conflicts: [{ of: 'ยาง', word: 'รถยนต์', count: 1 }] })
    })

    test('evaluates AI words with the given terms, or with the automatic ones', async () => {
      const switches = { search_by_ai: true }
      const literal = await preview({ add: { ai_include: [{ word: 'ทดลองคำ', terms: ['เวชภัณฑ์'] }] }, switches })
      expect(idsOf(literal.added_samples)).toEqual([ids[5]])
      const automatic = await preview({ add: { ai_include: [{ word: 'ยางรถยนต์' }] }, switches })
      expect(idsOf(automatic.added_samples)).toContain(ids[4])
      expect(await preview({ add: { ai_include: [{ word: 'ยางรถยนต์' }] } })).toMatchObject({ added: 0 })
    })

    test('evaluates departments and switches', async () => {
      const unit = await preview({ add: { deptsub_include: ['กองสาธารณสุข'] } })
      expect(idsOf(unit.added_samples)).toEqual([ids[5]])
      expect(await preview({ add: {}, switches: { search_by_name: false } })).toMatchObject({ after: 0, removed: 1 })
    })

    test('changes nothing, and also answers the demo and in the not-allowed window', async () => {
      world.closeLists()
      const count = () =>
        world.db.query(
          sql`select (select count(*) from keywords) as words, (select count(*) from jobs where kind = 'match') as requests`,
        )
      const before = await count()
      await preview({ add: { include: ['ยา'] } })
      await preview({ add: { include: ['ยา'] } }, world.demo)
      expect(await count()).toEqual(before)
    })

    test('refuses an unreadable word by line', async () => {
      const answer = await world.post('keywords/preview', {
        add: { include: ['กล้อง', '(กล้อง'], ai_include: [{ word: 'ก||ข' }] },
      })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({
        errors: { include_keywords: expect.stringContaining('วงเล็บ') },
        lines: [
          { list: 'ai_include', index: 0, word: 'ก||ข', code: 'operator', position: 1 },
          { list: 'include', index: 1, word: '(กล้อง', code: 'E_BRACKET', position: 0 },
        ],
      })
    })
  })

  test('GET /organisations/me/keyword-stats: effect of each word and switch', async () => {
    await setWords(world.db, world.organisation.a, {
      include: ['กล้อง', 'วงจรปิด', 'ยาง', '?เวชภัณฑ์'],
      exclude: ['เช่า', 'ถ่ายภาพ'],
      deptsub_include: ['กองสาธารณสุข'],
    })
    const stats = await world.get<{ keywords: { id: number; hits: number; only: number }[]; switches: unknown }>(
      'organisations/me/keyword-stats',
    )
    const words = await world.db.query<{ id: number; word: string }>(
      sql`select id, word from keywords where organisation_id = ${world.organisation.a}::int`,
    )
    const named = Object.fromEntries(
      stats.keywords.map(({ id, ...counts }) => [words.find((word) => word.id === id)!.word, counts]),
    )
    expect(named).toEqual({
      กล้อง: { hits: 1, only: 0 },
      วงจรปิด: { hits: 1, only: 0 },
      ยาง: { hits: 1, only: 1 },
      เวชภัณฑ์: { hits: 0, only: 0 },
      เช่า: { hits: 2, only: 1 },
      ถ่ายภาพ: { hits: 1, only: 0 },
      กองสาธารณสุข: { hits: 1, only: 1 },
    })
    expect(stats).toMatchObject({
      days: 30,
      hidden: 2,
      // The 30 days from 22 October to 20 November contain 21 working days: no weekends, and 23 October is a holiday.
      per_working_day: 0.1,
      level: 'too_few',
      switches: {
        search_by_name: { today: 2, days: 2, only: 2 },
        search_by_ai: { days: 0 },
        search_by_deptsub: { today: 1, days: 1, only: 1 },
      },
    })
  })
})
