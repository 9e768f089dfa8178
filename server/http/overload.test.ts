import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { appOn, claimsOf, type SignedIn, signIn } from '../../test/server/http-app.ts'
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
  const ask = (app: RouteApp, { headers }: SignedIn, url = REPORT) => app.inject({ url, headers })
  const statusesOf = (answers: readonly { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode)

  test('R42: the users of one organisation share its limit, without the database being asked; another organisation is not held up', async () => {
    const counted = counting(db)
    const app = await limited({ perOrganisation: 3 }, counted.db)
    const [manager, sales, other] = await Promise.all([
      signIn(app, 'manager@tharamek.example'),
      signIn(app, 'sales@tharamek.example'),
      signIn(app, 'bid@noensai.example'),
    ])
    const me = '/api/v2/users/me'
    for (const one of [manager, sales, manager]) expect((await ask(app, one, me)).statusCode).toBe(200)
    const before = counted.asked()
    expect(before).toBeGreaterThan(0)
    const refused = await ask(app, sales, me)
    expect(counted.asked()).toBe(before)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toEqual({ non_field_errors: [PROBLEM_TEXTS.too_many_requests] })
    expect((await ask(app, other, me)).statusCode).toBe(200)
  })

  test('R42: costly addresses have a limit of their own in ten seconds, the others go on', async () => {
    const app = await limited({ organisationCostly: 2 })
    const manager = await signIn(app, 'manager@tharamek.example')
    expect(statusesOf([await ask(app, manager), await ask(app, manager)])).toEqual([200, 200])
    const refused = await ask(app, manager, `${REPORT}/facets`)
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(10)
    expect((await ask(app, manager, '/api/v2/users/me/pulse')).statusCode).toBe(200)
  })

  test('R42: of a crowd of one organisation some wait, who finds the line full is refused with the time told, and another organisation is answered', async () => {
    const app = await limited({ organisationWaiting: 3 })
    const manager = await signIn(app, 'manager@tharamek.example')
    const other = await signIn(app, 'bid@noensai.example')
    const crowd = Array.from({ length: 30 }, () => ask(app, manager))
    const aside = ask(app, other)
    const answers = await Promise.all(crowd)
    expect((await aside).statusCode).toBe(200)
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThan(15)
    expect(refused[0]!.headers['retry-after']).toBe('2')
    expect(refused[0]!.json()).toEqual({ non_field_errors: [PROBLEM_TEXTS.too_many_requests] })
    // On a busy machine some of the waiting requests may time out.
    const late = answers.filter(({ statusCode }) => statusCode === 503)
    for (const answer of late) expect(answer.headers['retry-after']).toBe('2')
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(30 - refused.length - late.length)
    const metrics = (await app.inject({ url: '/metrics' })).body
    expect(metrics).toMatch(/^turns\{state="running"\} 0$/m)
    expect(metrics).toMatch(new RegExp(`^turns_refused\\{reason="full"\\} ${refused.length}$`, 'm'))
  })

  test('R42: a mark that the browser sets waits for nothing, one that wants the whole user in its answer takes a turn', async () => {
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

  test('R42: callers who go away leave no turn behind', async () => {
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
    expect((await ask(app, { headers: { authorization: `Bearer ${access}` } } as SignedIn)).statusCode).toBe(200)
  })

  test('what an operator watches is told in numbers, and names no organisation, user or project', async () => {
    const app = await limited({})
    const manager = await signIn(app, 'manager@tharamek.example')
    const { org } = claimsOf(manager.access)
    await db.script(`
      insert into jobs (kind, key, payload, organisation_id, state, requested_at, run_at, finished_at) values
        ('match', '${org}', '{"all": true}', ${org}, 'waiting', now() - interval '90 seconds', now() - interval '90 seconds', null),
        ('match', '${org}', '{"all": true}', ${org}, 'dead', now(), now(), now());
      insert into loads (source, origin, state, started_at, published_at) values ('x', 'secret.csv', 'published', now() - interval '40 seconds', now())`)
    await ask(app, manager)
    const text = (await app.inject({ url: '/metrics' })).body
    const figure = (name: string) =>
      Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
    expect(figure('jobs_waiting{job="match"}')).toBe(1)
    expect(figure('jobs_oldest_seconds{job="match"}')).toBeGreaterThanOrEqual(90)
    expect(figure('jobs_dead{job="match"}')).toBe(1)
    expect(figure('jobs_waiting{job="export"}')).toBe(0)
    expect(figure('load_duration_seconds')).toBeCloseTo(40, 0)
    expect(Math.abs(figure('load_published_timestamp_seconds') - Date.now() / 1000)).toBeLessThan(60)
    // The report cache polls every two seconds, so a query may occasionally be waiting.
    const waiting = async () =>
      /^db_connections\{state="waiting"\} (\S+)$/m.exec((await app.inject({ url: '/metrics' })).body)?.[1]
    await expect.poll(waiting).toBe('0')
    expect(figure('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    for (const secret of ['tharamek', 'secret.csv', manager.access]) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/[{,](?=[a-z_]*(?:organisation|user|project))[a-z_]+="/)
  })
})

function counting(db: OpenDb): { db: OpenDb; asked(): number } {
  let asked = 0
  const noting =
    <A extends unknown[], T>(ask: (...args: A) => T) =>
    (...args: A): T => {
      asked += 1
      return ask(...args)
    }
  const noted = { query: noting(db.query), execute: noting(db.execute), transaction: noting(db.transaction) }
  return { db: { ...db, ...noted } as OpenDb, asked: () => asked }
}
