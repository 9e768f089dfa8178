import { beforeAll, expect, test } from 'vitest'
import { getSimilarityLevel } from '#contract/search/deep-search.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { findReportFacets, findReportProjectIds } from '#server/report/report-lists.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { presentReportPage } from '#server/report/report-rows.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { expandSemanticSearchSync, getSemanticSearchSubstrings } from './expand-semantic-search.ts'
import { rankSemanticSearchHits } from './run-deep-search.ts'

const NAMES: Readonly<Record<string, string>> = {
  '1': 'ประกวดราคาซื้อกล้องวงจรปิด ภายในเทศบาล',
  '2': 'จ้างติดตั้งระบบ CCTV บริเวณตลาดสด',
  '3': 'จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก หมู่ที่ 4',
  '4': 'ซื้อยางรถยนต์ 4 เส้น',
  '5': 'จ้างซ่อมสร้างผิวทางแอสฟัลต์คอนกรีต สายบ้านเหนือ',
  '6': 'ซื้อยา Paracetamol สำหรับโรงพยาบาล',
}

onEachEngine('searching the report by meaning', (makeDb) => {
  let db: OpenDb
  let scope: ReportScope
  const find = async (sentences: readonly string[], more = {}) => {
    const search = { ai_deep_search__in: sentences, ...more }
    const stored = await loadReportPage(db, search, scope)
    return presentReportPage(stored, {
      search,
      filterToRelax: undefined,
      ignored: [],
      visit: undefined,
      linkTo: () => '',
    })
  }
  const idsOf = ({ results }: Awaited<ReturnType<typeof find>>) => results.map((row) => row.project_id)

  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db, { words: { include: ['<<ไม่มีคำนี้แน่นอน'] } })
    scope = { organisationId, userId: await addUser(db, organisationId), today: '2026-11-21' }
    const load = await addLoad(db)
    await putProjects(
      db,
      load,
      Object.entries(NAMES).map(([id, name]) => ({
        id,
        name,
        movementOn: `2026-11-1${id}`,
        budget: Number(id) * 1000,
      })),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  test('finds projects by meaning, closest first, and returns the matched terms', async () => {
    const page = await find(['กล้องวงจรปิด'])
    expect(idsOf(page).slice(0, 2)).toEqual(['1', '2'])
    expect(idsOf(page)).not.toContain('4')
    expect(page.total_project).toBe(page.results.length)
    const [literal, meant] = page.results
    expect(literal!.deep).toMatchObject({ score: 1, phrases: ['กล้องวงจรปิด'] })
    expect(getSimilarityLevel(literal!.deep!.score).code).toBe('high')
    expect(meant!.deep!.score).toBeLessThan(1)
    expect(NAMES['2']!.toLowerCase()).toContain(meant!.deep!.phrases[0])
  })

  test('matches short words as words, not as letters', async () => {
    const ids = idsOf(await find(['ยา']))
    expect(ids).toContain('6')
    expect(ids).not.toContain('4')
  })

  test('several values are alternatives, and an explicit order overrides closeness', async () => {
    const page = await find(['กล้องวงจรปิด', 'ปรับปรุงถนน'], { ordering: 'project_budget' })
    expect(idsOf(page)).toEqual(expect.arrayContaining(['1', '2', '5']))
    expect(page.results.map((row) => row.budget)).toEqual(
      page.results.map((row) => row.budget).toSorted((a, b) => a! - b!),
    )
    expect(page.results.every((row) => row.deep !== null)).toBe(true)
  })

  test('returns ids for selection across pages in page order', async () => {
    const page = await find(['กล้องวงจรปิด'])
    expect(await findReportProjectIds(createReportEngine(db), { ai_deep_search__in: ['กล้องวงจรปิด'] }, scope)).toEqual({
      total: page.total_project,
      ids: idsOf(page),
    })
  })

  test('an unknown word matches its own letters, and the answer marks it unknown', async () => {
    const page = await find(['paracetamoll', 'สายบ้านเหนือ'])
    expect(page.deep_search?.engine).toBeTruthy()
    expect(page.deep_search?.sentences.map(({ sentence }) => sentence)).toEqual(['paracetamoll', 'สายบ้านเหนือ'])
    expect(idsOf(page)).toContain('5')
    expect((await find(['ฃฅฃฅฃฅฃฅ'])).deep_search?.sentences[0]).toMatchObject({ known: false, terms: ['ฃฅฃฅฃฅฃฅ'] })
  })

  test('finds projects of a new load at once despite cached answers', async () => {
    expect(idsOf(await find(['กล้องวงจรปิด']))).not.toContain('7')
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '7', name: 'ซื้อกล้องวงจรปิด เพิ่มเติม' }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    expect(idsOf(await find(['กล้องวงจรปิด']))).toContain('7')
  })

  test('a threshold removes more distant results from page, total, ids, counts and facets', async () => {
    const sentences = ['กล้องวงจรปิด', 'ปรับปรุงถนน']
    const all = await find(sentences)
    const percent = all.results.map((row) => Math.round(row.deep!.score * 100))
    expect(new Set(percent).size).toBeGreaterThan(1)
    for (const from of [1, ...percent, 100]) {
      const search = { ai_deep_search__in: sentences, ai_deep_from: from }
      const expected = idsOf(all).filter((_, at) => percent[at]! >= from)
      const page = await find(sentences, { ai_deep_from: from })
      expect([from, page.total_project, idsOf(page)]).toEqual([from, expected.length, expected])
      expect(await findReportProjectIds(createReportEngine(db), search, scope)).toEqual({
        total: expected.length,
        ids: expected,
      })
      expect((await createReportEngine(db).ids([search], scope, { limit: 0 })).lists[0]).toMatchObject({
        total: expected.length,
      })
      const { options } = await findReportFacets(createReportEngine(db), search, scope)
      const statuses = (options.project_status__in ?? []).reduce((sum, { count }) => sum + count, 0)
      expect([from, statuses]).toEqual([from, expected.length])
    }
  })

  test('without a deep search rows carry no score and the page no terms', async () => {
    const stored = await loadReportPage(db, {}, scope)
    expect(stored.rows.every((row) => row.deep === null)).toBe(true)
  })
})

