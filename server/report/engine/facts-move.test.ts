import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { findReportFacets } from '#server/report/report-lists.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

/** This search covers the active and archived scope, so its tab is the whole match set. */
const SEARCH: ReportSearch = { ends_within: 730 }

const provincesOf = ({ options }: ReportFacets) =>
  Object.fromEntries((options.project_province__in ?? []).map(({ value, count }) => [value, count]))

onEachEngineInTurn('facts that move while matches stay', (makeDb) => {
  test('the next facets count the current facts', async () => {
    const db = await makeDb()
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects, { count: 60 })
    const scope: ReportScope = { organisationId, userId, today: TODAY }
    const memory = openReportMemory(db, { megabytes: 64 })
    const provincesFrom = (by: ReturnType<typeof openReportMemory> | undefined) =>
      runAsTenant({ organisationId, userId }, async () =>
        provincesOf(await findReportFacets(createReportEngine(db, by), SEARCH, scope)),
      )
    // Add a project without matches: a tab that contains all projects reads the facts directly, without a cache to
    // test.
    await db.transaction(async (tx) => putProjects(tx, await addLoad(tx), [{ id: '67000000950' }]))
    await memory.load([organisationId])
    const before = await provincesFrom(memory)
    expect(before).toEqual(await provincesFrom(undefined))
    // This load changes a fact that does not count as a change for users (D3), so no match row changes.
    await db.transaction(async (tx) => {
      const load = await addLoad(tx)
      await tx.execute(sql`
        update projects set project_province = 96, written_load = ${load}::bigint
        where project_id in (select m.project_id from project_matches m where m.organisation_id = ${organisationId}::int)`)
      await tx.execute(sql`update project_filters set project_province = 96`)
    })
    await memory.load()
    const after = await provincesFrom(memory)
    expect(after).toEqual(await provincesFrom(undefined))
    expect(Object.keys(after)).toEqual(['นราธิวาส'])
    expect(before).not.toEqual(after)
    expect(memory.stats().answered).toEqual({ memory: 2, sql: 0 })
    await memory.close()
  })
})
