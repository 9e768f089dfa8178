import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openDatabaseReplicas } from '#server/platform/engine/database-replicas.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { formatWalPosition, parseWalPosition } from '#server/platform/engine/replica-reads.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { getProxiedUrl, startFaultProxy } from '../../test/server/fault-proxy.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { type Replicated, startReplicated } from '../../test/server/replicated.ts'
import { addLoad, putProjects, setWords } from '../../test/world/report-world.ts'
import { WAL_POSITION_COOKIE } from './replica-routes.ts'

const MANAGER = 'manager@tharamek.example'
const STAR = { bookmark_action: { action: 'add', project_id: '67119000001' } }
const SOON = { timeout: 15_000 }

describe.skipIf(inject('postgres') === undefined)('without a primary [PostgreSQL]', () => {
  let all: Replicated
  let app: RouteApp
  let user: SignedIn
  let ended: SignedIn
  beforeAll(async () => {
    all = await startReplicated(2, async (db) => {
      await seedSampleOrganisations(db, '2026-11-21')
      const [row] = await db.query<{ id: number }>(
        sql`select organisation_id as id from users where email_key = ${MANAGER}`,
      )
      await setWords(db, row!.id, { include: ['กล้อง'] })
      const load = await addLoad(db)
      await putProjects(db, load, [{ id: '67119000001', name: 'ซื้อกล้องวงจรปิด' }])
      await matchDataLoadProjects(db, load)
    })
    app = await appOn(all.opened.db, { replicas: all.opened })
    user = await signIn(app, MANAGER)
    ended = await signIn(app, MANAGER)
    await app.inject({ method: 'POST', url: '/api/v2/auth/logout/', headers: ended.headers, payload: {} })
  })
  afterAll(async () => {
    await app.close()
    await all.close()
  })
  const get = (url: string, { headers } = user) => app.inject({ url: `/api/v2${url}`, headers })

  test('a hanging primary fails neither a probe nor a query', async () => {
    const wire = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(all.primary.url).port) })
    const primary = createDb(await openPostgres(getProxiedUrl(all.primary.url, wire)))
    const replicas = await openDatabaseReplicas(
      primary,
      all.replicas.map(({ url }) => url),
    )
    const silent = await appOn(replicas.db, { replicas })
    try {
      await expect.poll(() => replicas.hasStandIn(), SOON).toBe(true)
      await expect.poll(async () => (await silent.inject('/readyz')).json().status, SOON).toBe('ok')
      wire.set({ kind: 'hang' })
      const statuses = new Set<number>()
      const questions = [0, 1, 2, 3].map(() => silent.inject({ url: '/api/v2/projects', headers: user.headers }))
      const probe = async () => {
        const answer = await silent.inject('/readyz')
        statuses.add(answer.statusCode)
        return answer.json().status
      }
      await expect.poll(probe, SOON).toBe('read_only')
      for (const question of questions) statuses.add((await question).statusCode)
      expect(await probe()).toBe('read_only')
      expect([...statuses]).toEqual([200])
    } finally {
      await silent.close()
      await replicas.db.close()
      await wire.close()
    }
  })

  test('refuses stale replicas after a star, and shows the star once a replica has replayed it', async () => {
    const manager = await signIn(app, MANAGER)
    const done = await app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: manager.headers, payload: STAR })
    expect(done.statusCode).toBe(200)
    const cookies = Object.fromEntries(done.cookies.map(({ name, value }) => [name, value]))
    expect(Object.keys(cookies)).toContain(WAL_POSITION_COOKIE)
    // A log position that no replica has reached yet.
    const ahead = formatWalPosition(parseWalPosition(cookies[WAL_POSITION_COOKIE]!)! + 1_000_000_000n)
    const fetchStarred = (position: string) =>
      app.inject({
        url: '/api/v2/projects?project_bookmark=true',
        headers: manager.headers,
        cookies: { [WAL_POSITION_COOKIE]: position },
      })
    await expect.poll(() => all.opened.figures().some(({ lagBytes }) => lagBytes === 0), SOON).toBe(true)
    await all.primary.stop('immediate')
    expect((await fetchStarred(cookies[WAL_POSITION_COOKIE]!)).json().total_project).toBe(1)
    expect((await fetchStarred(ahead)).statusCode).toBe(503)
    await all.primary.start()
    const unstar = { bookmark_action: { action: 'remove', project_id: '67119000001' } }
    const back = () =>
      app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: manager.headers, payload: unstar })
    await expect.poll(async () => (await back()).statusCode, SOON).toBe(200)
  })

  test('the most advanced replica answers reads at once, and ended sessions stay ended', async () => {
    await expect.poll(() => all.opened.figures().some(({ lagBytes }) => lagBytes === 0), SOON).toBe(true)
    await all.primary.stop('immediate')
    for (const url of ['/projects', '/users/me', '/projects/facets', '/projects/67119000001']) {
      const answer = await get(url)
      expect([url, answer.statusCode, answer.body.slice(0, 200)]).toEqual([url, 200, expect.anything()])
    }
    expect((await get('/projects')).json().total_project).toBe(1)
    expect((await get('/projects', ended)).statusCode).toBe(401)
    expect((await get('/projects', { ...user, headers: { authorization: 'Bearer x' } })).statusCode).toBe(401)
  })

  test('refuses changes with a reason while readiness keeps the server in rotation', async () => {
    const refused = await app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: user.headers, payload: STAR })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.json().non_field_errors[0]).toContain('ดูข้อมูลได้อย่างเดียว')
    await expect.poll(async () => (await app.inject('/readyz')).json(), SOON).toEqual({ status: 'read_only' })
    expect((await app.inject('/readyz')).statusCode).toBe(200)
  })

  test('a promoted server or a single replica is enough; without either the answer is 503', async () => {
    await all.direct[1]!.execute(sql`select pg_promote()`)
    expect((await get('/projects')).statusCode).toBe(200)
    await all.replicas[0]!.stop('immediate')
    for (let n = 0; n < 5; n += 1) expect((await get('/projects')).statusCode).toBe(200)
    await all.replicas[1]!.stop('immediate')
    await expect.poll(async () => (await get('/projects')).statusCode, SOON).toBe(503)
    await expect.poll(async () => (await app.inject('/readyz')).statusCode, SOON).toBe(503)
  })

  test('recovers with the primary', async () => {
    await all.primary.start()
    const star = () => app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: user.headers, payload: STAR })
    await expect.poll(async () => (await star()).statusCode, SOON).toBe(200)
    await expect.poll(async () => (await app.inject('/readyz')).json().status, SOON).toBe('ok')
    expect((await get('/projects?project_bookmark=true')).json().total_project).toBe(1)
  })
})