test('ranks the newest 1,000 of the closest names, wherever they are in the list', async () => {
  // The same term finds both, but the first has the higher score.
  const [closer, other] = ['จ้างซ่อมแซมถนนภายในหมู่บ้าน', 'ซ่อมแซมถนนลาดยาง']
  const ids = Array.from({ length: 5_000 }, (_, at) => 69_000_000_000 + at)
  // 7 and 5,000 have no common factor, so this visits each place once, in another order.
  const candidates = ids
    .map((_, at) => ids[(at * 7) % ids.length]!)
    .map((id) => ({
      project_id: String(id),
      name_search: id % 2 === 0 ? closer : other,
    }))
  const hits = await rankSemanticSearchHits('ปรับปรุงถนน', candidates)
  expect(hits.size).toBe(ids.length)
  const best = Math.max(...[...hits.values()].map(({ score }) => score))
  const bestIds = [...hits].filter(([, { score }]) => score === best).map(([id]) => Number(id))
  // Names beyond the first 1,000 have at most the lowest score of those.
  expect(bestIds.sort((a, b) => a - b)).toEqual(ids.slice(-1_000).filter((id) => id % 2 === 0))
})

test('the SQL needles find every name that the terms find', () => {
  const { terms } = expandSemanticSearchSync('กล้องวงจรปิด')
  const { standalone } = getSemanticSearchSubstrings(terms)
  expect(standalone.length).toBeGreaterThan(0)
  for (const { term, facet } of terms) {
    if (facet === 0)
      expect(standalone.some((needle) => term.replaceAll(' ', '').includes(needle.replaceAll(' ', '')))).toBe(true)
  }
})
