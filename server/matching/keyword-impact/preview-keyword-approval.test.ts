import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRecentProjectsCache } from '#server/matching/recent-projects.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { ImpactWorld } from '../../../test/world/impact-world.ts'
import { previewKeywordApproval } from './preview-keyword-approval.ts'

onEachEngine('a keyword awaiting approval', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
    await world.reset()
  })
  afterAll(() => world.app.close())

  test('D11: has the impact shown when it was added, and none before approval', async () => {
    const previewWhenAdded = (await world.post('keywords/preview', { add: { include: ['ยา'] } })).json()
    const [{ id }] = (await world.db.query<{ id: number }>(sql`
      insert into keywords (organisation_id, list, word, word_key, approved) values (${world.organisation.a}::int, 'include', 'ยา', 'ยา', false)
      returning id`)) as [{ id: number }]
    const recent = createRecentProjectsCache(world.db, () => new Date('2026-11-21T05:00:00Z'))
    const of = { organisationId: world.organisation.a, id }
    const preview = await previewKeywordApproval(world.db, recent, of)
    expect(preview).toMatchObject({ before: 1, after: 3, added: 2 })
    expect(preview).toEqual(previewWhenAdded)
    await world.db.execute(sql`update keywords set approved = true where id = ${id}::int`)
    expect(await previewKeywordApproval(world.db, recent, of)).toBeUndefined()
  })
})
