import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_WEBHOOKS, type Webhooks, webhooksSchema } from '#contract/account/webhook.ts'
import { webhookPayloadSchema } from '#contract/account/webhook-payload.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { isSignedBy, startWebhookReceiver, type TestReceiver } from '../../../test/webhook-receiver.ts'
import { addUser } from '../../../test/world/report-world.ts'
import { addWebhookOwner, loadWithEvents, webhookTestDependencies } from '../../../test/world/webhook-world.ts'
import { webhookJob } from './webhook-job.ts'

const PASSWORD = 'Tamngan#2569'
const HOOKS = '/api/v2/organisations/me/webhooks'
const [ONE, TWO] = ['67110000001', '67110000002'] as const

onEachEngineInTurn('webhooks', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let receiver: TestReceiver
  let organisationId: number
  let userId: number
  let colleagueId: number
  let owner: SignedIn
  let now = new Date('2026-11-23T02:00:00Z')
  const start = now

  beforeAll(async () => {
    db = await makeDb()
    receiver = await startWebhookReceiver()
    ;({ organisationId, userId } = await addWebhookOwner(db))
    const hash = await hashPassword(PASSWORD)
    const [user] = await db.query<{ email: string }>(
      sql`update users set password_hash = ${hash} where id = ${userId}::int returning email`,
    )
    colleagueId = await addUser(db, organisationId)
    await db.execute(sql`update users set role = 'super_user' where id = ${colleagueId}::int`)
    app = await appOn(db, { now: () => now, settings: { localWebhooks: true, publicUrl: 'https://tamngan.example' } })
    owner = await signIn(app, user!.email, PASSWORD)
  })
  afterAll(async () => {
    await app.close()
    await receiver.close()
  })
  beforeEach(async () => {
    await emptyTables(db, 'webhooks', 'jobs', 'use_counts', 'mails', 'audit_events', 'projects', 'project_matches')
    receiver.received.length = 0
    receiver.moods.length = 0
    now = start
  })

  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url: `${HOOKS}${url}`, headers: owner.headers, ...(payload && { payload }) })
  const make = (body: object = {}) =>
    call('POST', '', {
      ...{ name: 'ระบบบัญชี', url: receiver.url, events: ['match.new'], view: null },
      ...body,
    })
  const made = async (body: object = {}): Promise<{ id: number; secret: string }> => (await make(body)).json()
  const list = async (): Promise<Webhooks> => webhooksSchema.parse((await call('GET', '')).json())
  const log = async (id: number, query = '') => (await call('GET', `/${id}/deliveries${query}`)).json()
  const work = () => runDue(webhookJob, { db, now: () => now, parts: webhookTestDependencies })

  test('R14: shows the secret once, stores it encrypted, and signs deliveries with it', async () => {
    const { id, secret } = await made()
    expect(secret).toMatch(/^whsec_/)
    const [stored] = await db.query<{ secret: string }>(sql`select secret from webhooks`)
    expect([stored!.secret.includes(secret.slice(6)), JSON.stringify(await list()).includes(secret)]).toEqual([
      false,
      false,
    ])
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    expect(isSignedBy(receiver.received[0]!, secret)).toBe(true)
    expect((await list()).webhooks).toMatchObject([
      { id, counts: { waiting: 0, delivered: 1, dead: 0 }, last: { status: 200, fault: null } },
    ])
  })

  test('R64: creating, moving and a new secret need a proof within ten minutes; rename, pause and delete do not', async () => {
    const { id } = await made()
    now = new Date(start.getTime() + 10 * 60_000)
    for (const stale of [
      await make(),
      await call('PATCH', `/${id}`, { name: 'ย้าย', url: `${receiver.url}/2` }),
      await call('POST', `/${id}/secret`),
    ])
      expect([stale.statusCode, stale.json().code, stale.json().ways]).toEqual([403, 'proof_needed', ['password']])
    expect((await list()).webhooks).toMatchObject([{ name: 'ระบบบัญชี', url: receiver.url, old_secret_until: null }])
    for (const quick of [{ name: 'ระบบใหม่' }, { is_on: false }, { url: receiver.url, events: ['project.winner'] }])
      expect((await call('PATCH', `/${id}`, quick)).statusCode).toBe(204)
    expect((await list()).webhooks).toMatchObject([{ name: 'ระบบใหม่', is_on: false, events: ['project.winner'] }])
    const proof = { method: 'POST', url: '/api/v2/users/me/proof', headers: owner.headers } as const
    expect((await app.inject({ ...proof, payload: { password: PASSWORD } })).statusCode).toBe(204)
    expect((await call('PATCH', `/${id}`, { url: `${receiver.url}/2` })).statusCode).toBe(204)
    expect((await call('POST', `/${id}/secret`)).json().secret).toMatch(/^whsec_/)
    expect((await list()).webhooks[0]!.url).toBe(`${receiver.url}/2`)
    now = new Date(start.getTime() + 20 * 60_000)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
  })

  test('R59: creating, moving, a new secret and deleting write audit rows; super users get a mail that names only the host', async () => {
    const { id } = await made()
    await call('PATCH', `/${id}`, { name: 'ระบบใหม่' })
    now = new Date(start.getTime() + 1000)
    await call('PATCH', `/${id}`, { url: `${receiver.url}/2` })
    await call('POST', `/${id}/secret`)
    await call('DELETE', `/${id}`)
    const host = new URL(receiver.url).host
    expect(await db.query(sql`select detail from audit_events where kind = 'webhook_changed' order by id`)).toEqual(
      [
        { did: 'make', name: 'ระบบบัญชี', host },
        { did: 'edit', name: 'ระบบใหม่' },
        { did: 'edit', name: 'ระบบใหม่', host },
        { did: 'secret', name: 'ระบบใหม่' },
        { did: 'remove', name: 'ระบบใหม่' },
      ].map((detail) => ({ detail })),
    )
    const mails = await db.query<{ kind: string; user_id: number }>(sql`select kind, user_id from mails order by id`)
    const kinds = ['webhook_made', 'webhook_moved', 'webhook_secret']
    expect(mails).toEqual(kinds.flatMap((kind) => [userId, colleagueId].map((user_id) => ({ kind, user_id }))))
  })

  test('R80: rejects internal, non-HTTPS, credential and odd-port addresses at the field', async () => {
    for (const url of [
      ...['https://10.0.0.1/', 'https://169.254.169.254/latest', 'http://hooks.example/', 'https://u:p@hooks.example/'],
      ...[
        'https://[fd00::1]/',
        'https://hooks.example:25/',
        'https://[::ffff:10.0.0.1]/',
        'ftp://hooks.example/',
        'nonsense',
      ],
    ]) {
      const answer = await make({ url })
      expect([answer.statusCode, answer.json().url?.length], url).toEqual([400, 1])
    }
    const production = await appOn(db, { now: () => now })
    const payload = { name: 'x', url: receiver.url, events: ['match.new'], view: null }
    const answer = await production.inject({ method: 'POST', url: HOOKS, headers: owner.headers, payload })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['non_field_errors', 'url']])
    await production.close()
    expect((await list()).webhooks).toEqual([])
  })

  test('R45: one of five parallel requests gets the last free slot', async () => {
    await db.execute(sql`
      insert into webhooks (organisation_id, made_by, name, url, events, secret, created_at)
      select ${organisationId}::int, ${userId}::int, 'x', 'https://hooks.example/', '{match.new}', 'x', now() from generate_series(2, ${MAX_WEBHOOKS}::int)`)
    const answers = await Promise.all(Array.from({ length: 5 }, () => make()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400])
    expect((await list()).webhooks).toHaveLength(MAX_WEBHOOKS)
  })

  test('requires a view that the team shares', async () => {
    const filter = JSON.stringify({ filter: {}, search: [] })
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, shared_with) values
        (${colleagueId}::int, 'shared', 'ของทีม', ${filter}::jsonb, ${organisationId}::int),
        (${colleagueId}::int, 'private', 'ของฉัน', ${filter}::jsonb, null)`)
    expect((await list()).views).toEqual([{ owner: colleagueId, id: 'shared', name: 'ของทีม' }])
    expect((await make({ view: { owner: colleagueId, id: 'private' } })).json()).toHaveProperty('view')
    await made({ view: { owner: colleagueId, id: 'shared' } })
    const view = async () => (await list()).webhooks[0]!.view
    expect(await view()).toEqual({ owner: colleagueId, id: 'shared', name: 'ของทีม' })
    await db.execute(sql`update saved_filters set shared_with = null`)
    expect(await view()).toEqual({ owner: colleagueId, id: 'shared', name: null })
    await db.execute(sql`delete from saved_filters`)
  })

  test('lists the log by state, in pages, with payload and each try', async () => {
    const { id } = await made()
    receiver.moods.push(500)
    const ids = Array.from({ length: 60 }, (_, i) => String(67_110_000_000 + i))
    await loadWithEvents(
      db,
      ids.map((project) => ({ id: project })),
      now,
    )
    await db.execute(sql`update webhook_deliveries set state = 'delivered' where project_id > ${ids[2]!}`)
    await work()
    const first = await log(id)
    const nextPage = await log(id, `?before=${encodeURIComponent(first.more)}`)
    expect([first.deliveries.length, nextPage.deliveries.length, nextPage.more]).toEqual([50, 10, null])
    const seen = [...first.deliveries, ...nextPage.deliveries].map(
      ({ project_id }: { project_id: string }) => project_id,
    )
    expect(new Set(seen)).toEqual(new Set(ids))
    const waiting = await log(id, '?state=waiting')
    expect(waiting.deliveries).toMatchObject([{ state: 'waiting', attempts: 1, last: { status: 500 } }])
    expect(new Date(waiting.deliveries[0].next_at) > now).toBe(true)
    const detail = (await call('GET', `/${id}/deliveries/${waiting.deliveries[0].id}`)).json()
    expect(detail.tries).toMatchObject([{ status: 500, fault: null, answer: 'said 500' }])
    expect(detail.body).toBe(receiver.received[0]!.body)
    expect(webhookPayloadSchema.safeParse(JSON.parse(detail.body)).success).toBe(true)
    for (const before of ['x', '2026 x', '2026-11-23T02:00:00.000Z'])
      expect([200, 400], before).toContain((await call('GET', `/${id}/deliveries?before=${before}`)).statusCode)
  })

  test('resends missed deliveries on request, one or all since a time, with the same id', async () => {
    const { id } = await made()
    receiver.moods.push(410)
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }], now)
    await work()
    const dead = (await log(id, '?state=dead')).deliveries.map((delivery: { id: string }) => delivery.id)
    expect(dead).toHaveLength(2)
    expect((await call('POST', `/${id}/deliveries/${dead[0]}/resend`)).statusCode).toBe(400)
    expect((await list()).webhooks[0]!.paused).toMatchObject({ reason: 'gone' })
    expect((await call('PATCH', `/${id}`, { is_on: true })).statusCode).toBe(204)
    expect((await list()).webhooks[0]).toMatchObject({ paused: null, failing_since: null })
    now = new Date(start.getTime() + 10 * 60_000)
    expect((await call('POST', `/${id}/resend`, { since: now.toISOString() })).json()).toEqual({ resent: 0 })
    expect((await call('POST', `/${id}/resend`, { since: start.toISOString() })).json()).toEqual({ resent: 2 })
    expect((await call('POST', `/${id}/resend`, { since: start.toISOString() })).json()).toEqual({ resent: 0 })
    await work()
    expect([receiver.received.length, new Set(receiver.received.map((delivery) => delivery.id))]).toEqual([
      3,
      new Set(dead),
    ])
    expect((await log(id, '?state=delivered')).deliveries).toHaveLength(2)
    expect((await call('POST', `/${id}/deliveries/${dead[0]}/resend`)).statusCode).toBe(204)
    await work()
    expect(receiver.received.filter((delivery) => delivery.id === dead[0]).length).toBeGreaterThanOrEqual(2)
    expect((await jobsOf(db, 'webhook')).every(({ state }) => state === 'done' || state === 'cancelled')).toBe(true)
  })

  test('R42: limits tests and resends for each organisation', async () => {
    const { id } = await made()
    const statuses: number[] = []
    for (let n = 0; n < 21; n += 1) statuses.push((await call('POST', `/${id}/test`)).statusCode)
    expect([statuses.slice(0, 20).every((status) => status === 200), statuses[20]]).toEqual([true, 429])
    await work()
    expect(receiver.received).toHaveLength(20)
    const [{ id: delivery }] = (await log(id)).deliveries
    expect((await call('POST', `/${id}/deliveries/${delivery}/resend`)).statusCode).toBe(400)
  })

  test('a deleted one sends nothing and loses its log', async () => {
    const { id } = await made()
    await loadWithEvents(db, [{ id: ONE }], now)
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    await work()
    expect(receiver.received).toEqual([])
    expect((await call('GET', `/${id}/deliveries`)).statusCode).toBe(404)
    expect(await db.query(sql`select from webhook_deliveries`)).toEqual([])
  })
})
