import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KeywordTermEvidenceRequest, keywordTermEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { copyDemoDataToDemoSchema } from '#server/account/demo/demo-data-removal-queries.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { ImpactWorld, ids } from '../../../test/world/impact-world.ts'
import { createRecentYearProjectTitlesCache } from './year-titles.ts'

onEachEngine('the evidence of terms', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
  })
  afterAll(() => world.app.close())

  const evidence = async (terms: KeywordTermEvidenceRequest['terms'], user?: SignedIn) => {
    const answer = await world.post('keywords/evidence', { terms }, user)
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
    return keywordTermEvidenceResponseSchema.parse(answer.json())
  }
  const term = (text: string, acts: boolean, facet = 0) => ({ term: text, facet, acts })

  test('returns what each term adds to the others over the last year, with titles', async () => {
    const { from, to, titles, share, terms } = await evidence([
      term('กล้องวงจรปิด', true),
      term('กล้อง', false),
      term('วงจรปิด', true),
      term('โดรน', false),
    ])
    // One of the four titles with กล้อง moved in August, before the window of previews; the evidence covers a year.
    expect({ from, to, titles, share }).toEqual({ from: '2025-11-21', to: '2026-11-20', titles: 6, share: 1 })
    expect(terms.map(({ term: text, holds, adds }) => [text, holds, adds])).toEqual([
      ['กล้องวงจรปิด', 2, 0],
      ['กล้อง', 4, 2],
      ['วงจรปิด', 2, 0],
      ['โดรน', 0, 0],
    ])
    expect(terms[1]!.samples).toEqual([
      { project_id: ids[2], name: 'เช่ากล้องถ่ายภาพ' },
      { project_id: ids[3], name: 'เช่ากล้องส่องทางไกล' },
    ])
  })

  test('returns the loss without an active term, and for sides what each word decides', async () => {
    const [single] = (await evidence([term('กล้อง', true)])).terms
    expect(single).toMatchObject({ holds: 4, adds: 4 })
    const { terms } = await evidence([term('เช่า', true, 1), term('กล้อง', true, 2), term('ซื้อ', false, 1)])
    expect(terms.map(({ adds }) => adds)).toEqual([3, 3, 1])
  })

  test('matches short terms at word borders, as the report does', async () => {
    const { terms } = await evidence([term('ยา', true)])
    expect(terms[0]).toMatchObject({ holds: 1, adds: 1, samples: [{ project_id: ids[5] }] })
  })

  test('gives the demo only demo data, and refuses invalid requests', async () => {
    await world.db.transaction(copyDemoDataToDemoSchema)
    const { terms } = await evidence([term('กล้อง', true)], world.demo)
    expect(terms[0]).toMatchObject({ holds: 0, adds: 0, samples: [] })
    for (const wrong of [
      {},
      { terms: [] },
      { terms: [{ term: '', facet: 0, acts: true }] },
      { terms: [{ term: 'ก' }] },
    ])
      expect((await world.post('keywords/evidence', wrong)).statusCode).toBe(400)
  })

  test('samples the titles beyond the limit and returns the sampled share', async () => {
    const year = await createRecentYearProjectTitlesCache(world.db, () => new Date('2026-11-21T03:00:00Z'), 3)()
    expect(year.titles).toHaveLength(3)
    expect(year.share).toBe(0.5)
  })
})
