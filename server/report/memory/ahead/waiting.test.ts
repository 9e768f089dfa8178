import { afterEach, beforeEach, expect, test } from 'vitest'
import { matchLoad } from '#server/matching/match-load.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { answerFacets, answerPage } from '#server/report/answer.ts'
import { ReportMemory } from '#server/report/memory/report-memory.ts'
import type { ReportScope } from '#server/report/queries.ts'
import { onEachEngine } from '../../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../../test/world/report-population.ts'
import { addLoad, putProjects } from '../../../../test/world/report-world.ts'

onEachEngine('a question that meets what is being read', (makeDb) => {
  let db: OpenDb
  /** The same database with statements that can be blocked. */
  let slow: Db
  let scope: ReportScope
  let memory: ReportMemory
  /** The statement to block until `letGo` resolves. */
  let held: { readonly name: string; readonly begun: () => void; readonly letGo: Promise<void> } | undefined

  const ask = async (from: ReportMemory | undefined) => ({
    page: await answerPage({ db, memory: from }, {}, scope),
    money: (await answerFacets({ db, memory: from }, {}, scope)).money,
  })
  const load = (id: string) =>
    db.transaction(async (tx) => {
      const loadId = await addLoad(tx)
      await putProjects(tx, loadId, [{ id, name: 'ซื้อกล้องอีกตัว' }])
      await matchLoad(tx, loadId)
    })

  beforeEach(async () => {
    db = await makeDb()
    held = undefined
    const { organisationId, userId } = await addPopulation(db, matchLoad, { count: 30 })
    scope = { organisationId, userId, today: TODAY }
    slow = {
      ...db,
      query: async (statement, options) => {
        if (held && options?.name === held.name) {
          held.begun()
          await held.letGo
        }
        return await db.query(statement, options)
      },
    }
    memory = new ReportMemory(slow, { megabytes: 64 })
    await memory.hold(organisationId)
  })
  afterEach(() => memory.stop())

  test('waits a moment, and is then answered by SQL; what was read meanwhile answers the next one', async () => {
    const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    held = { name: 'projects_page_of_load', begun: begun.resolve, letGo: letGo.promise }
    await load('67000000903')
    const wanted = await ask(undefined)
    const [answer] = await Promise.all([ask(memory), begun.promise])
    expect(answer).toEqual(wanted)
    expect(memory.figures().answered).toEqual({ memory: 0, sql: 2 })
    letGo.resolve()
    await memory.hold(scope.organisationId)
    expect(await ask(memory)).toEqual(wanted)
    expect(memory.figures().answered).toEqual({ memory: 2, sql: 2 })
  })

  test('that was counted before a write and read behind it is asked once more, and says what was written', async () => {
    const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    held = { name: 'report_page', begun: begun.resolve, letGo: letGo.promise }
    const before = await ask(undefined)
    const asked = answerPage({ db: slow, memory }, {}, scope)
    await begun.promise
    await load('67000000904')
    await memory.hold(scope.organisationId)
    letGo.resolve()
    const answer = await asked
    expect(answer.stored.total).toBe(before.page.stored.total + 1)
    expect(answer).toEqual((await ask(undefined)).page)
    expect(memory.figures().answered).toEqual({ memory: 1, sql: 0 })
  })
})
