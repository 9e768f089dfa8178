import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvidenceRequest, evidenceSchema } from '#contract/matching/term-evidence.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { ImpactWorld, ids } from '../../../test/world/impact-world.ts'
import { createYearTitles } from './year-titles.ts'

onEachEngine('the evidence of terms', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
  })
  afterAll(() => world.app.close())

  const evidence = async (terms: EvidenceRequest['terms'], who?: SignedIn) => {
    const answer = await world.post('keywords/evidence', { terms }, who)
    expect([answer.statusCode, answer.body]).toEqual([200, answer.body])
    return evidenceSchema.parse(answer.json())
  }
  const term = (text: string, acts: boolean, facet = 0) => ({ term: text, facet, acts })

  test('says of the last year what each term adds to the others, with titles', async () => {
    const { from, to, titles, share, terms } = await evidence([
      term('กล้องวงจรปิด', true),
      term('กล้อง', false),
      term('วงจรปิด', true),
      term('โดรน', false),
    ])
    // One of the four moved in August, further back than previews reach.
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

  test('of an acting term, what is lost without it; of sides, what one word decides', async () => {
    const [alone] = (await evidence([term('กล้อง', true)])).terms
    expect(alone).toMatchObject({ holds: 4, adds: 4 })
    const { terms } = await evidence([term('เช่า', true, 1), term('กล้อง', true, 2), term('ซื้อ', false, 1)])
    expect(terms.map(({ adds }) => adds)).toEqual([3, 3, 1])
  })

  test('short terms stand on word borders, as in the report', async () => {
    const { terms } = await evidence([term('ยา', true)])
    expect(terms[0]).toMatchObject({ holds: 1, adds: 1, samples: [{ project_id: ids[5] }] })
  })

  test('tells the demo of the sample alone, and refuses what is no question', async () => {
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

  test('with more titles than are kept reads a part of them and says which', async () => {
    const year = await createYearTitles(world.db, () => new Date('2026-11-21T03:00:00Z'), 3)()
    expect(year.titles).toHaveLength(3)
    expect(year.share).toBe(0.5)
  })
})
