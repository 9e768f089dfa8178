import { expect, test } from 'vitest'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'

onOneEngine('preloaded matches', (makeDb) => {
  test('are loaded while memory lasts, and evict no organisation', async () => {
    const db = await makeDb()
    const otherOrganisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects, { count: 60 })
    const scope = { organisationId, userId, today: TODAY }
    const memory = openReportMemory(db, { megabytes: 64 })
    await memory.load([organisationId])
    const { bytes } = memory.stats()
    await memory.load([organisationId, otherOrganisation], { canEvict: false })
    expect(memory.stats().organisations).toBe(2)
    await memory.close()

    const small = openReportMemory(db, { megabytes: (bytes + 500) / 2 ** 20 })
    await small.load([organisationId])
    await small.load([otherOrganisation, organisationId], { canEvict: false })
    expect(small.stats().organisations).toBe(1)
    await createReportEngine(db, small).ids([{}], scope, { limit: 0 })
    expect(small.stats().answered).toEqual({ memory: 1, sql: 0 })
    await small.close()
  })

  test('evict no organisation if they do not fit even alone', async () => {
    const db = await makeDb()
    const smaller = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const scope = { organisationId: smaller, userId: await addUser(db, smaller), today: TODAY }
    const { organisationId: larger } = await addPopulation(db, matchDataLoadProjects, { count: 60 })
    const memory = openReportMemory(db, { megabytes: 64 })
    await memory.load([smaller])
    const { bytes } = memory.stats()
    await memory.close()

    const small = openReportMemory(db, { megabytes: (bytes + 100) / 2 ** 20 })
    await small.load([smaller])
    await small.load([larger])
    await createReportEngine(db, small).ids([{}], scope, { limit: 0 })
    expect(small.stats().answered).toEqual({ memory: 1, sql: 0 })
    await small.close()
  })
})
