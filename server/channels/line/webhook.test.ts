import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { type Db, DbUnavailableError, type OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { type LineEvent, LineServer } from '../../../test/line/line-server.ts'
import { LineChat, listActions } from '../../../test/line/line-world.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { refreshLineAccountStatus } from './refresh-line-account-status.ts'

const NOON = new Date('2026-11-20T12:00:00+07:00')
const DAY_MS = 86_400_000

onOneEngine('the webhook of LINE', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let line: LineServer
  const log: string[] = []
  let trouble: (() => Promise<never>) | undefined
  const events = () =>
    db.query<{ id: string; sealed: string | null }>(sql`select id, sealed from line_events order by received_at, id`)

  beforeAll(async () => {
    db = await makeDb()
    line = new LineServer()
    await line.start()
    line.now = () => NOON.getTime()
    await seedSampleOrganisations(db, '2026-11-20')
    const troubled: Db = {
      ...db,
      transaction: (work, options) => (trouble ? trouble() : db.transaction(work, options)),
    }
    app = await appOn(troubled, {
      settings: { line: line.settings(), logLevel: 'trace', logStream: { write: (text) => log.push(text) } },
      now: () => NOON,
    })
  })
  afterAll(async () => {
    await app.close()
    await line.stop()
  })
  beforeEach(async () => {
    trouble = undefined
    await db.script('truncate line_events, jobs, line_links, line_connects')
  })
  const post = (given: ReturnType<LineServer['webhook']>) => app.inject(given)

  test('R76: stores a signed event encrypted with a job, and answers the console’s test', async () => {
    const somchai = line.person('สมชาย')
    const event = line.message(somchai, 'ข้อความลับ 69119000001')
    const answer = await post(line.webhook([event]))
    expect([answer.statusCode, answer.json()]).toEqual([200, {}])
    const [stored] = await events()
    expect(stored!.id).toBe(event.webhookEventId)
    expect(stored!.sealed).not.toContain(somchai.id)
    const [job] = await jobsOf(db, 'line_event')
    expect(job!.key).toHaveLength(16)
    expect(await post(line.webhook([]))).toMatchObject({ statusCode: 200 })
  })

  test.each<[string, (given: ReturnType<LineServer['webhook']>) => object]>([
    ['a wrong signature', (given) => ({ ...given, headers: { ...given.headers, 'x-line-signature': 'AAAA' } })],
    ['no signature', ({ headers: { 'x-line-signature': _, ...headers }, ...given }) => ({ ...given, headers })],
    ['the signature of other bytes', (given) => ({ ...given, payload: `${given.payload} ` })],
    [
      'the signature of another secret',
      (given) => ({ ...given, headers: { ...given.headers, 'x-line-signature': line.sign(given.payload, 'x') } }),
    ],
  ])('R76: rejects %s and stores nothing', async (_, changed) => {
    const given = line.webhook([line.follow(line.person('x'))])
    expect(await app.inject(changed(given) as never)).toMatchObject({ statusCode: 403 })
    expect(await events()).toEqual([])
  })

  test('R76: stores an event once, however often and in whatever batch it arrives', async () => {
    const event = line.follow(line.person('x'))
    await Promise.all([post(line.webhook([event])), post(line.webhook([line.again(event), line.again(event)]))])
    await post(line.webhook([line.again(event), line.follow(line.person('y'))]))
    expect(await events()).toHaveLength(2)
    expect(await jobsOf(db, 'line_event')).toHaveLength(2)
  })

  test('ignores old events, those of another module and unknown kinds; rejects broken JSON', async () => {
    const follow = line.follow(line.person('x'))
    const odd: LineEvent[] = [
      { ...follow, timestamp: NOON.getTime() - 4 * DAY_MS },
      { ...follow, mode: 'standby' },
      { ...follow, type: 'beacon' },
      { ...follow, source: 'x' },
      { ...follow, webhookEventId: '../x' },
    ]
    expect(await post(line.webhook(odd))).toMatchObject({ statusCode: 200 })
    expect(await events()).toEqual([])
    const payload = '{"events": '
    const headers = { 'content-type': 'application/json', 'x-line-signature': line.sign(payload) }
    expect(await app.inject({ ...line.webhook([]), payload, headers })).toMatchObject({ statusCode: 400 })
  })

  test('rejects a webhook of 300 kB', async () => {
    const given = line.webhook([line.message(line.person('x'), 'x'.repeat(300_000))])
    expect(await post(given)).toMatchObject({ statusCode: 413 })
  })

  test('answers 503 while the database is down or slow, so that LINE retries', async () => {
    const event = line.follow(line.person('x'))
    trouble = () => Promise.reject(new DbUnavailableError('away'))
    expect(await post(line.webhook([event]))).toMatchObject({ statusCode: 503 })
    trouble = () => new Promise<never>(() => undefined)
    const began = performance.now()
    expect(await post(line.webhook([event]))).toMatchObject({ statusCode: 503 })
    expect(performance.now() - began).toBeLessThan(5_000)
    trouble = undefined
    expect(await post(line.webhook([line.again(event)]))).toMatchObject({ statusCode: 200 })
    expect(await events()).toHaveLength(1)
  })

  test('without configuration has no webhook, and the settings show LINE as unavailable', async () => {
    const off = await appOn(db, { settings: { line: undefined }, now: () => NOON })
    expect(await off.inject(line.webhook([]))).toMatchObject({ statusCode: 404 })
    const { headers } = await signIn(off, 'manager@tharamek.example')
    expect((await off.inject({ url: '/api/v2/users/me/line', headers })).json()).toMatchObject({
      is_available: false,
      account: null,
    })
    await off.close()
  })

  test('R76: settings connect and disconnect, and no response, log or table exposes a LINE id or text', async () => {
    log.length = 0
    const chat = new LineChat(app, db, line, NOON)
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const call = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
      app.inject({ method, url: `/api/v2${path}`, headers })
    expect(await call('POST', '/users/me/line/connect')).toMatchObject({ statusCode: 503 })
    await refreshLineAccountStatus(db, chat.parts, NOON, AbortSignal.timeout(5_000))
    const made = (await call('POST', '/users/me/line/connect')).json()
    expect(made.address).toBe(
      `https://line.me/R/oaMessage/${encodeURIComponent('@042tamng')}/?${encodeURIComponent(made.text)}`,
    )
    expect((await call('GET', '/users/me/line')).json()).toMatchObject({
      is_available: true,
      connection: null,
      is_waiting: true,
    })
    const somchai = line.person('สมชายคนเดียวในโลก')
    const offered = await chat.deliver(line.message(somchai, made.text))
    await chat.deliver(line.openAccountLink(somchai, listActions(offered)[0]!.uri!)!)
    const state = await call('GET', '/users/me/line')
    expect(state.json()).toMatchObject({ connection: { name: 'สมชายคนเดียวในโลก' }, is_waiting: false })
    const dump = JSON.stringify(
      await Promise.all(
        ['line_links', 'line_connects', 'line_events', 'jobs', 'audit_events', 'channel_settings'].map((table) =>
          db.query(sql([`select * from ${table}`])),
        ),
      ),
    )
    for (const secret of [somchai.id, 'สมชายคนเดียวในโลก', made.code, line.token, line.secret]) {
      expect(dump).not.toContain(secret)
      expect(log.join('')).not.toContain(secret)
    }
    expect(state.body).not.toContain(somchai.id)
    expect(await call('DELETE', '/users/me/line')).toMatchObject({ statusCode: 204 })
    expect((await call('GET', '/users/me/line')).json()).toMatchObject({ connection: null })
    const code = (await call('POST', '/organisations/me/line-groups/code')).json()
    const group = line.group()
    await chat.deliver(line.message(somchai, code.text, group))
    const { groups } = (await call('GET', '/organisations/me/line-groups')).json()
    expect(groups).toHaveLength(1)
    expect(JSON.stringify(groups)).not.toContain(group)
    expect(await call('DELETE', `/organisations/me/line-groups/${groups[0].id}`)).toMatchObject({ statusCode: 204 })
  })
})
