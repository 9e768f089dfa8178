import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'

const FULL = `
  create function no_room() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger full_sessions before insert or update on sessions for each statement execute function no_room();
  create trigger full_tokens before insert or update on refresh_tokens for each statement execute function no_room();
  create trigger full_audit before insert on audit_events for each statement execute function no_room()`

onEachEngineInTurn('logging out with a full disk', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const log: string[] = []

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, {
      now: () => clock,
      settings: { logLevel: 'info', logStream: { write: (line) => log.push(line) } },
    })
  })
  afterAll(() => app.close())

  const read = async ({ headers }: SignedIn) => (await app.inject({ url: '/api/v2/users/me', headers })).statusCode
  const logout = (headers: Record<string, string>, payload: object) =>
    app.inject({ method: 'POST', url: '/api/v2/auth/logout/', headers, payload })
  const isStored = async ({ access }: SignedIn) =>
    (await db.query(sql`select from sessions where id = ${decodeClaims(access).sid} and revoked_at is not null`))
      .length === 1

  test('R11: logs out at once with a full disk, logs the failed write, and stores it once space is free', async () => {
    const [complete, bearerOnly, refreshOnly, stays] = [
      await signIn(app, 'manager@tharamek.example'),
      await signIn(app, 'manager@tharamek.example'),
      await signIn(app, 'sales@tharamek.example'),
      await signIn(app, 'bid@noensai.example'),
    ]
    await db.script(FULL)
    clock = new Date(clock.getTime() + 2 * 60_000)
    const ended = [complete, bearerOnly, refreshOnly]
    const answers = [
      await logout(complete.headers, { refresh: complete.refresh }),
      await logout(bearerOnly.headers, {}),
      await logout({}, { refresh: refreshOnly.refresh }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(204)
      expect(String(answer.headers['set-cookie'])).toMatch(/XSRF-TOKEN=;/)
    }
    expect(log.filter((line) => line.includes('logout not stored') && line.includes('No space left'))).toHaveLength(3)
    for (const session of ended) {
      expect(await read(session)).toBe(401)
      const refreshed = await app.inject({
        method: 'POST',
        url: '/api/v2/auth/token/refresh/',
        payload: { refresh: session.refresh },
      })
      expect([401, 503]).toContain(refreshed.statusCode)
      expect(await isStored(session)).toBe(false)
    }
    expect(await read(stays)).toBe(200)
    await db.script(`
      drop trigger full_sessions on sessions; drop trigger full_tokens on refresh_tokens; drop trigger full_audit on audit_events`)
    for (const session of ended) {
      await expect.poll(() => isStored(session), { timeout: 20_000 }).toBe(true)
      expect(await read(session)).toBe(401)
    }
    expect(await read(stays)).toBe(200)
  })
})
