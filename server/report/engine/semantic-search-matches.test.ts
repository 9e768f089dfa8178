import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import {
  expandSemanticSearch,
  getSemanticSearchSubstrings,
  type SemanticSearchSubstrings,
} from '#server/report/deep/expand-semantic-search.ts'
import { loadSemanticSearchCandidates } from '#server/report/deep/run-deep-search.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addPopulation } from '../../../test/world/report-population.ts'
import { loadMatchSet } from './match-cache.ts'
import { ProjectCache } from './project-cache.ts'

onEachEngine('name search in memory', (makeDb) => {
  test('finds the same names as the database, with the same search text', async () => {
    const db = await makeDb()
    const { organisationId } = await addPopulation(db, matchDataLoadProjects)
    const { signal } = new AbortController()
    const projects = new ProjectCache(db, { maxBytes: 2 ** 26, signal })
    await projects.refresh()
    const loaded = await loadMatchSet(db, organisationId, projects.current!.columns, signal)
    const find = (needles: SemanticSearchSubstrings) =>
      projects.current!.words.findSemanticSearchCandidates(needles, loaded!.lists!.rows)
    const sizes: number[] = []
    for (const sentence of ['กล้องวงจรปิด', 'ยา', 'ซ่อมกล้อง', 'ปรับปรุงถนน', 'it', '10%', 'C#', 'ซื้อ', 'ไม่มีคำนี้แน่นอนฃฅ']) {
      const needles = getSemanticSearchSubstrings((await expandSemanticSearch(sentence)).terms)
      const inOrder = (candidates: Awaited<ReturnType<typeof find>>) =>
        candidates.map(({ project_id, name_search }) => `${project_id} ${name_search}`).sort()
      const expected = inOrder(await loadSemanticSearchCandidates(db, organisationId, needles))
      expect(inOrder(await find(needles)), sentence).toEqual(expected)
      sizes.push(expected.length)
    }
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(4)
    expect(sizes.at(-1)).toBe(0)
  })
})
