import { expect, test } from 'vitest'
import { matchLoad } from '#server/matching/match-load.ts'
import { loadDeepCandidates } from '#server/report/deep/deep-search-queries.ts'
import { deepNeedles, expandDeep } from '#server/report/deep/deep-terms.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addPopulation } from '../../../test/world/report-population.ts'
import { ProjectsInMemory } from './held-projects.ts'
import { loadMatchSet } from './match-set.ts'
import { candidatesIn } from './meant.ts'

onEachEngine('names looked for in memory', (makeDb) => {
  test('are those that the database finds, with the same letters', async () => {
    const db = await makeDb()
    const { organisationId } = await addPopulation(db, matchLoad)
    const { signal } = new AbortController()
    const projects = new ProjectsInMemory(db, { mostBytes: 2 ** 26, signal })
    await projects.refresh()
    const loaded = await loadMatchSet(db, organisationId, projects.held!.columns, signal)
    const find = candidatesIn(projects.held!, loaded!.set!)
    const sizes: number[] = []
    for (const sentence of ['กล้องวงจรปิด', 'ยา', 'ซ่อมกล้อง', 'ปรับปรุงถนน', 'it', '10%', 'C#', 'ซื้อ', 'ไม่มีคำนี้แน่นอนฃฅ']) {
      const needles = deepNeedles((await expandDeep(sentence)).terms)
      const inOrder = (found: Awaited<ReturnType<typeof find>>) =>
        found.map(({ project_id, name_search }) => `${project_id} ${name_search}`).sort()
      const wanted = inOrder(await loadDeepCandidates(db, organisationId, needles))
      expect(inOrder(await find(needles)), sentence).toEqual(wanted)
      sizes.push(wanted.length)
    }
    expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(4)
    expect(sizes.at(-1)).toBe(0)
  })
})
