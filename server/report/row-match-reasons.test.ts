import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import type { ReportScope } from './report-queries.ts'
import { presentReportRow } from './report-rows.ts'

onEachEngine('match reasons of a report row', (makeDb) => {
  let db: OpenDb
  let scope: ReportScope
  let keywordId: (word: string) => Promise<number>
  const row = async (id = '1') =>
    (await loadReportPage(db, { project_id__in: [id] }, scope)).rows.map(presentReportRow)[0]!
  const write = (reasons: unknown) =>
    db.execute(sql`
      update match_words w set reasons = ${JSON.stringify(reasons)}::jsonb from project_matches m
      where m.organisation_id = ${scope.organisationId}::int and m.project_id = '1' and w.organisation_id = m.organisation_id and w.id = m.words_id`)
  const addTerm = async (keyword: number, term: string, source: string, state: string, similarity: number, facet = 0) =>
    db.execute(sql`
      insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, position)
      values (${keyword}::int, ${term.toLowerCase()}, ${term}, ${source}, ${state}, ${similarity}::real, ${facet}::smallint, 0)`)

  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db, {
      words: { include: ['กล้อง'], ai_include: ['กล้องวงจรปิด', 'ปรับปรุงถนน'], deptsub_include: ['กองช่าง'] },
    })
    scope = { organisationId, userId: await addUser(db, organisationId), today: '2026-11-21' }
    keywordId = async (word) =>
      (
        await db.query<{ id: number }>(
          sql`select id from keywords where organisation_id = ${organisationId}::int and word = ${word}`,
        )
      )[0]!.id
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '1', name: 'ซื้อกล้อง ระบบ CCTV และซ่อมสร้างผิวทาง' }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  test('returns the entries that matching wrote', async () => {
    const { match_reasons } = await row()
    expect(match_reasons.map(({ list, word }) => [list, word])).toEqual(
      expect.arrayContaining([
        ['include', 'กล้อง'],
        ['deptsub_include', 'กองช่าง'],
      ]),
    )
    expect(match_reasons.find(({ list }) => list === 'include')?.terms).toEqual([])
  })

  test('an AI entry lists the terms found with similarity and the organisation’s approval', async () => {
    const id = await keywordId('กล้องวงจรปิด')
    await addTerm(id, 'ระบบ CCTV', 'learned', 'approved', 0.95)
    await addTerm(id, 'กล้องโทรทัศน์', 'learned', 'auto', 0.9)
    await write([{ keyword: id, terms: ['ระบบ CCTV'] }])
    expect((await row()).match_reasons).toEqual([
      {
        list: 'ai_include',
        word: 'กล้องวงจรปิด',
        group: null,
        page: null,
        terms: [{ term: 'ระบบ CCTV', source: 'learned', similarity: 0.95, approved: true, side: null }],
      },
    ])
  })

  test('an entry with sides names the side of each term', async () => {
    const id = await keywordId('ปรับปรุงถนน')
    await addTerm(id, 'ปรับปรุง', 'literal', 'auto', 1, 1)
    await addTerm(id, 'ซ่อมสร้าง', 'dictionary', 'auto', 0.5, 1)
    await addTerm(id, 'ถนน', 'literal', 'auto', 1, 2)
    await addTerm(id, 'ผิวทาง', 'dictionary', 'auto', 0.6, 2)
    await write([{ keyword: id, terms: ['ซ่อมสร้าง', 'ผิวทาง'] }])
    expect((await row()).match_reasons[0]!.terms.map(({ side, term }) => [side, term])).toEqual([
      ['ปรับปรุง', 'ซ่อมสร้าง'],
      ['ถนน', 'ผิวทาง'],
    ])
  })

  test('returns the keyword group, and omits keywords that were deleted or belong to another organisation', async () => {
    const [group] = await db.query<{ id: number }>(sql`
      insert into keyword_groups (organisation_id, name) values (${scope.organisationId}::int, 'งานกล้อง') returning id`)
    const id = await keywordId('กล้อง')
    await db.execute(sql`update keywords set group_id = ${group!.id}::int where id = ${id}::int`)
    const otherOrganisation = await addOrganisation(db, { words: { include: ['ความลับ'] } })
    const [foreign] = await db.query<{ id: number }>(
      sql`select id from keywords where organisation_id = ${otherOrganisation}::int`,
    )
    await write([
      { keyword: foreign!.id, terms: [] },
      { keyword: 999_999, terms: [] },
      { keyword: id, terms: [] },
    ])
    expect((await row()).match_reasons).toEqual([
      { list: 'include', word: 'กล้อง', group: 'งานกล้อง', page: null, terms: [] },
    ])
  })

  test('a rescued project names its exclusion; another organisation’s rescue has no effect', async () => {
    expect((await row()).rescued_from).toBeNull()
    const otherOrganisation = await addOrganisation(db)
    const rescue = (organisation: number, word: string) =>
      db.execute(sql`
        insert into match_rescues (organisation_id, project_id, list, word) values (${organisation}::int, '1', 'exclude', ${word})`)
    await rescue(otherOrganisation, 'ของคนอื่น')
    expect((await row()).rescued_from).toBeNull()
    await rescue(scope.organisationId, 'ซ่อม')
    expect((await row()).rescued_from).toBe('ซ่อม')
  })
})
