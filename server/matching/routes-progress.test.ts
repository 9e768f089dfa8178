import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { projectMatchJob } from '#server/jobs/match-job.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { claimJob, recordJobOutcome, renewJobClaim } from '#server/platform/queue/queries.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'

const AT = new Date('2026-11-21T03:00:00Z')
const IDLE = { state: 'idle', done: 0, total: 0, finished_at: null }

onEachEngine('GET /organisations/me/matching', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let ownHeaders: Record<string, string>
  let strangerHeaders: Record<string, string>
  let organisation: number
  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db)
    ownHeaders = (await signIn(app, 'manager@tharamek.example')).headers
    strangerHeaders = (await signIn(app, 'manager@noensai.example')).headers
    const [row] = await db.query<{ id: number }>(sql`
      select organisation_id as id from users where email_key = 'manager@tharamek.example'`)
    organisation = row!.id
  })
  afterAll(() => app.close())
  const progress = async (headers = ownHeaders) =>
    (await app.inject({ url: '/api/v2/organisations/me/matching', headers })).json<unknown>()

  test('reports idle, waiting, running and done with counts, only to the own organisation', async () => {
    expect(await progress()).toEqual(IDLE)
    await db.transaction((tx) => enqueueProjectMatchJob(tx, organisation, { expressions: ['กล้อง'] }, AT))
    expect(await progress()).toEqual({ ...IDLE, state: 'waiting' })
    const claim = (await claimJob(db, projectMatchJob, 'worker', AT))!
    expect(await progress()).toEqual({ ...IDLE, state: 'running' })
    await renewJobClaim(db, projectMatchJob, claim, { now: AT, progress: { done: 1_200, total: 5_000 } })
    expect(await progress()).toEqual({ ...IDLE, state: 'running', done: 1_200, total: 5_000 })
    expect(await progress(strangerHeaders)).toEqual(IDLE)
    await recordJobOutcome(db, claim, { state: 'done', progress: undefined }, AT)
    expect(await progress()).toEqual({ ...IDLE, finished_at: AT.toISOString() })
  })

  test('reports a failed run', async () => {
    await db.transaction((tx) => enqueueProjectMatchJob(tx, organisation, { all: true }, AT))
    const claim = (await claimJob(db, projectMatchJob, 'worker', AT))!
    await recordJobOutcome(db, claim, { state: 'dead', error: 'Error' }, AT)
    expect(await progress()).toEqual({ ...IDLE, state: 'failed', finished_at: AT.toISOString() })
  })
})
