import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHANNEL_MESSAGE_KINDS } from '#contract/channels/channel.ts'
import { MAX_PUSH_DEVICES } from '#contract/channels/push.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingPost } from '#server/platform/outgoing/outgoing-post.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import { createMailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { startPushServer, TEST_PUSH, type TestBrowser, type TestPushServer } from '../../../test/server/push-server.ts'
import { connectTestChannel, listChannelMessages, sendDueMessages } from '../../../test/world/channel-world.ts'
import { loadAndNotify, starProjects } from '../../../test/world/notification-world.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { createPushSender } from './push-sender.ts'
import { listPushDevices, registerPushDevice, renewPushDevice } from './queries.ts'

const NOON = new Date('2026-11-20T12:00:00+07:00')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const DUE = later(10)
const tokens = createMailLinkTokens([TEST_SECRET])

onEachEngineInTurn('web push', (makeDb) => {
  let db: OpenDb
  let service: TestPushServer
  let organisationId: number
  let userId: number
  const sender = createPushSender({ ...TEST_PUSH, tokens })
  const send = (now: Date) => sendDueMessages(db, [sender], now)
  const session = async (user = userId) => {
    const id = `session-${Math.random()}`
    await db.execute(
      sql`insert into sessions (id, user_id, expires_at) values (${id}, ${user}::int, now() + interval '1 day')`,
    )
    return id
  }
  const add = async (browser: TestBrowser, sessionId?: string, user = userId) => {
    const owner = { userId: user, organisationId, sessionId: sessionId ?? (await session(user)) }
    return db.transaction((tx) => registerPushDevice(tx, owner, browser.address, { userAgent: 'x', at: NOON }))
  }
  const notify = async (at = NOON, ...ids: string[]) => {
    const projectIds = ids.length === 0 ? ['69119000001'] : ids
    await loadAndNotify(
      db,
      projectIds.map((id) => ({ id, name: `ซื้อกล้อง ${id}`, submissionEndsOn: '2026-11-24' })),
      { at },
    )
    await starProjects(db, userId, ...projectIds)
    await loadAndNotify(db, [], { at })
  }
  const states = async () => (await listChannelMessages(db)).map(({ state }) => state)
  const names = async () => (await listPushDevices(db, userId)).length

  beforeAll(async () => {
    db = await makeDb()
    service = await startPushServer()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    await emptyTables(db, 'organisations', 'projects', 'loads', 'jobs', 'notifications')
    organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    userId = await addUser(db, organisationId)
  })
  afterEach(() => {
    expect(service.complaints).toEqual([])
    service.received.length = 0
    service.moods.length = 0
    service.moodOf.clear()
    service.onMessage = undefined
  })

  test('a browser gets the message encrypted and signed, with TTL, urgency and topic, and without prices', async () => {
    await add(service.browser('desk'))
    await notify()
    await send(DUE)
    expect(service.received).toEqual([
      {
        browser: 'desk',
        payload: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          title: 'ยื่นข้อเสนอ เหลือ 4 วัน',
          body: 'ซื้อกล้อง 69119000001\nกองช่าง',
          path: '/report/69119000001',
          unread: 1,
          at: DUE.getTime(),
          relevant: expect.any(String),
          irrelevant: expect.any(String),
          seen: expect.any(String),
        },
        ttl: 72 * 3_600,
        urgency: 'high',
        topic: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ])
    expect(JSON.stringify(service.received)).not.toMatch(/100000000|1,000,000/)
    expect(await states()).toEqual(['sent'])
    for (const kind of ['relevant', 'irrelevant', 'seen'] as const)
      expect(tokens.read(service.received[0]!.payload[kind]!)).toMatchObject({
        ok: true,
        claims: { kind, userId, subject: '69119000001' },
      })
  })

  test('a notification about one unstarred project offers a star; several projects share one notification', async () => {
    await add(service.browser('desk'))
    await connectTestChannel(db, { userId, organisationId }, 'push', {
      kinds: CHANNEL_MESSAGE_KINDS.map(({ code }) => code),
    })
    await notify(NOON, '69119000001', '69119000002')
    await send(DUE)
    expect(
      service.received.map(({ payload }) => [
        payload.title,
        payload.body.split('\n').length,
        payload.path,
        payload.star,
        payload.relevant,
      ]),
    ).toEqual([['2 เรื่องที่ต้องรู้', 2, '/report', undefined, undefined]])
    await db.execute(sql`delete from bookmarks`)
    await db.execute(sql`
      insert into notifications (user_id, organisation_id, type, project_id, created_at)
      values (${userId}::int, ${organisationId}::int, 'Document_changed', '69119000001', ${later(20).toISOString()}::timestamptz)`)
    await send(later(30))
    const { star: starToken, path } = service.received[1]!.payload
    expect(path).toBe('/report/69119000001?tab=files')
    expect(tokens.read(starToken!)).toMatchObject({ ok: true, claims: { kind: 'bookmark' } })
  })

  test.each([404, 410])('%i: forgets the browser, and closes the channel with the last one', async (status) => {
    await add(service.browser('desk'))
    await add(service.browser('phone'))
    service.moodOf.set('desk', status)
    await notify()
    await send(DUE)
    expect(service.received.map(({ browser }) => browser)).toEqual(['phone'])
    expect(await names()).toBe(1)
    service.moodOf.set('phone', status)
    await notify(later(20), '69119000002')
    await send(later(40))
    expect(await names()).toBe(0)
    expect(await states()).toEqual(['sent', 'dropped'])
    expect(await db.query(sql`select is_on from channel_settings`)).toEqual([{ is_on: false }])
  })

  test.each([400, 401, 403])(
    '%i: marks the rejected browser, retries after a day, and clears the mark on success',
    async (status) => {
      const { id } = await add(service.browser('desk'))
      await add(service.browser('phone'))
      service.moodOf.set('desk', status)
      await notify()
      await send(DUE)
      const stateOf = async (device: string) => (await listPushDevices(db, userId)).find((entry) => entry.id === device)
      expect(await stateOf(id)).toMatchObject({ refusal: String(status), notifiedAt: null })
      expect(new Date((await stateOf(id))!.refusedAt!)).toEqual(DUE)
      service.moodOf.delete('desk')
      await notify(later(20), '69119000002')
      await send(later(40))
      expect(service.received.map(({ browser }) => browser)).toEqual(['phone', 'phone'])
      await notify(later(25 * 60), '69119000003')
      await send(later(25 * 60 + 20))
      expect(service.received.map(({ browser }) => browser).toSorted()).toEqual(['desk', 'phone', 'phone', 'phone'])
      expect(await stateOf(id)).toMatchObject({ refusal: null, refusedAt: null })
    },
  )

  test('the channel stays open with every browser rejected; subscribing again clears the rejection', async () => {
    const desk = service.browser('desk')
    const { id } = await add(desk)
    service.moodOf.set('desk', 403)
    await notify()
    await send(DUE)
    expect(await names()).toBe(1)
    expect(await db.query(sql`select is_on from channel_settings`)).toEqual([{ is_on: true }])
    await add(desk)
    expect(await listPushDevices(db, userId)).toMatchObject([{ refusal: null }])
    expect((await listPushDevices(db, userId))[0]!.id).not.toBe(id)
  })

  test('R79: a test push reveals only that it failed, as late as a hanging one; ten an hour', async () => {
    const email = `push-${userId}@tamngan.example`
    const hash = await hashPassword('Tamngan#2569')
    await db.execute(
      sql`update users set email = ${email}, email_key = ${email}, password_hash = ${hash} where id = ${userId}::int`,
    )
    const app = await appOn(db, { now: () => NOON })
    const { headers } = await signIn(app, email, 'Tamngan#2569')
    const ids: string[] = []
    for (const mood of [400, 503, 'cut', 'hang'] as const) {
      const browser = service.browser(`b-${mood}`)
      service.moodOf.set(`b-${mood}`, mood)
      ids.push((await add(browser)).id)
    }
    const answers = await Promise.all(
      ids.map(async (id) => {
        const startedAt = performance.now()
        const answer = await app.inject({ method: 'POST', url: `/api/v2/users/me/push/devices/${id}/sample`, headers })
        expect(performance.now() - startedAt).toBeGreaterThan(4_500)
        return answer.json<object>()
      }),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(JSON.stringify(answers[0])).not.toMatch(/\d{3}|ECONN|timeout/)
    const sendSample = () => app.inject({ method: 'POST', url: '/api/v2/users/me/push/devices/x/sample', headers })
    const statuses: number[] = []
    for (let tried = 0; tried < 7; tried += 1) statuses.push((await sendSample()).statusCode)
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429])
    await app.close()
  }, 60_000)

  test('429 waits as requested, in seconds, until a date or for a minute, without counting as a failure', async () => {
    await add(service.browser('desk'))
    await notify()
    const date = later(45).toUTCString()
    service.moods.push(
      { status: 429, retryAfter: '900' },
      { status: 429, retryAfter: date },
      { status: 429, retryAfter: 'soon' },
    )
    await send(DUE)
    for (const [early, due] of [
      [24, 25],
      [44, 45],
      [45.9, 46],
    ] as const) {
      expect(await send(later(early))).toBe(0)
      expect(await send(later(due))).toBe(1)
    }
    expect(service.received).toHaveLength(1)
    expect(await states()).toEqual(['sent'])
    expect(await jobsOf(db, 'channel')).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  test.each<[string, number | 'hang' | 'cut', string]>([
    ['500', 500, '500'],
    ['a service that never answers', 'hang', 'timeout'],
    ['a line that breaks', 'cut', 'ECONNRESET'],
  ])('%s: retries without resending to browsers that already have the message', async (_, mood, failure) => {
    await add(service.browser('desk'))
    await add(service.browser('phone'))
    service.moodOf.set('phone', mood)
    await notify()
    await send(DUE)
    expect(await jobsOf(db, 'channel')).toMatchObject([{ state: 'waiting', last_error: failure }])
    service.moodOf.clear()
    await send(later(11))
    const ids = new Set(service.received.map(({ payload }) => payload.id))
    expect(ids.size).toBe(1)
    expect(service.received.filter(({ browser }) => browser === 'desk')).toHaveLength(1)
    expect(service.received.some(({ browser }) => browser === 'phone')).toBe(true)
    expect(await states()).toEqual(['sent'])
  })

  test('a browser that always fails does not delay another one', async () => {
    await add(service.browser('desk'))
    await add(service.browser('phone'))
    service.moodOf.set('phone', 500)
    await notify()
    for (let i = 0; i < 5; i += 1) await send(later(10 + 10 * i))
    expect(await states()).toEqual(['sent'])
    service.moodOf.set('phone', { status: 429, retryAfter: '7200' })
    await notify(later(60), '69119000002')
    await send(later(70))
    expect(await states()).toEqual(['sent', 'sent'])
    expect(service.received.map(({ browser }) => browser)).toEqual(['desk', 'desk'])
  })

  test('413 sends the minimal message; a rejected one fails', async () => {
    await add(service.browser('desk'))
    service.moods.push(413)
    await notify()
    await send(DUE)
    expect(service.received.map(({ payload }) => [payload.body, payload.hide])).toEqual([['', undefined]])
    service.moods.push(400)
    await notify(later(20), '69119000002')
    await send(later(40))
    expect(await listChannelMessages(db)).toMatchObject([{ state: 'sent' }, { state: 'failed', failure: '400' }])
    expect(await names()).toBe(1)
  })

  test('R79: sends nothing to an endpoint that resolves inside the network, and forgets it', async () => {
    const knocked: unknown[] = []
    service.onMessage = (message) => void knocked.push(message)
    const { address } = service.browser('desk')
    await add({
      name: 'inside',
      address: { ...address, endpoint: address.endpoint.replace('http://127.0.0.1', 'https://push.example') },
    })
    const resolve = (
      _name: string,
      _options: object,
      done: (error: null, addresses: { address: string; family: number }[]) => void,
    ) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const guarded = createPushSender({ keys: TEST_PUSH.keys, post: createOutgoingPost({ resolve }), tokens })
    await notify()
    await sendDueMessages(db, [guarded], DUE)
    expect(knocked).toEqual([])
    expect(await names()).toBe(0)
  })

  test('R82: sends nothing to a device after logout or the end of its session', async () => {
    const sessionId = await session()
    await add(service.browser('desk'), sessionId)
    await add(service.browser('phone'))
    await db.execute(sql`update sessions set revoked_at = now() where id = ${sessionId}`)
    expect(await names()).toBe(1)
    await notify()
    await send(DUE)
    expect(service.received.map(({ browser }) => browser)).toEqual(['phone'])
    expect(await db.query(sql`select count(*)::int as n from push_devices`)).toEqual([{ n: 1 }])
  })

  test('another account takes over a shared browser; beyond ten the least recently used one is removed', async () => {
    const shared = service.browser('shared')
    await add(shared)
    const otherUserId = await addUser(db, organisationId)
    await add(shared, undefined, otherUserId)
    expect(await names()).toBe(0)
    expect(await db.query(sql`select user_id, is_on from channel_settings order by user_id`)).toEqual([
      { user_id: userId, is_on: false },
      { user_id: otherUserId, is_on: true },
    ])
    const first = await add(service.browser('first'))
    await db.execute(sql`update push_devices set told_at = '2026-11-01' where id = ${first.id}`)
    for (let i = 0; i < MAX_PUSH_DEVICES; i += 1) await add(service.browser(`b${i}`))
    const left = await listPushDevices(db, userId)
    expect(left).toHaveLength(MAX_PUSH_DEVICES)
    expect(left.map(({ id }) => id)).not.toContain(first.id)
  })

  test('only its secret lets a browser change its address', async () => {
    const sessionId = await session()
    const { secret } = await add(service.browser('before'), sessionId)
    const { address } = service.browser('after')
    expect(await db.transaction((tx) => renewPushDevice(tx, 'another secret', address))).toBe(false)
    expect(await db.transaction((tx) => renewPushDevice(tx, secret, address))).toBe(true)
    await notify()
    await send(DUE)
    expect(service.received.map(({ browser }) => browser)).toEqual(['after'])
    await db.execute(sql`update sessions set revoked_at = now() where id = ${sessionId}`)
    expect(await db.transaction((tx) => renewPushDevice(tx, secret, address))).toBe(false)
  })
})
