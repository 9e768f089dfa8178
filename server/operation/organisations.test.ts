import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { COMMAND_LINE_ACTOR } from '#server/operation/admin/record-admin-event.ts'
import { runAdminRequest } from '#server/operation/admin/run-admin-request.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, signIn, signInOperator, TEST_SECRET } from '../../test/server/http-app.ts'
import { queuedMails } from '../../test/server/mails.ts'

onOneEngine('organisations at the screen of an operator', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let headers: { authorization: string }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-23')
    app = await appOn(db)
    const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })
    const person = { email: 'it@tamngan.example', firstName: 'อนงค์', lastName: 'ใจดี' }
    const made = await runAdminRequest({ db, mails, by: COMMAND_LINE_ACTOR }, { do: 'create-operator', ...person })
    headers = (await signInOperator(app, db, person.email, 'password' in made ? made.password : '')).headers
    await db.execute(sql`delete from audit_events`)
  })
  afterAll(() => app.close())

  const send = (method: 'GET' | 'PATCH' | 'POST', path: string, payload?: object) =>
    app.inject({ method, url: `/api/v2/operation/${path}`, headers, ...(payload ? { payload } : {}) })
  const trail = async () =>
    await db.query<{ did: string; done: string | null; operator: boolean }>(sql`
      select detail->>'did' as did, detail->>'done' as done, detail ? 'operator' as operator from audit_events
      where kind = 'changed_by_admin' order by id`)

  test('lists every customer but not the operators, and when each was last active', async () => {
    await signIn(app, 'manager@tharamek.example')
    const { organisations } = (await send('GET', 'organisations')).json()
    const codes = organisations.map(({ code }: { code: string }) => code)
    expect(codes).toContain('tharamek')
    expect(codes).not.toContain('operation')
    const of = (organisationCode: string) =>
      organisations.find(({ code }: { code: string }) => code === organisationCode)
    expect(of('tharamek')).toMatchObject({ is_disabled: false, last_used_at: expect.stringContaining('T') })
    expect(of('noensai').last_used_at).toBeNull()
  })

  test('R61: each change writes the same audit row as the command, with the operator', async () => {
    const change = {
      package: ' แพ็กเกจมืออาชีพ ',
      flags: { 'company-comparison': false },
      limits: { include: 100, 'ai-exclude': 3 },
      budget_years: [2569, 2568],
      closed_hours: { start: '02:00', end: '03:30' },
    }
    expect((await send('PATCH', 'organisations/noensai', change)).statusCode).toBe(204)
    expect((await send('GET', 'organisations/noensai')).json()).toMatchObject({
      package: 'แพ็กเกจมืออาชีพ',
      flags: { 'company-comparison': false },
      limits: { include: 100, 'ai-exclude': 3 },
      budget_years: [2568, 2569],
      closed_hours: { start: '02:00', end: '03:30' },
    })
    expect((await trail()).map(({ did, operator }) => [did, operator])).toEqual(
      ['set-package', 'set-flag', 'set-limit', 'set-limit', 'set-budget-years', 'set-window'].map((did) => [did, true]),
    )
    await send('PATCH', 'organisations/noensai', { closed_hours: null })
    expect((await send('GET', 'organisations/noensai')).json().closed_hours).toBeNull()
  })

  test('closing an organisation or account logs it out at once, and can be undone', async () => {
    const manager = await signIn(app, 'manager@noensai.example')
    const requestStatus = async () =>
      (await app.inject({ url: '/api/v2/users/me', headers: manager.headers })).statusCode
    await send('PATCH', 'organisations/noensai', { is_disabled: true })
    expect(await requestStatus()).toBe(401)
    await send('PATCH', 'organisations/noensai', { is_disabled: false })
    const { users } = (await send('GET', 'organisations/noensai')).json()
    expect(users).toContainEqual(expect.objectContaining({ email: 'manager@noensai.example', is_disabled: false }))
    await send('PATCH', 'users', { email: 'manager@noensai.example', role: 'member_user', is_disabled: true })
    const after = (await send('GET', 'organisations/noensai')).json().users
    expect(after).toContainEqual(expect.objectContaining({ role: 'member_user', is_disabled: true }))
  })

  test('R61, R69: notifies and logs a promotion by an operator like one by a super user', async () => {
    await db.script('delete from mails; delete from usage_events')
    expect((await send('PATCH', 'users', { email: 'sales@tharamek.example', role: 'super_user' })).statusCode).toBe(204)
    const mails = await queuedMails(db)
    const of = (kind: string) => mails.filter((mail) => mail.kind === kind).map(({ to }) => to)
    expect(of('role_changed')).toEqual(['sales@tharamek.example'])
    expect(of('super_user_change')).toContain('manager@tharamek.example')
    expect(await db.query(sql`select type, description, info from usage_events`)).toEqual([
      {
        type: 'settings',
        description: 'แก้สิทธิ์สมาชิก',
        info: expect.arrayContaining([{ name: 'ทำโดย', value: 'ผู้ดูแลระบบตามงาน' }]),
      },
    ])
    await send('PATCH', 'users', { email: 'sales@tharamek.example', role: 'member_user' })
  })

  test('rematches all projects on request', async () => {
    await db.execute(sql`delete from jobs`)
    expect((await send('POST', 'organisations/noensai/rematch')).statusCode).toBe(204)
    expect(await db.query(sql`select kind from jobs`)).toEqual([{ kind: 'match' }])
  })

  test.each<[string, 'GET' | 'PATCH' | 'POST', string, object | undefined, number]>([
    ['an organisation that is not there', 'GET', 'organisations/nope', undefined, 404],
    ['nor one to change', 'PATCH', 'organisations/nope', { limits: { include: 1 } }, 404],
    ['R61: that of operators', 'GET', 'organisations/operation', undefined, 404],
    ['R61: or a change of it', 'PATCH', 'organisations/operation', { is_disabled: true }, 404],
    ['R61: an operator', 'PATCH', 'users', { email: 'IT@tamngan.example', is_disabled: true }, 404],
    [
      'R61: a role that makes an operator',
      'PATCH',
      'users',
      { email: 'sales@tharamek.example', role: 'operator' },
      400,
    ],
    ['a limit below nothing', 'PATCH', 'organisations/noensai', { limits: { include: -1 } }, 400],
    ['a limit of an unknown list', 'PATCH', 'organisations/noensai', { limits: { constructor: 1 } }, 400],
    ['a flag that is none', 'PATCH', 'organisations/noensai', { flags: { is_disabled: true } }, 400],
    ['a year of another calendar', 'PATCH', 'organisations/noensai', { budget_years: [2026] }, 400],
    [
      'half an hour too much',
      'PATCH',
      'organisations/noensai',
      { closed_hours: { start: '24:30', end: '01:00' } },
      400,
    ],
    ['a package without a name', 'PATCH', 'organisations/noensai', { package: '  ' }, 400],
  ])('refuses %s and changes nothing', async (_name, method, path, body, status) => {
    const before = (await send('GET', 'organisations')).body
    expect((await send(method, path, body)).statusCode).toBe(status)
    expect((await send('GET', 'organisations')).body).toBe(before)
  })
})
