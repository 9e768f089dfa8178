import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSharedTestFile } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import type { Draw } from './recomputed/compared.ts'
import { compareFigures } from './recomputed/equal-figures.ts'
import { createTempFolder, extractPart } from './recomputed/part-of-file.ts'
import { readRawYear } from './recomputed/raw-facts.ts'
import { onEachEngine } from './server/databases.ts'
import { inventProjects } from './world/invented-wins.ts'
import { inventOddAwards } from './world/odd-awards.ts'
import { addPopulation, TODAY } from './world/report-population.ts'
import { addLoad } from './world/report-world.ts'
import { putWonProjects } from './world/won-projects.ts'

/**
 * Compares memory and SQL results of every screen with plain arithmetic over the tables. For a whole year see
 * `bench/figures/year.ts`.
 */
const DRAW: Draw = { seed: 43, companies: 12, agencies: 8, questions: 8 }

const file = findSharedTestFile('egp-2568-competitive-53736.csv.gz')
const scratch = createTempFolder('figures')
afterAll(() => scratch.remove())

async function differencesIn(db: OpenDb, of: { organisationId: number; userId: number }, draw: Draw) {
  const context = { ...of, today: TODAY }
  const companies = new CompanyFactCache(db, { megabytes: 64 })
  const awards = new AwardCache(db, { report: openReportMemory(db, { megabytes: 64 }), companies }, { megabytes: 64 })
  try {
    await awards.load(of.organisationId, { ...context, visit: undefined, isMarket: false })
    const year = await readRawYear(db)
    let figures = 0
    const different: string[] = []
    for await (const { what, figures: count, unequal } of compareFigures(
      { db, companies, awards, ...context },
      year,
      draw,
    )) {
      figures += count
      different.push(...unequal.map((line) => `${what}: ${line}`))
    }
    // No query may fall back from memory to SQL, because the test would then compare SQL with itself.
    expect([companies.answered.sql, awards.answered.sql]).toEqual([0, 0])
    return { figures, different, year }
  } finally {
    await awards.stop()
    await companies.stop()
  }
}

onEachEngine('figures by memory, by SQL and by plain arithmetic', (makeDb) => {
  let db: OpenDb
  let of: { organisationId: number; userId: number }
  beforeAll(async () => {
    db = await makeDb()
    of = await addPopulation(db, matchDataLoadProjects)
  })

  test('are the same for closed, open, endless and cancelled contracts and for shared names', async () => {
    const load = await addLoad(db)
    await putWonProjects(db, load, [...inventProjects(5), ...inventOddAwards()])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await updateCompanyFacts(db)
    const { figures, different, year } = await differencesIn(db, of, DRAW)
    const contracts = year.facts.flatMap((fact) => fact.contracts)
    for (const status of [null, 'สิ้นสุดสัญญา', 'ยกเลิกสัญญา'])
      expect(contracts.filter((contract) => contract.status === status).length).toBeGreaterThan(5)
    expect(
      new Set(year.facts.map(({ project }) => project.body).filter((body) => body.startsWith('เทศบาลตำบลบ้านกลาง')))
        .size,
    ).toBe(3)
    expect(
      year.facts.filter(({ won, value, project }) => won && value === null && project.hasDoubt).length,
    ).toBeGreaterThan(5)
    expect(figures).toBeGreaterThan(5_000)
    expect(different).toEqual([])
  }, 300_000)

  test.skipIf(file === undefined)(
    'are the same over real contracts',
    async () => {
      const feed = await openFeedFile(extractPart(file!, scratch.path, '7'))
      await withDataLoadLease(db, (lease) =>
        runDataLoad(db, lease, feed.source, { ...feed, origin: 'file', today: TODAY }),
      )
      const { figures, different } = await differencesIn(db, of, { ...DRAW, companies: 40, agencies: 20 })
      expect(figures).toBeGreaterThan(10_000)
      expect(different).toEqual([])
    },
    300_000,
  )
})
