import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { projectMatchJob } from '#server/jobs/match-job.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { type OpenDb, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { runDue } from '../../test/jobs.ts'
import { SLOW_MACHINE_OPTIONS } from '../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../test/server/pgbouncer.ts'
import { addLoad, putProjects, setWords } from '../../test/world/report-world.ts'

const USERS = ['manager@tharamek.example', 'manager@noensai.example']
/**
 * Fewer connections than the server would open itself, so that state left on a connection would reach another session.
 */
const CONNECTIONS = 3
const PROJECTS = ['67119000001', '67119000002']

describe.skipIf(inject('postgres') === undefined || !hasPgBouncer())('through PgBouncer in transaction mode', () => {
  let database: Awaited<ReturnType<typeof makeMigratedPostgres>>
  let pooler: PgBouncer
  let direct: OpenDb
  let dbs: OpenDb[]
  let apps: RouteApp[]
  beforeAll(async () => {
    database = await makeMigratedPostgres()
    direct = createDb(await openPostgres(database.url, SLOW_MACHINE_OPTIONS))
    await seedSampleOrganisations(direct, '2026-11-21')
    for (const email of USERS) {
      const [organisation] = await direct.query<{ id: number }>(sql`
        select organisation_id as id from users where email_key = ${email}`)
      await setWords(direct, organisation!.id, { include: ['กล้อง'] })
    }
    const load = await addLoad(direct)
    await putProjects(
      direct,
      load,
      PROJECTS.map((id) => ({ id, name: `ซื้อกล้องวงจรปิด ${id}` })),
    )
    await matchDataLoadProjects(direct, load)
    pooler = await startPgBouncer(database.url, { connections: CONNECTIONS })
    dbs = await Promise.all(
      [0, 1].map(async () =>
        createDb(await openPostgres(pooler.url, { ...SLOW_MACHINE_OPTIONS, watchUrl: database.url })),
      ),
    )
    apps = await Promise.all(dbs.map((db) => appOn(db)))
  })
  afterAll(async () => {
    for (const app of apps) await app.close()
    for (const db of dbs) await db.close()
    await pooler.stop()
    await direct.close()
    await database.drop()
  })

  const organisations = () =>
    direct.query<{ organisationId: number; userId: number; email: string }>(sql`
      select organisation_id as "organisationId", id as "userId", email_key as email from users where email_key = any(${USERS})`)

  test('is detected, and so is a direct connection', async () => {
    expect(await dbs[0]!.isPooled()).toBe(true)
    expect(await direct.isPooled()).toBe(false)
  })

  test('users sign in, star and read on two servers at once, and each sees only their own data', async () => {
    const stories = USERS.flatMap((email) =>
      apps.map(async (app, n) => {
        const { headers }: SignedIn = await signIn(app, email)
        const get = async (url: string) => {
          const answer = await app.inject({ url: `/api/v2${url}`, headers })
          expect([url, answer.statusCode]).toEqual([url, 200])
          return answer.json()
        }
        const act = async (action: 'add' | 'remove', id: string) => {
          const answer = await app.inject({
            ...{ method: 'PATCH', url: '/api/v2/users/me', headers },
            payload: { bookmark_action: { action, project_id: id } },
          })
          expect(answer.statusCode).toBe(200)
        }
        for (let round = 0; round < 10; round += 1) {
          await act('add', PROJECTS[n]!)
          expect((await get('/users/me')).email).toBe(email)
          expect((await get('/users/me')).project_bookmark).toContain(PROJECTS[n])
          expect((await get('/projects?project_bookmark=true')).total_project).toBeGreaterThan(0)
          await act('remove', PROJECTS[n]!)
          expect((await get('/users/me')).project_bookmark).not.toContain(PROJECTS[n])
        }
      }),
    )
    await Promise.all(stories)
  }, 120_000)

  test('R25: a reused connection never keeps the previous tenant, even after errors, rollbacks and timeouts', async () => {
    const whos = await organisations()
    const seen = () => dbs[0]!.query<{ id: number }>(sql`select id from users`, { name: 'seen' })
    const rounds = Array.from({ length: 40 }, async (_, n) => {
      const tenant = whos[n % whos.length]!
      await runAsTenant(tenant, async () => {
        const visible = await seen()
        expect(visible.map(({ id }) => id)).toContain(tenant.userId)
        const strangers = whos.filter(({ organisationId }) => organisationId !== tenant.organisationId)
        for (const { userId } of strangers) expect(visible.map(({ id }) => id)).not.toContain(userId)
        if (n % 3 === 0) await expect(dbs[1]!.query(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
        if (n % 3 === 1)
          await expect(
            dbs[1]!.transaction(async (tx) => {
              await tx.query(sql`select 1`, { timeoutMs: 5_000 })
              throw new Error('no')
            }),
          ).rejects.toThrow('no')
      })
    })
    await Promise.all(rounds)
    await expect(dbs[0]!.query(sql`select pg_sleep(20)`, { timeoutMs: 300 })).rejects.toBeInstanceOf(QueryTimeoutError)
    const left = await dbs[0]!.transaction(async (tx) => {
      await tx.script('reset role')
      return await tx.query(sql`select count(*) from users`)
    })
    expect(left).toHaveLength(1)
    const stranger = new pg.Client({ connectionString: pooler.url })
    await stranger.connect()
    for (let n = 0; n < 10; n += 1) {
      const { rows } = await stranger.query(`
        select current_user = session_user as itself, coalesce(current_setting('app.organisation', true), '') as organisation,
          current_setting('statement_timeout') as "limit", current_setting('jit') as jit, current_setting('search_path') as path`)
      expect(rows).toEqual([{ itself: true, organisation: '', limit: '0', jit: 'on', path: '"$user", public' }])
    }
    await stranger.end()
  }, 60_000)

  test('supports savepoints, a timeout within one, and statements outside a transaction', async () => {
    const [db] = dbs
    await db!.script('create table savepoints (n int)')
    await db!.transaction(async (tx) => {
      await tx.execute(sql`insert into savepoints values (1)`)
      await tx
        .transaction(async (inner) => {
          await inner.execute(sql`insert into savepoints values (2)`, { timeoutMs: 2_000 })
          await inner.query(sql`select pg_sleep(5)`, { timeoutMs: 200 })
        })
        .catch((error: unknown) => expect(error).toBeInstanceOf(QueryTimeoutError))
      await tx.execute(sql`insert into savepoints select 3 from pg_sleep(0.4)`)
    })
    expect(await db!.query(sql`select n from savepoints order by n`)).toEqual([{ n: 1 }, { n: 3 }])
    await db!.script('vacuum (analyze) savepoints')
  })

  test('two workers run a job exactly once', async () => {
    const [organisation] = await organisations()
    await dbs[0]!.transaction((tx) =>
      enqueueProjectMatchJob(tx, organisation!.organisationId, { all: true }, new Date()),
    )
    const runs = await Promise.all(dbs.map((db) => runDue(projectMatchJob, { db, now: new Date(Date.now() + 60_000) })))
    expect(runs.reduce((sum, count) => sum + count, 0)).toBe(1)
    const open = await direct.query(sql`select from jobs where state <> 'done' and kind = ${projectMatchJob.kind}`)
    expect(open).toEqual([])
  })
})
