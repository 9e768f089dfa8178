import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { KeywordStats } from '#contract/matching/keyword-impact.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../test/world/report-world.ts'

onOneEngine('cache preloads', (makeDb) => {
  test('the first requests after a start and after a load are answered from memory', async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const publish = () =>
      db.transaction(async (tx) => {
        const load = await addLoad(tx)
        await putProjects(tx, load, [{ id: `6711900000${load}`, name: 'ซื้อกล้องวงจรปิด' }])
        await matchDataLoadProjects(tx, load)
      })
    await publish()
    const app = await appOn(db)
    const { headers } = await signIn(app, 'sales@tharamek.example')
    const preload = () => app.cachePreloads.run(new AbortController().signal)
    const answeredBy = async () => {
      const before = app.queryCaches.report!.stats().answered
      const answer = await app.inject({ url: '/api/v2/projects/saved-filter-recall', headers })
      expect(answer.statusCode).toBe(200)
      const page = await app.inject({ url: '/api/v2/projects', headers })
      expect(page.statusCode).toBe(200)
      const { memory, sql } = app.queryCaches.report!.stats().answered
      return { isFromMemory: memory > before.memory, sql: sql - before.sql }
    }
    await preload()
    expect(await answeredBy()).toEqual({ isFromMemory: true, sql: 0 })
    await publish()
    await preload()
    expect(await answeredBy()).toEqual({ isFromMemory: true, sql: 0 })
    await app.close()
  })

  test('the first keyword statistics after a start are answered without reading the projects', async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    await db.transaction(async (tx) => {
      const load = await addLoad(tx)
      await putProjects(tx, load, [{ id: '67119000001', name: 'ซื้อกล้องวงจรปิด' }])
      await matchDataLoadProjects(tx, load)
    })
    const app = await appOn(db)
    const { headers } = await signIn(app, 'sales@tharamek.example')
    await app.cachePreloads.run(new AbortController().signal)
    // Without a new load, only a cache that was not loaded yet would see this change.
    await db.execute(sql`update projects set name = 'x', name_search = 'x', name_spaced = 'x'`)
    const stats = await app.inject({ url: '/api/v2/organisations/me/keyword-stats', headers })
    const { keywords } = stats.json() as KeywordStats
    expect(keywords.reduce((sum, { hits }) => sum + hits, 0)).toBeGreaterThan(0)
    await app.close()
  })

  test('a stopping server starts no further load', async () => {
    const app = await appOn(await makeDb())
    const loaded: string[] = []
    const stopping = new AbortController()
    app.cachePreloads.add(async () => {
      loaded.push('first')
      stopping.abort()
    })
    app.cachePreloads.add(async () => loaded.push('second'))
    await app.cachePreloads.run(stopping.signal)
    expect(loaded).toEqual(['first'])
    await app.close()
  })
})
