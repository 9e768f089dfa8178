import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { webhookPayloadSchema } from '#contract/account/webhook-payload.ts'
import { writeTestWebhookEvent } from '#server/channels/webhook-event/write-webhook-events.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { isSignedBy, startWebhookReceiver, type TestReceiver } from '../../../test/webhook-receiver.ts'
import {
  addWebhook,
  addWebhookOwner,
  listDeliveries,
  loadWithEvents,
  webhookTestDependencies,
} from '../../../test/world/webhook-world.ts'
import { rotateWebhookSecret } from './queries.ts'
import { readWebhookMetrics } from './webhook-figures.ts'
import { webhookJob } from './webhook-job.ts'
import { createSignedWebhookHeaders, createWebhookSecret } from './webhook-signature.ts'

const START = new Date('2026-11-23T02:00:00Z')
const MINUTE = 60_000
const DAY = 86_400_000
const [ONE, TWO, THREE] = ['67110000001', '67110000002', '67110000003'] as const

test('the signature matches the published example of Standard Webhooks', () => {
  const secret = ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_')
  const at = new Date(1_614_265_330_000)
  const body = '{"test": 2432232314}'
  const headers = createSignedWebhookHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body, at }, [secret])
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  expect(createWebhookSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
})

onEachEngineInTurn('deliveries of webhooks', (makeDb) => {
  let db: OpenDb
  let receiver: TestReceiver
  let owner: { organisationId: number; userId: number }
  let now = START

  beforeAll(async () => {
    db = await makeDb()
    receiver = await startWebhookReceiver()
    owner = await addWebhookOwner(db)
  })
  afterAll(() => receiver.close())
  beforeEach(async () => {
    await emptyTables(db, 'webhooks', 'jobs', 'mails', 'projects', 'project_matches')
    receiver.received.length = 0
    receiver.moods.length = 0
    now = START
  })

  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  const work = () => runDue(webhookJob, { db, now: () => now, parts: webhookTestDependencies })
  const webhook = (over: { url?: string; view?: string } = {}) =>
    addWebhook(db, { ...owner, url: receiver.url, ...over })
  const states = async (id: number) => (await listDeliveries(db, id)).map(({ state, reason }) => reason ?? state)
  const health = async (id: number) =>
    (
      await db.query<{ failures: number; pause_reason: string | null; rests: boolean }>(sql`
        select failures, pause_reason, coalesce(rests_until > ${now.toISOString()}::timestamptz, false) as rests from webhooks where id = ${id}::int`)
    )[0]!
  const toNextTry = async () => {
    const [row] = await db.query<{ at: string }>(
      sql`select min(run_at) as at from jobs where kind = 'webhook' and state = 'waiting'`,
    )
    now = new Date(Math.max(now.getTime(), new Date(row!.at).getTime()))
  }

  test('R81: a new match arrives signed, with id, facts and link, without data of the organisation', async () => {
    const { id, secret } = await webhook()
    await loadWithEvents(db, [{ id: ONE, budget: 123_450 }], now)
    await work()
    const [got] = receiver.received
    expect(receiver.received).toHaveLength(1)
    expect(webhookPayloadSchema.parse(got!.payload)).toEqual(got!.payload)
    expect(got!.payload).toEqual({
      type: 'match.new',
      timestamp: START.toISOString(),
      data: {
        project: {
          ...{
            project_id: ONE,
            name: 'ประกวดราคาซื้อกล้องวงจรปิด',
            dept_name: 'เทศบาลเมืองตัวอย่าง',
            dept_sub_name: 'กองช่าง',
          },
          ...{ project_province: 'กรุงเทพมหานคร', budget: 1234.5, method: 'e_bidding', status: 'in_progress' },
          ...{ movement: 'invited', submission_end_date: null, submission_time: null },
          ...{ winner_name: null, winner_budget: null, winner_announce_date: null },
        },
        url: `https://tamngan.example/report/${ONE}`,
      },
    })
    const [delivery] = await listDeliveries(db, id)
    expect(delivery).toMatchObject({ id: got!.id, state: 'delivered', attempts: 1 })
    expect([isSignedBy(got!, secret), isSignedBy(got!, createWebhookSecret())]).toEqual([true, false])
    expect(got!.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' })
    expect(await db.query(sql`select status, fault, answer from webhook_attempts`)).toEqual([
      { status: 200, fault: null, answer: 'said 200' },
    ])
  })

  test('a receiver library verifies it and rejects a changed body', async () => {
    now = new Date()
    const { secret } = await webhook()
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    const { body, headers } = receiver.received[0]!
    const given = headers as Record<string, string>
    expect(new Webhook(secret).verify(body, given)).toEqual(JSON.parse(body))
    expect(() => new Webhook(secret).verify(`${body} `, given)).toThrow('No matching signature')
  })

  test('R53: retries a failure with the same id and bytes at growing intervals', async () => {
    const { id } = await webhook()
    await loadWithEvents(db, [{ id: ONE }], now)
    receiver.moods.push(500, (response) => void response.socket?.destroy(), 302)
    await work()
    const waits: number[] = []
    for (let tried = 0; tried < 3; tried += 1) {
      const before = now.getTime()
      await toNextTry()
      waits.push(now.getTime() - before)
      // The whole webhook cools down after a broken connection; jobs claimed too early are postponed without an
      // attempt.
      for (let runs = 0; runs < 3 && receiver.received.length < tried + 2; runs += 1) {
        await work()
        if (receiver.received.length < tried + 2) await toNextTry()
      }
    }
    expect(receiver.received).toHaveLength(4)
    expect(new Set(receiver.received.map((delivery) => `${delivery.id} ${delivery.body}`)).size).toBe(1)
    expect(waits[0]! >= 12_000 && waits[0]! <= 18_000, String(waits)).toBe(true)
    expect(waits[2]!).toBeGreaterThan(waits[0]!)
    const tries = await db.query<{ status: number | null; fault: string | null }>(
      sql`select status, fault from webhook_attempts order by id`,
    )
    expect(tries).toEqual([
      { status: 500, fault: null },
      { status: null, fault: 'ECONNRESET' },
      { status: 302, fault: null },
      { status: 200, fault: null },
    ])
    expect([await states(id), await health(id)]).toEqual([
      ['delivered'],
      { failures: 0, pause_reason: null, rests: false },
    ])
  })

  test('R81: a new secret signs alongside the old one for a day, then alone', async () => {
    const { id, secret } = await webhook()
    const nextSecret = createWebhookSecret()
    const { seal } = webhookTestDependencies.webhooks
    const until = new Date(START.getTime() + DAY)
    await db.transaction((tx) =>
      rotateWebhookSecret(tx, owner.organisationId, id, { secret: seal.seal(nextSecret), until }),
    )
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    later(DAY)
    await loadWithEvents(db, [{ id: TWO }], now)
    await work()
    const signed = receiver.received.map((delivery) => [isSignedBy(delivery, nextSecret), isSignedBy(delivery, secret)])
    expect(signed).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('R81: respects 429 and Retry-After for all deliveries of the webhook', async () => {
    await webhook()
    receiver.moods.push((response) => response.writeHead(429, { 'retry-after': '600' }).end())
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }], now)
    await work()
    expect(receiver.received).toHaveLength(1)
    later(9 * MINUTE)
    await work()
    expect(receiver.received).toHaveLength(1)
    later(MINUTE)
    await work()
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2)
  })

  test('R81: a target that does not respond cools down without delaying other webhooks', async () => {
    const slow = await webhook()
    const quick = await webhook({ url: `${receiver.url}/quick` })
    receiver.moods.push(() => undefined)
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }, { id: THREE }], now)
    await work()
    expect(await states(quick.id)).toEqual(['delivered', 'delivered', 'delivered'])
    expect((await listDeliveries(db, slow.id)).map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1])
    expect(await health(slow.id)).toMatchObject({ failures: 1, rests: true })
    later(2 * MINUTE)
    await work()
    expect(await states(slow.id)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  test('R81: 410 pauses it at once, keeps its deliveries, and mails every super user', async () => {
    const { id } = await webhook()
    receiver.moods.push(410)
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }], now)
    await work()
    expect(receiver.received).toHaveLength(1)
    expect([await states(id), (await health(id)).pause_reason]).toEqual([['gone', 'gone'], 'gone'])
    expect(await db.query(sql`select kind, user_id from mails`)).toEqual([
      { kind: 'webhook_paused', user_id: owner.userId },
    ])
    await loadWithEvents(db, [{ id: THREE }], now)
    await work()
    expect([await states(id), receiver.received.length]).toEqual([['gone', 'gone', 'paused'], 1])
  })

  test('three days without a success expire the delivery and pause the webhook, with one mail', async () => {
    const { id } = await webhook()
    receiver.moods.push(...Array.from({ length: 200 }, () => 500))
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    let tries = 1
    for (; tries < 100 && (await states(id))[0] === 'waiting'; tries += 1) {
      await toNextTry()
      await work()
    }
    const days = (now.getTime() - START.getTime()) / DAY
    expect([await states(id), days]).toEqual([['expired'], 3])
    expect(receiver.received.length).toBeGreaterThan(20)
    expect(receiver.received.length).toBeLessThan(60)
    expect((await health(id)).pause_reason).toBe('failing')
    expect(await jobsOf(db, 'mail')).toHaveLength(1)
    const [row] = await db.query(
      sql`select detail from audit_events where kind = 'webhook_paused' order by id desc limit 1`,
    )
    expect(row).toEqual({ detail: { name: 'โปรแกรม', reason: 'failing' } })
  })

  test('one success in three days keeps it going', async () => {
    const { id } = await webhook()
    await loadWithEvents(db, [{ id: ONE }], now)
    receiver.moods.push(500, 200)
    await work()
    later(2 * DAY)
    await work()
    receiver.moods.push(500)
    await loadWithEvents(db, [{ id: TWO }], now)
    await work()
    later(2 * DAY)
    receiver.moods.push(500)
    await work()
    expect([await states(id), (await health(id)).pause_reason]).toEqual([['delivered', 'waiting'], null])
  })

  test('sends nothing while off or while the organisation is closed', async () => {
    const { id } = await webhook()
    await loadWithEvents(db, [{ id: ONE }], now)
    await db.execute(sql`update webhooks set is_on = false`)
    await work()
    await loadWithEvents(db, [{ id: TWO }], now)
    await db.execute(sql`update webhooks set is_on = true`)
    await loadWithEvents(db, [{ id: THREE }], now)
    await db.execute(sql`update organisations set is_disabled = true where id = ${owner.organisationId}::int`)
    await work()
    await db.execute(sql`update organisations set is_disabled = false where id = ${owner.organisationId}::int`)
    expect([await states(id), receiver.received]).toEqual([['off', 'off'], []])
  })

  test('a shared filter limits its events; once unshared, it sends nothing and the log shows why', async () => {
    const filter = { filter: {}, search: [{ key: 'project_id__in', value: [TWO], negation: false }] }
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, shared_with)
      values (${owner.userId}::int, 'shared', 'ของทีม', ${JSON.stringify(filter)}::jsonb, ${owner.organisationId}::int)`)
    const { id } = await webhook({ view: 'shared' })
    await loadWithEvents(db, [{ id: ONE }, { id: TWO }], now)
    await work()
    expect(
      receiver.received.map(({ payload }) => 'project' in payload.data && payload.data.project.project_id),
    ).toEqual([TWO])
    expect(await states(id)).toEqual(['delivered'])
    await db.execute(sql`update saved_filters set shared_with = null`)
    await loadWithEvents(db, [{ id: THREE }], now)
    await work()
    expect(await states(id)).toEqual(['delivered', 'view'])
  })

  test('R80: does not call an internal address, and logs why', async () => {
    const { id } = await webhook({ url: 'https://10.0.0.1/' })
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    const [row] = await db.query<{ fault: string }>(sql`select fault from webhook_attempts`)
    expect([row!.fault, await states(id)]).toEqual([expect.stringContaining('ภายในเครือข่าย'), ['waiting']])
  })

  test('tries a test once, even while paused, without counting it', async () => {
    const { id } = await webhook()
    await db.execute(sql`update webhooks set paused_at = now(), pause_reason = 'failing'`)
    receiver.moods.push(500)
    const send = () => writeTestWebhookEvent(db, { organisationId: owner.organisationId, webhookId: id, at: now })
    await send()
    await work()
    later(DAY)
    await send()
    await work()
    expect(receiver.received.map(({ payload }) => payload.type)).toEqual(['webhook.test', 'webhook.test'])
    expect([await states(id), await health(id)]).toEqual([
      ['test', 'delivered'],
      { failures: 0, pause_reason: 'failing', rests: false },
    ])
  })

  test('figures of the channel cover all organisations', async () => {
    now = new Date()
    await webhook()
    await webhook({ url: `${receiver.url}/gone` })
    receiver.moods.push(500, 410)
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    const off = await webhook()
    await db.execute(sql`update webhooks set is_on = false where id = ${off.id}::int`)
    expect(await readWebhookMetrics(db)).toEqual({
      webhooks: { on: 1, off: 1, paused: 1 },
      deliveries: { waiting: 1, sent_last_hour: 0, dead_last_day: 1 },
      failedTries: 2,
    })
  })

  test('deletes the log after 30 days', async () => {
    const { id } = await webhook()
    await loadWithEvents(db, [{ id: ONE }], now)
    await work()
    await webhookJob.prune!(db, new Date(START.getTime() + 30 * DAY), webhookTestDependencies)
    expect(await states(id)).toEqual(['delivered'])
    await webhookJob.prune!(db, new Date(START.getTime() + 30 * DAY + 1), webhookTestDependencies)
    expect([await states(id), await db.query(sql`select from webhook_attempts`)]).toEqual([[], []])
  })
})
