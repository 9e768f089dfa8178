import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { AdminContext } from '#server/operation/admin/admin-users.ts'
import { COMMAND_LINE_ACTOR } from '#server/operation/admin/record-admin-event.ts'
import { runAdminRequest } from '#server/operation/admin/run-admin-request.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { OPERATOR_ROWS } from '../../test/authorisation-matrix/operator-rows.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { addSecondFactor, appOn, signIn, signInOperator, TEST_SECRET } from '../../test/server/http-app.ts'

const MORNING = new Date('2026-11-23T02:00:00Z')
const MINUTE_MS = 60_000

onOneEngine('R61: an operator', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let admin: AdminContext
  let password: string
  let now = MORNING

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-23')
    app = await appOn(db, { now: () => now })
    admin = {
      db,
      mails: createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' }),
      by: COMMAND_LINE_ACTOR,
    }
    const person = { email: 'it@tamngan.example', firstName: 'อนงค์', lastName: 'ใจดี' }
    const made = await runAdminRequest(admin, { do: 'create-operator', ...person })
    password = 'password' in made ? made.password : ''
  })
  afterAll(() => app.close())

  const enter = async () => {
    now = MORNING
    return (await signInOperator(app, db, 'it@tamngan.example', password)).headers
  }
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url: `/api/v2/${url}`, headers })).statusCode

  test('can only be created by the command, in a separate organisation', async () => {
    const second = { email: 'it2@tamngan.example', firstName: 'ก', lastName: 'ข' }
    await runAdminRequest(admin, { do: 'create-operator', ...second })
    const answer = await runAdminRequest(admin, { do: 'users', organisation: 'operation' })
    expect(answer).toMatchObject({ users: [{ role: 'operator' }, { email: second.email, role: 'operator' }] })
    const listed = await runAdminRequest(admin, { do: 'organisations' })
    expect('organisations' in listed && listed.organisations.map(({ code }) => code)).not.toContain('operation')
    for (const refused of [
      {
        do: 'create-user',
        organisation: 'operation',
        email: 'x@y.example',
        firstName: 'ก',
        lastName: 'ข',
        role: 'super_user',
      },
      { do: 'create-organisation', code: 'operation', name: 'บริษัท เอบี จำกัด' },
      { do: 'set-role', email: second.email, role: 'super_user' },
    ] as const)
      await expect(runAdminRequest(admin, refused)).rejects.toThrow(/operator|reserved/)
  })

  test('reads no report, company or list, whatever the flags of the organisation', async () => {
    const headers = await enter()
    await db.execute(sql`
      update organisations set is_company_compare = true, is_access_company_comparison = true, is_access_budget_year = true where code = 'operation'`)
    for (const url of [
      'projects',
      'companies',
      'company-comparison',
      'budgets/years',
      'organisations/me/logs',
      'users/me/pulse',
    ])
      expect([url, await statusOf(url, headers)]).toEqual([url, 403])
    expect(await statusOf('operation/sources', headers)).toBe(200)
    expect(await statusOf('operation/sources', (await signIn(app, 'manager@tharamek.example')).headers)).toBe(403)
  })

  test('reads loads and their quarantined rows', async () => {
    const headers = await enter()
    await db.script(`
      insert into loads (source, origin, state, read_rows, quarantined_rows) values ('cgd-csv', 'bad.csv', 'failed', 3, 1);
      insert into quarantined_rows (load_id, line, reason, raw) select id, 9, 'no number', 'x' from loads where origin = 'bad.csv'`)
    const { loads } = (await app.inject({ url: '/api/v2/operation/loads', headers })).json()
    const load = loads.find(({ origin }: { origin: string }) => origin === 'bad.csv')
    expect(load).toMatchObject({ state: 'failed', read: 3, quarantined: 1, published_at: null })
    const rows = await app.inject({ url: `/api/v2/operation/loads/${load.id}/rows`, headers })
    expect(rows.json()).toEqual({ rows: [{ line: 9, reason: 'no number', raw: 'x' }] })
  })

  test('is logged out after half an hour of inactivity, and after eight hours in any case', async () => {
    const headers = await enter()
    now = new Date(MORNING.getTime() + 29 * MINUTE_MS)
    expect(await statusOf('users/me', headers)).toBe(200)

    const { access: _, refresh } = await signInOperator(app, db, 'it@tamngan.example', password)
    const renew = async (token: string) =>
      await app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh', payload: { refresh: token } })
    // Background requests of an open browser tab do not extend the session.
    now = new Date(now.getTime() + 25 * MINUTE_MS)
    const renewed = await renew(refresh)
    expect(renewed.statusCode).toBe(200)
    now = new Date(now.getTime() + 6 * MINUTE_MS)
    expect((await renew(renewed.json().refresh)).statusCode).toBe(401)
    expect(await statusOf('users/me', { authorization: `Bearer ${renewed.json().access}` })).toBe(401)

    await enter()
    const [session] = await db.query<{ hours: number }>(sql`
      select extract(epoch from s.expires_at - s.created_at)::int / 3600 as hours
      from sessions s join users u on u.id = s.user_id where u.role = 'operator' order by s.created_at desc limit 1`)
    expect(session!.hours).toBe(8)
  })

  test('sees nothing before setting up a second factor, and cannot remove the last one', async () => {
    now = MORNING
    await db.execute(sql`delete from passkeys`)
    const { headers } = await signIn(app, 'it@tamngan.example', password)
    for (const url of ['operation/sources', 'operation/organisations', 'operation/jobs']) {
      const closed = await app.inject({ url: `/api/v2/${url}`, headers })
      expect([closed.statusCode, closed.json().code]).toEqual([403, 'second_factor_due'])
    }
    for (const url of ['users/me', 'users/me/second-factor', 'organisations/me'])
      expect([url, await statusOf(url, headers)]).toEqual([url, 200])
    await addSecondFactor(db, 'it@tamngan.example')
    expect(await statusOf('operation/sources', headers)).toBe(200)
    const { passkeys } = (await app.inject({ url: '/api/v2/users/me/second-factor', headers })).json()
    const gone = await app.inject({ method: 'DELETE', url: `/api/v2/users/me/passkeys/${passkeys[0].id}`, headers })
    expect(gone.statusCode).toBe(400)
  })

  test('R64: refuses changes on every route unless the session was verified in the last ten minutes', async () => {
    const headers = await enter()
    now = new Date(MORNING.getTime() + 11 * MINUTE_MS)
    const changes = Object.keys(OPERATOR_ROWS).filter((route) => !route.startsWith('GET '))
    expect(changes.length).toBeGreaterThan(10)
    for (const route of changes) {
      const [method, url] = route.split(' ') as ['POST', string]
      const answer = await app.inject({ method, url: url.replaceAll(/:\w+/g, 'x'), headers })
      expect([route, answer.json().code]).toEqual([route, 'proof_needed'])
    }
    expect(await statusOf('operation/sources', headers)).toBe(200)
  })

  test('writes an audit row for each action, like the command line', async () => {
    await db.script(`insert into intake_agencies (code, name, name_key) values ('1301', 'กรมทดสอบ', 'กรมทดสอบ')`)
    const headers = await enter()
    await db.execute(sql`delete from audit_events`)
    const send = (path: string, payload?: object) =>
      app.inject({
        method: 'POST',
        url: `/api/v2/operation/sources/egp-rss/${path}`,
        headers,
        ...(payload ? { payload } : {}),
      })
    const refused = await send('on', { contact: 'nobody' })
    expect([refused.statusCode, refused.json().contact]).toEqual([400, ['รูปแบบอีเมลไม่ถูกต้อง เช่น it@company.co.th']])
    const folder = await app.inject({
      method: 'POST',
      url: '/api/v2/operation/sources/folder/on',
      headers,
      payload: {},
    })
    expect(folder.statusCode).toBe(204)
    expect((await send('run')).json().non_field_errors).toEqual(['แหล่งข้อมูลนี้ปิดอยู่ เปิดก่อนแล้วจึงดึง'])
    expect((await send('on', { contact: 'it@tamngan.example', pace_seconds: 5 })).statusCode).toBe(204)
    expect((await send('run')).json().non_field_errors).toEqual(['ต้นทางยังไม่เปิดให้ดึง รอบถัดไปเริ่ม 23/11/2569 17:30 น.'])
    const { sources } = (await app.inject({ url: '/api/v2/operation/sources', headers })).json()
    expect(sources[0]).toMatchObject({ is_on: true, contact: 'it@tamngan.example', pace_seconds: 5, rounds: [] })
    const gaps = await app.inject({ url: '/api/v2/operation/sources/egp-rss/gaps', headers })
    expect(gaps.json()).toEqual({ never: [{ code: '1301', name: 'กรมทดสอบ' }], incomplete: [] })
    expect((await send('off')).statusCode).toBe(204)
    const rows = await db.query<{ kind: string; detail: object }>(
      sql`select kind, detail from audit_events order by id`,
    )
    const [{ id: operator }] = (await db.query<{ id: number }>(sql`
      select id from users where email_key = 'it@tamngan.example'`)) as [{ id: number }]
    expect(rows).toEqual([
      { kind: 'changed_by_admin', detail: { did: 'source-on', source: 'folder', operator } },
      { kind: 'changed_by_admin', detail: { did: 'source-on', source: 'egp-rss', paceMs: 5000, operator } },
      { kind: 'changed_by_admin', detail: { did: 'source-off', source: 'egp-rss', operator } },
    ])
  })
})
