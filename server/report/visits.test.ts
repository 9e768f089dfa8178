import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reportPageSchema } from '#contract/report/report.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../test/world/report-world.ts'
import { recordReportVisit } from './visit-queries.ts'

const PASSWORD = 'Tamngan#2569'

/** Tests D4: changes since the user's last visit, independent of the latest load. Times are in Bangkok. */
onEachEngineInTurn('since my last visit', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let organisationId: number
  let userId: number
  let now: Date

  const at = (moment: string) => {
    now = new Date(`${moment}+07:00`)
  }
  let hash: string
  /** Signs in as a separate device on each call, because sessions expire overnight. */
  const device = async (id = userId) => {
    const [user] = await db.query<{ email: string }>(
      sql`update users set password_hash = ${hash} where id = ${id}::int returning email`,
    )
    return signIn(app, user!.email, PASSWORD)
  }
  const open = async (query = '', id = userId) => {
    const { headers } = await device(id)
    const answer = await app.inject({ url: `/api/v2/projects${query}`, headers })
    expect(answer.statusCode, answer.body).toBe(200)
    const { counts, previous_visit_at, results } = reportPageSchema.parse(answer.json())
    return {
      since: counts.since_visit,
      previous: previous_visit_at,
      ids: results.map((row) => row.project_id).sort(),
      new: counts.new,
    }
  }
  const load = async (moment: string, ids: readonly string[]) => {
    const loadId = await addLoad(db)
    await db.execute(
      sql`update loads set published_at = ${new Date(`${moment}+07:00`).toISOString()}::timestamptz where id = ${loadId}::bigint`,
    )
    await putProjects(
      db,
      loadId,
      ids.map((id) => ({ id })),
    )
    await db.transaction((tx) => matchDataLoadProjects(tx, loadId))
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => now })
    hash = await hashPassword(PASSWORD)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    for (const table of [sql`project_matches`, sql`projects`, sql`loads`]) await db.execute(sql`delete from ${table}`)
    organisationId = await addOrganisation(db)
    userId = await addUser(db, organisationId)
    at('2026-11-19T08:00:00')
  })

  test('the first visit has nothing to compare with', async () => {
    await load('2026-11-19T06:00:00', ['1'])
    expect(await open()).toMatchObject({ since: null, previous: null, new: 1 })
    expect(await open('?project_since_visit=true')).toMatchObject({ since: null, ids: [] })
  })

  test('after a weekend the counter includes all loads since, the change status only the latest', async () => {
    await load('2026-11-19T06:00:00', ['1', '2'])
    at('2026-11-19T09:00:00')
    await open()
    at('2026-11-19T11:30:00')
    await open()
    await load('2026-11-20T06:00:00', ['2', '3'])
    await load('2026-11-21T06:00:00', ['4'])
    await load('2026-11-23T06:00:00', ['5'])
    at('2026-11-23T08:30:00')
    expect(await open()).toEqual({
      since: 4,
      previous: '2026-11-19T04:30:00.000Z',
      ids: ['1', '2', '3', '4', '5'],
      new: 1,
    })
    expect((await open('?project_since_visit=true')).ids).toEqual(['2', '3', '4', '5'])
  })

  test('a visit continues while the report is opened within four hours, and keeps its counter', async () => {
    await load('2026-11-19T06:00:00', ['1'])
    at('2026-11-19T08:00:00')
    await open()
    await load('2026-11-20T06:00:00', ['2'])
    at('2026-11-20T08:00:00')
    expect((await open()).since).toBe(1)
    at('2026-11-20T12:00:00')
    expect((await open()).since).toBe(1)
    at('2026-11-20T15:59:00')
    expect(await open()).toMatchObject({ since: 1, previous: '2026-11-19T01:00:00.000Z' })
    at('2026-11-20T20:00:00')
    expect(await open()).toMatchObject({ since: 0, previous: '2026-11-20T08:59:00.000Z' })
  })

  test('two devices share one visit in any order, and concurrent requests advance it once', async () => {
    await load('2026-11-19T06:00:00', ['1'])
    at('2026-11-19T08:00:00')
    await open()
    await load('2026-11-20T06:00:00', ['2'])
    at('2026-11-20T08:00:00')
    const answers = await Promise.all([open(), open(), open('?page=1'), open()])
    for (const answer of answers) expect(answer).toMatchObject({ since: 1, previous: '2026-11-19T01:00:00.000Z' })
    at('2026-11-20T09:00:00')
    expect((await open()).previous).toBe('2026-11-19T01:00:00.000Z')
  })

  test('facets and ids of a new visit use the same snapshot as its page, and do not advance the visit', async () => {
    await load('2026-11-19T06:00:00', ['1'])
    at('2026-11-19T08:00:00')
    await open()
    await load('2026-11-20T06:00:00', ['2'])
    at('2026-11-20T08:00:00')
    const { headers } = await device()
    for (const path of ['/ids', '/facets']) {
      const answer = await app.inject({ url: `/api/v2/projects${path}?project_since_visit=true`, headers })
      expect(answer.statusCode).toBe(200)
      if (path === '/ids') expect(answer.json()).toEqual({ ids: ['2'], total: 1 })
    }
    const [user] = await db.query<{ seen: string }>(
      sql`select last_seen_at as seen from users where id = ${userId}::int`,
    )
    expect(new Date(user!.seen).toISOString()).toBe('2026-11-19T01:00:00.000Z')
  })

  test('writes the time of a visit at most once a minute', async () => {
    const seen = async () =>
      (await db.query<{ seen: string }>(sql`select last_seen_at as seen from users where id = ${userId}::int`))[0]!.seen
    await open()
    const first = await seen()
    at('2026-11-19T08:00:59')
    await open()
    expect(await seen()).toBe(first)
    at('2026-11-19T08:01:01')
    await open()
    expect(await seen()).not.toBe(first)
  })

  test('visits are separate per user', async () => {
    await load('2026-11-19T06:00:00', ['1'])
    await open()
    at('2026-11-20T08:00:00')
    expect(await open('', await addUser(db, organisationId))).toMatchObject({ since: null, previous: null })
  })

  test('a hanging write of the visit delays no answer and starts only once', async () => {
    at('2026-11-19T09:00:00')
    await recordReportVisit(db, userId, now)
    at('2026-11-19T17:00:00')
    let notes = 0
    // Simulates a database in which no standby confirms writes, so that recording a visit never ends.
    const stuck: OpenDb = {
      ...db,
      query: (statement, options) => {
        if (!statement.text.includes('update users')) return db.query(statement, options)
        notes += 1
        return new Promise(() => undefined)
      },
    }
    const visits = [await recordReportVisit(stuck, userId, now), await recordReportVisit(stuck, userId, now)]
    expect(visits.map((visit) => visit?.endedAt)).toEqual(Array(2).fill('2026-11-19T02:00:00.000Z'))
    expect(notes).toBe(1)
  })
})
