import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db, OpenDb } from '#server/platform/engine/db.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { findReportFacets } from '#server/report/report-lists.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { ProjectCache } from './project-cache.ts'

onEachEngine('a query during a load into memory', (makeDb) => {
  let db: OpenDb
  let slow: Db
  let scope: ReportScope
  let memory: ReturnType<typeof openReportMemory>
  /** The statement to block until `released` resolves. */
  let blocked: { readonly name: string; readonly begun: () => void; readonly released: Promise<void> } | undefined

  const request = async (from: ReturnType<typeof openReportMemory> | undefined) => ({
    page: await createReportEngine(db, from).page({}, scope),
    money: (await findReportFacets(createReportEngine(db, from), {}, scope)).money,
  })
  const load = (id: string, winner: string | null = null) =>
    db.transaction(async (tx) => {
      const loadId = await addLoad(tx)
      await putProjects(tx, loadId, [{ id, name: 'ซื้อกล้องอีกตัว', winner }])
      await matchDataLoadProjects(tx, loadId)
    })

  beforeEach(async () => {
    db = await makeDb()
    blocked = undefined
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects, { count: 30 })
    scope = { organisationId, userId, today: TODAY }
    slow = {
      ...db,
      query: async (statement, options) => {
        if (blocked && options?.name === blocked.name) {
          blocked.begun()
          await blocked.released
        }
        return await db.query(statement, options)
      },
    }
    memory = openReportMemory(slow, { megabytes: 64 })
    await memory.load([organisationId])
  })
  afterEach(() => memory.close())

  test('falls back to SQL; memory answers the next query', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    blocked = { name: 'projects_page_of_load', begun: begun.resolve, released: release.promise }
    await load('67000000903')
    const expected = await request(undefined)
    const [answer] = await Promise.all([request(memory), begun.promise])
    expect(answer).toEqual(expected)
    expect(memory.stats().answered).toEqual({ memory: 0, sql: 2 })
    release.resolve()
    await memory.load([scope.organisationId])
    expect(await request(memory)).toEqual(expected)
    expect(memory.stats().answered).toEqual({ memory: 2, sql: 2 })
  })

  test('falls back to SQL when a write was loaded between counting and reading, and returns the new state', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    blocked = { name: 'report_page', begun: begun.resolve, released: release.promise }
    const before = await request(undefined)
    const pendingPage = createReportEngine(slow, memory).page({}, scope)
    await begun.promise
    await load('67000000904')
    await memory.load([scope.organisationId])
    release.resolve()
    const answer = await pendingPage
    expect(answer.stored.total).toBe(before.page.stored.total + 1)
    expect(answer).toEqual((await request(undefined)).page)
    expect(memory.stats().answered).toEqual({ memory: 0, sql: 1 })
  })

  test('a word that an earlier query searches meanwhile is searched again afterwards', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const projects = new ProjectCache(slow, { maxBytes: 2 ** 26, signal: new AbortController().signal })
    await projects.refresh()
    const { columns, words } = projects.current!
    const winner = parseSearchExpressionOrThrow('ผู้ชนะรายใหม่')
    const listRows = () => new Int32Array(columns.size).map((_, row) => row)
    const find = () => words.find(winner, ['winner'], listRows())
    blocked = { name: 'projects_page_of_load', begun: begun.resolve, released: release.promise }
    await load('67000000905', 'บริษัท ผู้ชนะรายใหม่ จำกัด')
    const refreshing = projects.refresh()
    await begun.promise
    expect(await find()).not.toContain(1)
    release.resolve()
    await refreshing
    expect(await find()).toContain(1)
  })
})
