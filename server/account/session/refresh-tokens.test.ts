import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, decodeClaims, enterDemo, signIn } from '../../../test/server/http-app.ts'

const USER = 'manager@tharamek.example'
const MINUTE_MS = 60_000

onEachEngineInTurn('refresh tokens', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const later = (ms: number) => {
    clock = new Date(clock.getTime() + ms)
  }
  const refresh = (token: string) =>
    app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh/', payload: { refresh: token } })
  const me = (access: string) => app.inject({ url: '/api/v2/users/me', headers: { authorization: `Bearer ${access}` } })
  const kinds = async () =>
    (await db.query<{ kind: string }>(sql`select kind from audit_events where kind = 'refresh_reuse'`)).length

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())
  beforeEach(() => db.execute(sql`delete from login_failures`))

  test('exchanges a token for a new pair of the same session, which outlives the first access token', async () => {
    const first = await signIn(app, USER)
    later(25 * MINUTE_MS)
    const answer = await refresh(first.refresh)
    expect(answer.statusCode).toBe(200)
    const second = answer.json<{ access: string; refresh: string }>()
    expect(second.refresh).not.toBe(first.refresh)
    expect(decodeClaims(second.access).sid).toBe(decodeClaims(first.access).sid)
    later(20 * MINUTE_MS)
    expect((await me(first.access)).statusCode).toBe(401)
    expect((await me(second.access)).statusCode).toBe(200)
  })

  test('R9: reusing a token after ten seconds ends the whole session and writes an audit row', async () => {
    const first = await signIn(app, USER)
    const second = (await refresh(first.refresh)).json<{ access: string; refresh: string }>()
    later(11_000)
    const before = await kinds()
    const again = await refresh(first.refresh)
    expect(again.statusCode).toBe(401)
    expect(again.json()).toEqual({ code: 'session_invalid' })
    expect(await kinds()).toBe(before + 1)
    expect((await me(second.access)).statusCode).toBe(401)
    expect((await refresh(second.refresh)).statusCode).toBe(401)
  })

  test('R10: 50 parallel exchanges create one child token, and every caller gets it', async () => {
    const first = await signIn(app, USER)
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(first.refresh)))
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map((answer) => answer.json().refresh)).size).toBe(1)
    const children = await db.query(sql`
      select from refresh_tokens where session_id = ${decodeClaims(first.access).sid} and parent_hash is not null`)
    expect(children).toHaveLength(1)
  })

  test('R11, R8: rejects tokens of ended sessions and disabled users', async () => {
    const ended = await signIn(app, USER)
    await app.inject({ method: 'POST', url: '/api/v2/auth/logout/', payload: { refresh: ended.refresh } })
    expect((await refresh(ended.refresh)).statusCode).toBe(401)
    const disabled = await signIn(app, USER)
    await db.execute(sql`update users set is_disabled = true where email_key = ${USER}`)
    expect((await refresh(disabled.refresh)).statusCode).toBe(401)
    await db.execute(sql`update users set is_disabled = false where email_key = ${USER}`)
    expect((await refresh(disabled.refresh)).statusCode).toBe(200)
  })

  test('R6, C5: rejects access tokens, unknown tokens and the refresh token of the demo', async () => {
    const { access } = await signIn(app, USER)
    const demo = await enterDemo(app)
    for (const token of [access.slice(0, 200), 'unknown', '__proto__', demo.refresh]) {
      expect((await refresh(token)).statusCode).toBe(401)
    }
    expect((await refresh('x'.repeat(10_000))).statusCode).toBe(400)
    expect(
      (await app.inject({ url: '/api/v2/users/me', headers: { authorization: `Bearer ${demo.refresh}` } })).statusCode,
    ).toBe(401)
  })

  test('R13: refreshing prevents idle expiry but not the thirty-day limit', async () => {
    const start = clock
    let { refresh: token } = await signIn(app, USER)
    for (const days of [6, 12, 18, 24, 29.9]) {
      clock = new Date(start.getTime() + days * 24 * 60 * MINUTE_MS)
      const answer = await refresh(token)
      expect(answer.statusCode).toBe(200)
      token = answer.json().refresh
    }
    clock = new Date(start.getTime() + 30.1 * 24 * 60 * MINUTE_MS)
    expect((await refresh(token)).statusCode).toBe(401)
  })

  test('R14: only hashes are stored', async () => {
    const first = await signIn(app, USER)
    const second = (await refresh(first.refresh)).json<{ access: string; refresh: string }>()
    const stored = JSON.stringify(await db.query(sql`select * from refresh_tokens`))
    for (const secret of [first.refresh, second.refresh, first.access, second.access])
      expect(stored).not.toContain(secret)
  })
})
