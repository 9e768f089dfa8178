import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, decodeClaims, enterDemo, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { createAccessTokens } from './create-sessions.ts'

const SUPER = 'manager@tharamek.example'
const OTHER = 'bid@noensai.example'
const MINUTE_MS = 60_000

const sidOf = (access: string) => decodeClaims(access).sid

onEachEngineInTurn('sessions', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')

  const me = (authorization: string) => app.inject({ url: '/api/v2/users/me', headers: { authorization } })
  const later = (ms: number) => {
    clock = new Date(clock.getTime() + ms)
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())
  beforeEach(() => db.execute(sql`delete from login_failures`))

  test('R8: disabling a user or organisation and changing a role apply at the next request', async () => {
    const { headers } = await signIn(app, OTHER)
    expect((await me(headers.authorization)).json().role).toBe('member_user')
    await db.execute(sql`update users set role = 'super_user' where email_key = ${OTHER}`)
    expect((await me(headers.authorization)).json().role).toBe('super_user')
    await db.execute(sql`update users set is_disabled = true where email_key = ${OTHER}`)
    expect((await me(headers.authorization)).statusCode).toBe(401)
    await db.execute(sql`update users set is_disabled = false where email_key = ${OTHER}`)
    await db.execute(sql`update organisations set is_disabled = true where code = 'noensai'`)
    expect((await me(headers.authorization)).statusCode).toBe(401)
    await db.execute(sql`update organisations set is_disabled = false where code = 'noensai'`)
    expect((await me(headers.authorization)).statusCode).toBe(200)
  })

  test('R13: a session ends after seven idle days, and always after thirty days', async () => {
    const { access } = await signIn(app, SUPER)
    const { sid, sub, org } = decodeClaims(access)
    // The access token expires after 30 minutes, so later ones are signed as a refresh would sign them.
    const requestStatus = async () => {
      const token = await createAccessTokens([TEST_SECRET]).sign(
        { userId: Number(sub), organisationId: Number(org), sessionId: sid },
        clock,
      )
      return (await me(`Bearer ${token}`)).statusCode
    }
    const start = clock
    for (const days of [6, 12, 18, 24, 29.9]) {
      clock = new Date(start.getTime() + days * 24 * 60 * MINUTE_MS)
      expect(await requestStatus()).toBe(200)
    }
    clock = new Date(start.getTime() + 30.1 * 24 * 60 * MINUTE_MS)
    expect(await requestStatus()).toBe(401)
    const idle = await signIn(app, SUPER)
    expect((await me(idle.headers.authorization)).statusCode).toBe(200)
    await db.execute(
      sql`update sessions set last_seen_at = ${new Date(clock.getTime() - 7.1 * 24 * 60 * MINUTE_MS).toISOString()}::timestamptz`,
    )
    expect((await me(idle.headers.authorization)).statusCode).toBe(401)
  })

  test('R11: logout always succeeds and ends the session at once, by refresh or bearer token, even an expired one', async () => {
    const logout = (payload: object | undefined, headers: Record<string, string> = {}) =>
      app.inject({ method: 'POST', url: '/api/v2/auth/logout/', headers, ...(payload ? { payload } : {}) })
    const first = await signIn(app, SUPER)
    expect((await logout({ refresh: first.refresh })).statusCode).toBe(204)
    expect((await me(first.headers.authorization)).statusCode).toBe(401)
    const second = await signIn(app, SUPER)
    later(31 * MINUTE_MS)
    expect((await logout({}, second.headers)).statusCode).toBe(204)
    const rows = await db.query<{ revoked_at: string | null }>(
      sql`select revoked_at from sessions where id = ${sidOf(second.access)}`,
    )
    expect(rows).toEqual([{ revoked_at: clock.toISOString() }])
    for (const payload of [{ refresh: first.refresh }, { refresh: 'unknown' }, {}, undefined]) {
      expect((await logout(payload)).statusCode).toBe(204)
    }
    expect((await logout({ refresh: 'x' }, { authorization: 'Bearer nonsense' })).statusCode).toBe(204)
  })

  test('R22: the refkey opens only the demo, its refresh token is useless, and a flood is rate-limited', async () => {
    const demo = await enterDemo(app)
    const organisation = await app.inject({ url: '/api/v2/organisations/me', headers: demo.headers })
    expect(organisation.json().code).toBe('demo')
    for (const refkey of ['tharamek', 'DEMO', ' demo', 'demo\u0000', '1', SUPER]) {
      const answer = await app.inject({ method: 'POST', url: '/api/v2/auth/auto-login/', payload: { refkey } })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ non_field_errors: ['ลิงก์เข้าใช้งานนี้ใช้ไม่ได้แล้ว'] })
    }
    expect(
      await db.query(sql`select from refresh_tokens t join sessions s on s.id = t.session_id where s.is_demo`),
    ).toEqual([])
    await db.execute(sql`delete from use_counts`)
    const strict = await appOn(db, { now: () => clock, settings: { limits: {} } })
    const statuses: number[] = []
    for (let round = 0; round < 21; round += 1) {
      statuses.push(
        (await strict.inject({ method: 'POST', url: '/api/v2/auth/auto-login', payload: { refkey: 'demo' } }))
          .statusCode,
      )
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200))
    expect(statuses[20]).toBe(429)
    await strict.close()
  })
})
