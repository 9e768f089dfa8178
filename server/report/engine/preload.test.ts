import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { openReportMemory } from '#server/report/choose-report-queries.ts'
import { findReportSearchCounts } from '#server/report/find-report-lists.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'

onOneEngine('preloaded matches', (makeDb) => {
  test('are loaded while memory lasts, and evict no organisation', async () => {
    const db = await makeDb()
    const otherOrganisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects, { count: 60 })
    const scope = { organisationId, userId, today: TODAY }
    const memory = openReportMemory(db, { megabytes: 64 })
    await memory.loadOrganisation(organisationId)
    const { bytes } = memory.stats()
    await memory.preload([organisationId, otherOrganisation])
    expect(memory.stats().organisations).toBe(2)
    await memory.close()

    const small = openReportMemory(db, { megabytes: (bytes + 500) / 2 ** 20 })
    await small.loadOrganisation(organisationId)
    await small.preload([otherOrganisation, organisationId])
    expect(small.stats().organisations).toBe(1)
    await findReportSearchCounts({ db, memory: small }, [{}], scope)
    expect(small.stats().answered).toEqual({ memory: 1, sql: 0 })
    await small.close()
  })
})
