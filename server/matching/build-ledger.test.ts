import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ExcludedProjectsResponse, excludedProjectsSchema } from '#contract/matching/keyword-impact.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { ImpactWorld, ids, UNKNOWN_PROJECT } from '../../test/world/impact-world.ts'
import { setWords } from '../../test/world/report-world.ts'
import { rematchOrganisation } from './rematch-organisation.ts'

const idsOf = (rows: readonly { project_id: string }[]) => rows.map((row) => row.project_id)

onEachEngine('the ledger of exclusions', (makeDb) => {
  let world: ImpactWorld
  beforeAll(async () => {
    world = await ImpactWorld.make(await makeDb())
  })
  afterAll(() => world.app.close())
  beforeEach(() => world.reset())

  describe('the exclusion ledger', () => {
    test('lists projects that exclusions keep out, by days and word, newest first', async () => {
      const recent = excludedProjectsSchema.parse(await world.get('organisations/me/hidden'))
      expect(recent).toMatchObject({
        total_project: 2,
        page: 1,
        rescued: 0,
        words: [{ list: 'exclude', word: 'เช่า', count: 2 }],
      })
      expect(recent.results[0]).toMatchObject({
        project_id: ids[1],
        word: 'เช่า',
        list: 'exclude',
        words: ['กล้อง'],
        guilty_words: ['เช่า'],
        rescued: false,
        budget: 1_000_000,
      })
      expect(idsOf((await world.get<ExcludedProjectsResponse>('organisations/me/hidden?days=7')).results)).toEqual([
        ids[1],
      ])
      expect(idsOf((await world.get<ExcludedProjectsResponse>('organisations/me/hidden?days=all')).results)).toEqual([
        ids[1],
        ids[2],
        ids[3],
      ])
      expect((await world.get<ExcludedProjectsResponse>('organisations/me/hidden?keyword=other')).total_project).toBe(0)
      const paged = await world.get<ExcludedProjectsResponse>('organisations/me/hidden?days=all&page=2&page_size=2')
      expect(idsOf(paged.results)).toEqual([ids[3]])
      expect(paged.links).toEqual({
        next: null,
        previous: '/api/v2/organisations/me/hidden?days=all&page=1&page_size=2',
      })
    })

    test('a rescue adds the project at once and can be undone', async () => {
      expect((await world.post('hidden/rescue', { project_ids: [ids[1], ids[0], UNKNOWN_PROJECT] })).statusCode).toBe(
        204,
      )
      // The rescue takes effect before matching runs.
      expect(idsOf((await world.get<ExcludedProjectsResponse>('organisations/me/hidden')).results)).toEqual([ids[2]])
      const rescued = await world.get<ExcludedProjectsResponse>('organisations/me/hidden?rescued=true')
      expect(rescued).toMatchObject({ rescued: 1, results: [{ project_id: ids[1], rescued: true, word: 'เช่า' }] })
      expect(await world.runWaitingMatches()).toEqual([
        { organisation_id: world.organisation.a, scope: { projects: [ids[1]] } },
      ])
      expect(await world.reportOf(world.organisation.a)).toEqual([ids[0], ids[1]])
      expect(await world.reportOf(world.organisation.b)).toEqual([ids[0]])

      expect((await world.post('hidden/unrescue', { project_ids: [ids[1]] })).statusCode).toBe(204)
      await world.runWaitingMatches()
      expect(await world.reportOf(world.organisation.a)).toEqual([ids[0]])
      expect((await world.get<ExcludedProjectsResponse>('organisations/me/hidden')).total_project).toBe(2)
    })

    test('requests no matching for a project already rescued or not excluded', async () => {
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      await world.post('hidden/unrescue', { project_ids: [ids[2], UNKNOWN_PROJECT] })
      expect(await world.runWaitingMatches()).toHaveLength(1)
    })

    test('a rescue writes an audit row, works at night, and is refused for the demo', async () => {
      world.closeLists()
      await world.db.execute(sql`delete from audit_events`)
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      expect(await world.db.query(sql`select kind, organisation_id, detail from audit_events`)).toEqual([
        {
          kind: 'rescues_changed',
          organisation_id: world.organisation.a,
          detail: { rescued: true, projects: [ids[1]] },
        },
      ])
      const refused = await world.post('hidden/rescue', { project_ids: [ids[1]] }, world.demo)
      expect([refused.statusCode, refused.json().code]).toEqual([403, 'demo_read_only'])
    })

    test('rescues and exclusions of another organisation are invisible and unaffected', async () => {
      await setWords(world.db, world.organisation.b, { include: ['กล้อง'], exclude: ['นกขมิ้น'] })
      await rematchOrganisation(world.db, world.organisation.b)
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      for (const query of ['', '?rescued=true', '?days=all']) {
        const ledger = await world.get<ExcludedProjectsResponse>(`organisations/me/hidden${query}`, world.b)
        expect(ledger).toMatchObject({ total_project: 0, rescued: 0, words: [], results: [] })
      }
      expect((await world.post('hidden/unrescue', { project_ids: [ids[1]] }, world.b)).statusCode).toBe(204)
      expect((await world.post('hidden/rescue', { project_ids: [ids[2]] }, world.b)).statusCode).toBe(204)
      expect(await world.db.query(sql`select organisation_id, project_id from match_rescues`)).toEqual([
        { organisation_id: world.organisation.a, project_id: ids[1] },
      ])
    })

    test('the preview includes rescued projects', async () => {
      await world.post('hidden/rescue', { project_ids: [ids[1]] })
      const preview = await world.post('keywords/preview', { add: {} })
      expect(preview.json()).toMatchObject({ before: 2, after: 2 })
    })
  })
})
