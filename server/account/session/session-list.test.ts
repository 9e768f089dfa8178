import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SessionList, sessionListSchema } from '#contract/account/session-list.ts'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, decodeClaims, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import { formatDevice } from './format-device.ts'
import { MAX_SESSIONS_PER_USER } from './queries.ts'

const USER = 'bid@noensai.example'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36'

test.each([
  [CHROME, 'Chrome บน Windows'],
  [`${CHROME} Edg/149.0.0.0`, 'Edge บน Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari บน iPhone',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/149.0 Mobile/15E148 Safari/604.1', 'Chrome บน iPhone'],
  ['Mozilla/5.0 (Linux; Android 16; SM-S921B) Chrome/149.0.0.0 Mobile Safari/537.36 Line/15.1.0', 'LINE บน Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox บน Mac'],
  ['curl/8.9.0', 'อุปกรณ์ที่ไม่รู้จัก'],
  [null, 'อุปกรณ์ที่ไม่รู้จัก'],
])('%s reads as %s', (userAgent, words) => {
  expect(formatDevice(userAgent)).toBe(words)
})

onEachEngineInTurn('the list of sessions', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())

  const list = async (headers: Record<string, string>): Promise<SessionList['sessions']> =>
    sessionListSchema.parse((await app.inject({ url: '/api/v2/users/me/sessions', headers })).json()).sessions
  const end = (id: string, headers: Record<string, string>) =>
    app.inject({ method: 'DELETE', url: `/api/v2/users/me/sessions/${id}/`, headers })

  test('R13: lists device, address and last use of each, the current one first; a single one can be ended', async () => {
    const login = await app.inject({
      method: 'POST',
      url: '/api/v2/auth/login/',
      payload: { email: USER, password: SAMPLE_PASSWORD },
      headers: { 'user-agent': `${CHROME} \u00ff`, 'x-forwarded-for': '1.2.3.4' },
    })
    const phone = { authorization: `Bearer ${login.json().access}` }
    clock = new Date(clock.getTime() + 5 * 60_000)
    const desk = await signIn(app, USER)
    const sessions = await list(phone)
    expect(sessions).toEqual([
      {
        id: decodeClaims(login.json().access).sid,
        device: 'Chrome บน Windows',
        address: '127.0.0.1',
        created_at: '2026-11-21T03:00:00.000Z',
        last_seen_at: '2026-11-21T03:05:00.000Z',
        current: true,
      },
      expect.objectContaining({ id: decodeClaims(desk.access).sid, current: false, device: 'อุปกรณ์ที่ไม่รู้จัก' }),
    ])
    expect((await end(decodeClaims(desk.access).sid, phone)).statusCode).toBe(204)
    expect(await db.query(sql`select from audit_events where kind = 'session_ended'`)).toHaveLength(1)
    expect((await app.inject({ url: '/api/v2/users/me', headers: desk.headers })).statusCode).toBe(401)
    expect(await list(phone)).toHaveLength(1)
    expect((await end(decodeClaims(desk.access).sid, phone)).statusCode).toBe(404)
  })

  test('R13: a user has at most twenty sessions; the least recently used one ends, also with parallel logins', async () => {
    const user = 'sales@tharamek.example'
    const works = async ({ headers }: SignedIn) =>
      (await app.inject({ url: '/api/v2/users/me', headers })).statusCode === 200
    const sessions: SignedIn[] = []
    for (let n = 0; n < MAX_SESSIONS_PER_USER; n += 1) {
      clock = new Date(clock.getTime() + 60_000)
      sessions.push(await signIn(app, user))
    }
    clock = new Date(clock.getTime() + 2 * 60_000)
    expect(await Promise.all(sessions.map(works))).toEqual(Array(MAX_SESSIONS_PER_USER).fill(true))
    clock = new Date(clock.getTime() + 2 * 60_000)
    for (const session of sessions.filter((_, n) => n !== 1)) expect(await works(session)).toBe(true)
    sessions.push(await signIn(app, user))
    expect(await Promise.all(sessions.map(works))).toEqual(sessions.map((_, n) => n !== 1))
    const ended = await app.inject({
      method: 'POST',
      url: '/api/v2/auth/token/refresh/',
      payload: { refresh: sessions[1]!.refresh },
    })
    expect(ended.statusCode).toBe(401)
    clock = new Date(clock.getTime() + 60_000)
    const atOnce = await Promise.all([1, 2, 3, 4].map(() => signIn(app, user)))
    expect(await list(atOnce[0]!.headers)).toHaveLength(MAX_SESSIONS_PER_USER)
    for (const session of atOnce) expect(await works(session)).toBe(true)
  })

  test("R24: another user's session gets the same bytes as an unknown one, and stays alive", async () => {
    const ownSession = await signIn(app, USER)
    const otherSession = await signIn(app, 'manager@noensai.example')
    const answers = await Promise.all(
      [decodeClaims(otherSession.access).sid, 'unknown', '%00', "'; drop"].map((id) =>
        end(encodeURI(id), ownSession.headers),
      ),
    )
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))).toEqual(
      new Set(['404 {"code":"not_found"}']),
    )
    expect((await app.inject({ url: '/api/v2/users/me', headers: otherSession.headers })).statusCode).toBe(200)
  })

  test('R12, R59: log out everywhere also ends this session, mails the user and writes an audit row; colleagues stay logged in', async () => {
    const [first, second, colleague] = [
      await signIn(app, USER),
      await signIn(app, USER),
      await signIn(app, 'manager@noensai.example'),
    ]
    await db.execute(sql`delete from mails`)
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v2/users/me/sessions/end-all/',
      headers: first.headers,
    })
    expect(answer.statusCode).toBe(204)
    for (const { headers, refresh } of [first, second]) {
      expect((await app.inject({ url: '/api/v2/users/me', headers })).statusCode).toBe(401)
      expect(
        (await app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh', payload: { refresh } })).statusCode,
      ).toBe(401)
    }
    expect((await app.inject({ url: '/api/v2/users/me', headers: colleague.headers })).statusCode).toBe(200)
    expect((await queuedMails(db)).map(({ kind, to }) => [kind, to])).toEqual([['sessions_ended', USER]])
    expect(await db.query(sql`select from audit_events where kind = 'sessions_ended'`)).toHaveLength(1)
  })

  test('R9: the user of a reused refresh token gets a mail', async () => {
    const { refresh } = await signIn(app, USER)
    await db.execute(sql`delete from mails`)
    const use = () => app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh/', payload: { refresh } })
    expect((await use()).statusCode).toBe(200)
    clock = new Date(clock.getTime() + 11_000)
    expect((await use()).statusCode).toBe(401)
    expect((await queuedMails(db)).map(({ kind, to }) => [kind, to])).toEqual([['refresh_reuse', USER]])
  })

  test('the demo has no list', async () => {
    const { headers } = await enterDemo(app)
    expect((await app.inject({ url: '/api/v2/users/me/sessions', headers })).statusCode).toBe(403)
  })
})
