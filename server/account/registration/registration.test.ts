import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TRIAL_PACKAGE_NAME } from '#contract/account/organisation.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createRegistrant, createRegistrationCalls, GOOD_PASSWORD } from '../../../test/registration-flow.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { findOtpSentTo } from '../../../test/server/mails.ts'

onEachEngineInTurn('registration', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const later = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000)
  }
  const { post, stepOne, stepTwo, askOtp, final, upToOtp } = createRegistrationCalls(() => ({ db, app }))

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())

  test('a company registers and is logged in: trial package, everything open, no words, watch list pending', async () => {
    const person = createRegistrant()
    const { answer, code } = await stepOne(person)
    expect(answer.json()).toEqual({ register_form_code: expect.stringMatching(/^[\w-]{22}$/), expires_in: 3600 })
    expect((await stepTwo(person, code)).json()).toEqual({ email: `an••••@siamyotha.example`, expires_in: 3600 })
    expect((await askOtp(code)).json()).toMatchObject({
      expires_in: 600,
      resend_after: 60,
      email: 'an••••@siamyotha.example',
    })
    const done = await final(code, await findOtpSentTo(db, person.email), {
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/149',
    })
    expect(done.statusCode).toBe(200)
    expect(done.headers['set-cookie']).toMatch(/^XSRF-TOKEN=/)
    const headers = { authorization: `Bearer ${done.json().access}` }
    expect((await app.inject({ url: '/api/v2/users/me', headers })).json()).toMatchObject({
      email: person.email,
      first_name: 'อนงค์',
      last_name: 'ใจดี',
      role: 'super_user',
      is_send_report_email: true,
    })
    expect((await app.inject({ url: '/api/v2/organisations/me', headers })).json()).toMatchObject({
      name: person.organization_name,
      customer_use_package: TRIAL_PACKAGE_NAME,
      include: [],
      is_company_compare: true,
      is_access_budget_year: true,
      is_access_budget_year_only: false,
      register_status: { is_register_completed: true, is_watchlist_completed: false },
    })
    expect((await signIn(app, person.email, GOOD_PASSWORD)).access).toBeTruthy()
    const [stored] = await db.query(sql`
      select o.business_types, o.discover_channel, u.phone, u.terms_version is not null as terms, r.query_string, r.client_info, r.email, r.password_hash
      from registrations r join users u on u.id = r.user_id join organisations o on o.id = u.organisation_id where u.email_key = ${person.email}`)
    expect(stored).toEqual({
      business_types: [100, 101],
      discover_channel: 'Facebook',
      phone: person.phone,
      terms: true,
      query_string: '?utm=x',
      client_info: '{"screen":"390"}',
      email: null,
      password_hash: null,
    })
  })

  test('R15: rejects steps out of order, unknown and expired forms; the form does not store the password', async () => {
    const person = createRegistrant()
    const { code } = await stepOne(person)
    expect((await askOtp(code)).statusCode).toBe(400)
    expect((await final(code, '000000')).statusCode).toBe(400)
    for (const strange of ['x', 'A'.repeat(22), `${code}x`]) {
      const answer = await stepTwo(person, strange)
      expect([answer.statusCode, answer.json().register_form_code]).toEqual([
        400,
        ['การสมัครนี้หมดเวลาหรือเสร็จไปแล้ว เริ่มสมัครใหม่อีกครั้ง'],
      ])
    }
    const [row] = await db.query<{ text: string; hash: string }>(
      sql`select r::text as text, password_hash as hash from registrations r where email_key = ${person.email}`,
    )
    expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(row!.text).not.toContain(GOOD_PASSWORD)
    expect(row!.text).not.toContain(code)
    later(59 * 60)
    expect((await stepTwo(person, code)).statusCode).toBe(200)
    later(61)
    expect((await stepTwo(person, code)).statusCode).toBe(400)
    expect((await askOtp(code)).statusCode).toBe(400)
    expect((await final(code, '000000')).statusCode).toBe(400)
  })

  test('step two can be repeated: the last values count', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    expect((await stepTwo({ ...person, firstname: 'มานี' }, code)).statusCode).toBe(200)
    expect((await final(code, otp)).statusCode).toBe(200)
    expect(await db.query(sql`select first_name from users where email_key = ${person.email}`)).toEqual([
      { first_name: 'มานี' },
    ])
  })

  test('R2: rejects a common password and one from the e-mail address with the reason', async () => {
    const refused = async (password: string) =>
      (await post('register-step-one', { email: 'x@siamyotha.example', password, terms_accepted: true })).json()
        .password
    expect(await refused('P@ssw0rd1')).toEqual(['รหัสผ่านนี้มีคนใช้กันมาก เดาได้ง่าย เปลี่ยนเป็นหลายคำที่ไม่เกี่ยวกัน'])
    expect(await refused('Siamyotha#25')).toEqual([
      'คำว่า "siamyotha" มาจากอีเมลหรือชื่อของคุณหรือองค์กร คนอื่นเดาได้ง่าย เปลี่ยนเป็นคำอื่น',
    ])
  })

  test('reports a taken e-mail address, phone number or organisation at its step', async () => {
    expect((await stepOne(createRegistrant({ email: 'MANAGER@tharamek.example' }))).answer.json()).toMatchObject({
      email: [expect.stringContaining('มีบัญชีอยู่แล้ว')],
    })
    const person = createRegistrant({ organization_name: 'บริษัท ธาราเมฆ เน็ตเวิร์ก จำกัด' })
    const { code } = await stepOne(person)
    expect((await stepTwo(person, code)).json()).toMatchObject({
      organization_name: [expect.stringContaining('สมัครไว้แล้ว')],
      errors: [expect.any(String)],
    })
    expect((await stepTwo(createRegistrant({ organization_option: [100, 7] }), code)).json()).toMatchObject({
      organization_option: [expect.any(String)],
    })
  })

  test('keeps at most 2 kB of text about the origin and never rejects because of it', async () => {
    const person = createRegistrant()
    const answer = await post('register-step-one', {
      query_string: `\u0000${'ก'.repeat(5000)}\ud800`,
      client_info: { text: 'x'.repeat(5000) },
      email: person.email,
      password: GOOD_PASSWORD,
      terms_accepted: true,
    })
    expect(answer.statusCode).toBe(200)
    const [row] = await db.query<{ q: number; c: number }>(sql`
      select length(query_string) as q, length(client_info) as c from registrations where email_key = ${person.email}`)
    expect(row).toEqual({ q: 2000, c: 2000 })
  })

  test('lists business types with subtypes without authentication', async () => {
    const list = (await app.inject({ url: '/api/v2/organisations/business-types' })).json()
    expect(list.length).toBeGreaterThan(8)
    expect(list[0]).toEqual({
      id: 100,
      name: 'งานก่อสร้างโยธา',
      description: expect.any(String),
      is_active: true,
      subtypes: expect.arrayContaining([{ id: 101, name: 'ถนนและผิวทาง', description: null, is_active: true }]),
    })
    const ids = list.flatMap(({ id, subtypes }: { id: number; subtypes: { id: number }[] }) => [
      id,
      ...subtypes.map((subtype) => subtype.id),
    ])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('R14: database and queued jobs contain no password, form code or one-time code', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    const [dump] = await db.query<{ text: string }>(sql`
      select (select string_agg(r::text, ' ') from registrations r) || (select string_agg(m::text, ' ') from mails m)
        || (select string_agg(u::text, ' ') from use_counts u) || (select string_agg(a::text, ' ') from audit_events a) as text`)
    for (const secret of [GOOD_PASSWORD, code]) expect(dump!.text).not.toContain(secret)
    expect(dump!.text).not.toMatch(new RegExp(`[^\\d.:-]${otp}[^\\d]`))
    expect((await final(code, otp)).statusCode).toBe(200)
  })
})
