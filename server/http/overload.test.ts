import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { appOn, decodeClaims, type SignedIn, signIn } from '../../test/server/http-app.ts'
import type { RateLimits } from './http-settings.ts'

const REPORT = '/api/v2/projects'

onEachEngine('overload', (makeDb) => {
  let db: OpenDb
  const apps: RouteApp[] = []
  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
  })
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()))
  })

  async function limited(limits: Partial<RateLimits>, on = db): Promise<RouteApp> {
    const app = await appOn(on, { settings: { limits } })
    apps.push(app)
    return app
  }
  const fetchAs = (app: RouteApp, { headers }: SignedIn, url = REPORT) => app.inject({ url, headers })
  const statusesOf = (answers: readonly { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

  test('R42: users of an organisation share its limit without a database query; others are unaffected', async () => {
    const counted = counting(db)
    const app = await limited({ perOrganisation: 3 }, counted.db)
    const [manager, sales, otherUser] = await Promise.all([
      signIn(app, 'manager@tharamek.example'),
      signIn(app, 'sales@tharamek.example'),
      signIn(app, 'bid@noensai.example'),
    ])
    const me = '/api/v2/users/me'
    for (const user of [manager, sales, manager]) expect((await fetchAs(app, user, me)).statusCode).toBe(200)
    const before = counted.queryCount()
    expect(before).toBeGreaterThan(0)
    const refused = await fetchAs(app, sales, me)
    expect(counted.queryCount()).toBe(before)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toEqual({ non_field_errors: [API_PROBLEM_TEXTS.too_many_requests] })
    expect((await fetchAs(app, otherUser, me)).statusCode).toBe(200)
  })

  test('R42: costly routes have their own limit per ten seconds; other routes continue', async () => {
    const app = await limited({ organisationCostly: 2 })
    const manager = await signIn(app, 'manager@tharamek.example')
    expect(statusesOf([await fetchAs(app, manager), await fetchAs(app, manager)])).toEqual([200, 200])
    const refused = await fetchAs(app, manager, `${REPORT}/facets`)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect((await fetchAs(app, manager, '/api/v2/users/me/pulse')).statusCode).toBe(200)
  })

  test('R42: a full queue of one organisation gets 429 with Retry-After while another is answered', async () => {
    const app = await limited({ organisationWaiting: 3 })
    const manager = await signIn(app, 'manager@tharamek.example')
    const otherUser = await signIn(app, 'bid@noensai.example')
    const crowd = Array.from({ length: 30 }, () => fetchAs(app, manager))
    const aside = fetchAs(app, otherUser)
    const answers = await Promise.all(crowd)
    expect((await aside).statusCode).toBe(200)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(15)
    expect(refused[0]!.headers['retry-after']).toBe('2')
    expect(refused[0]!.json()).toEqual({ non_field_errors: [API_PROBLEM_TEXTS.too_many_requests] })
    const late = answers.filter(({ statusCode }) => statusCode === 503)
    for (const answer of late) expect(answer.headers['retry-after']).toBe('2')
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(30 - refused.length - late.length)
    const metrics = (await app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(/^turns\{state="running"\} 0$/m)
    expect(metrics).toMatch(new RegExp(`^turns_refused\\{reason="full"\\} ${refused.length}$`, 'm'))
  })

  test('R42: a PATCH with return=minimal needs no turn, with return=representation it takes one', async () => {
    const app = await limited({ organisationWaiting: 1 })
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const crowd = (prefer: string) =>
      Promise.all(
        Array.from({ length: 20 }, () =>
          app.inject({
            ...{ method: 'PATCH', url: '/api/v2/users/me', headers: { ...headers, prefer } },
            payload: { is_noti_e_bidding: false },
          }),
        ),
      )
    expect(statusesOf(await crowd('return=representation'))).toContain(429)
    expect(new Set(statusesOf(await crowd('return=minimal')))).toEqual(new Set([204]))
  })

  test('R42: a disconnected client releases its turn', async () => {
    const app = await limited({})
    const { access } = await signIn(app, 'manager@tharamek.example')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const lines = [`GET ${REPORT} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${access}`, '', '']
    const leaving = Array.from(
      { length: 12 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => {
            socket.write(lines.join('\r\n'), () => setTimeout(() => socket.destroy(), 15))
          })
          socket.on('close', () => resolve()).on('error', () => undefined)
        }),
    )
    await Promise.all(leaving)
    await expect
      .poll(async () => (await app.inject({ url: '/metrics' })).body, { timeout: 5_000 })
      .toMatch(/^turns\{state="running"\} 0\nturns\{state="waiting"\} 0$/m)
    expect((await fetchAs(app, { headers: { authorization: `Bearer ${access}` } } as SignedIn)).statusCode).toBe(200)
  })

  test('metrics give operators numbers and name no organisation, user or project', async () => {
    const app = await limited({})
    const manager = await signIn(app, 'manager@tharamek.example')
    const { org } = decodeClaims(manager.access)
    await db.script(`
      insert into jobs (kind, key, payload, organisation_id, state, requested_at, run_at, finished_at) values
        ('match', '${org}', '{"all": true}', ${org}, 'waiting', now() - interval '90 seconds', now() - interval '90 seconds', null),
        ('match', '${org}', '{"all": true}', ${org}, 'dead', now(), now(), now());
      insert into loads (source, origin, state, started_at, published_at) values ('x', 'secret.csv', 'published', now() - interval '40 seconds', now())`)
    await fetchAs(app, manager)
    const text = (await app.inject({ url: '/metrics' })).body
    const figure = (name: string) =>
      Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
    expect(figure('jobs_waiting{job="match"}')).toBe(1)
    expect(figure('jobs_oldest_seconds{job="match"}')).toBeGreaterThanOrEqual(90)
    expect(figure('jobs_dead{job="match"}')).toBe(1)
    expect(figure('jobs_waiting{job="export"}')).toBe(0)
    expect(figure('load_duration_seconds')).toBeCloseTo(40, 0)
    expect(Math.abs(figure('load_published_timestamp_seconds') - Date.now() / 1000)).toBeLessThan(60)
    // The report cache polls every two seconds, so a query may occasionally wait for a connection.
    const waiting = async () =>
      /^db_connections\{state="waiting"\} (\S+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1]
    await expect.poll(waiting).toBe('0')
    expect(figure('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    for (const secret of ['tharamek', 'secret.csv', manager.access]) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/[{,](?=[a-z_]*(?:organisation|user|project))[a-z_]+="/)
  })
})

function counting(db: OpenDb): { db: OpenDb; queryCount(): number } {
  let count = 0
  const noting =
    <A extends unknown[], T>(run: (...args: A) => T) =>
    (...args: A): T => {
      count += 1
      return run(...args)
    }
  const noted = { query: noting(db.query), execute: noting(db.execute), transaction: noting(db.transaction) }
  return { db: { ...db, ...noted } as OpenDb, queryCount: () => count }
}
