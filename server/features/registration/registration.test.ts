import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TRIAL_PACKAGE } from '#contract/organisation.ts'
import type { OpenDb } from '#server/db/db.ts'
import { seedSampleOrganisations } from '#server/features/organisation/seed-sample.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { onEachEngine } from '../../../test/databases.ts'
import { appOn, signIn } from '../../../test/http-app.ts'
import { newestMail, otpSentTo, queuedMails } from '../../../test/mails.ts'

const PASSWORD = 'Kluay-5-Wan#'
const WRONG_CODE = 'รหัสไม่ถูกต้องหรือใช้ไม่ได้แล้ว ตรวจสอบอีกครั้ง หรือขอรหัสใหม่'

let people = 0
/** Somebody whom nobody knows yet. */
function somebody(over: Record<string, unknown> = {}) {
  people += 1
  const number = String(people).padStart(5, '0')
  return {
    email: `anong${number}@siamyotha.example`,
    organization_name: `บริษัท สยามโยธา ${number} จำกัด`,
    firstname: 'อนงค์',
    lastname: 'ใจดี',
    phone: `08999${number}`,
    organization_option: [100, 101],
    discover_lightwork: 'Facebook',
    ...over,
  }
}
type Person = ReturnType<typeof somebody>

onEachEngine('registration', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const later = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000)
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())

  const post = (path: string, payload: object, headers: Record<string, string> = {}, on = app) =>
    on.inject({ method: 'POST', url: `/api/v2/auth/${path}/`, payload, headers })

  const stepOne = async ({ email }: Person, on = app) => {
    const answer = await post(
      'register-step-one',
      { query_string: '?utm=x', client_info: { screen: '390' }, email, password: PASSWORD, terms_accepted: true },
      {},
      on,
    )
    return { answer, code: answer.json<{ register_form_code: string }>().register_form_code }
  }
  const stepTwo = ({ email: _, ...rest }: Person, code: string, on = app) =>
    post('register-step-two', { register_form_code: code, ...rest }, {}, on)
  const askOtp = (code: string, on = app) => post('create-register-otp', { register_form_code: code }, {}, on)
  const final = (code: string, otp: string, headers: Record<string, string> = {}, on = app) =>
    post('register-step-final', { register_form_code: code, otp }, headers, on)
  /** Everything up to the code in the mail. */
  const upToOtp = async (person: Person, on = app) => {
    const { code } = await stepOne(person, on)
    expect((await stepTwo(person, code, on)).statusCode).toBe(200)
    expect((await askOtp(code, on)).statusCode).toBe(200)
    return { code, otp: await otpSentTo(db, person.email) }
  }
  const wrong = (otp: string) => String((Number(otp) + 1) % 1_000_000).padStart(6, '0')

  test('a company signs itself up and is logged in: trial package, everything open, no words, watch list still to do', async () => {
    const person = somebody()
    const { answer, code } = await stepOne(person)
    expect(answer.json()).toEqual({ register_form_code: expect.stringMatching(/^[\w-]{22}$/), expires_in: 3600 })
    expect((await stepTwo(person, code)).json()).toEqual({ email: `an••••@siamyotha.example`, expires_in: 3600 })
    expect((await askOtp(code)).json()).toMatchObject({
      expires_in: 600,
      resend_after: 60,
      email: 'an••••@siamyotha.example',
    })
    const done = await final(code, await otpSentTo(db, person.email), {
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
    })
    expect((await app.inject({ url: '/api/v2/organisations/me', headers })).json()).toMatchObject({
      name: person.organization_name,
      customer_use_package: TRIAL_PACKAGE,
      include: [],
      is_company_compare: true,
      is_access_budget_year: true,
      is_access_budget_year_only: false,
      register_status: { is_register_completed: true, is_watchlist_completed: false },
    })
    expect((await signIn(app, person.email, PASSWORD)).access).toBeTruthy()
    const [kept] = await db.query(sql`
      select o.business_types, o.discover_channel, u.phone, u.terms_version is not null as terms, r.query_string, r.client_info, r.email, r.password_hash
      from registrations r join users u on u.id = r.user_id join organisations o on o.id = u.organisation_id where u.email_key = ${person.email}`)
    expect(kept).toEqual({
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

  test('R15: steps out of order, an unknown form and one after 60 minutes are refused; the form keeps no password', async () => {
    const person = somebody()
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
    expect(row!.text).not.toContain(PASSWORD)
    expect(row!.text).not.toContain(code)
    later(59 * 60)
    expect((await stepTwo(person, code)).statusCode).toBe(200)
    later(61)
    expect((await stepTwo(person, code)).statusCode).toBe(400)
    expect((await askOtp(code)).statusCode).toBe(400)
    expect((await final(code, '000000')).statusCode).toBe(400)
  })

  test('step two may be repeated: what was typed last counts', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    expect((await stepTwo({ ...person, firstname: 'มานี' }, code)).statusCode).toBe(200)
    expect((await final(code, otp)).statusCode).toBe(200)
    expect(await db.query(sql`select first_name from users where email_key = ${person.email}`)).toEqual([
      { first_name: 'มานี' },
    ])
  })

  test('R16: a code has six digits, is stored keyed, works once, for its form only and for ten minutes', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    const other = await upToOtp(somebody())
    const [row] = await db.query<{ text: string }>(
      sql`select otp_hash as text from registrations where email_key = ${person.email}`,
    )
    expect(row!.text).toMatch(/^[\w-]{43}$/)
    expect((await final(other.code, otp)).statusCode).toBe(other.otp === otp ? 200 : 400)
    later(10 * 60)
    expect((await final(code, otp)).json().otp).toEqual([WRONG_CODE])
    later(60)
    expect((await askOtp(code)).statusCode).toBe(200)
    const fresh = await otpSentTo(db, person.email)
    expect(
      (
        await final(
          code,
          fresh.replace(/\d/g, (digit) => String.fromCharCode(0x0e50 + Number(digit))),
        )
      ).statusCode,
    ).toBe(200)
    expect((await final(code, fresh)).statusCode).toBe(400)
  })

  test('R17: of 50 parallel wrong codes five are compared; then the right one is refused with the same text, and a new one works', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    await db.execute(sql`delete from audit_events`)
    const answers = await Promise.all(Array.from({ length: 50 }, () => final(code, wrong(otp))))
    expect(new Set(answers.map((answer) => answer.body))).toEqual(
      new Set([JSON.stringify({ non_field_errors: [WRONG_CODE], otp: [WRONG_CODE] })]),
    )
    expect(await db.query(sql`select otp_attempts from registrations where email_key = ${person.email}`)).toEqual([
      { otp_attempts: 5 },
    ])
    expect(await db.query(sql`select from audit_events where kind = 'register_code_wrong'`)).toHaveLength(5)
    const right = await final(code, otp)
    expect([right.statusCode, right.body]).toEqual([400, answers[0]!.body])
    later(60)
    expect((await askOtp(code)).statusCode).toBe(200)
    expect((await final(code, await otpSentTo(db, person.email))).statusCode).toBe(200)
  })

  test('R18: 20 parallel right codes make one account', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    const answers = await Promise.all(Array.from({ length: 20 }, () => final(code, otp)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(await db.query(sql`select from users where email_key = ${person.email}`)).toHaveLength(1)
    expect(await db.query(sql`select from organisations where name = ${person.organization_name}`)).toHaveLength(1)
  })

  test.each([
    ['email', 'email'],
    ['phone', 'phone'],
    ['organization_name', 'organization_name'],
  ] as const)(
    'R18: two forms with the same %s that finish together make one account; the other is told at the field',
    async (field, told) => {
      const first = somebody()
      const second = somebody({ [field]: first[field] })
      const a = await upToOtp(first)
      later(60)
      const b = await upToOtp(second)
      const answers = await Promise.all([final(a.code, a.otp), final(b.code, b.otp)])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
      const loser = answers.find(({ statusCode }) => statusCode === 400)!.json()
      expect(loser[told]).toHaveLength(1)
      expect(loser.errors).toEqual(loser[told])
      // Who corrects it goes on with the same form.
      if (field !== 'email') {
        const isFirst = answers[0]!.statusCode === 400
        const { code, otp } = isFirst ? a : b
        expect((await stepTwo({ ...(isFirst ? first : second), [field]: somebody()[field] }, code)).statusCode).toBe(
          200,
        )
        expect((await final(code, otp)).statusCode).toBe(200)
      }
    },
  )

  test('R19: a new code is sent no sooner than after 60 s and five times a form; the old one is dead', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    const early = await askOtp(code)
    expect([early.statusCode, early.headers['retry-after']]).toEqual([429, '60'])
    expect(early.json()).toEqual({ non_field_errors: ['ขอรหัสใหม่ได้ในอีก 60 วินาที'] })
    for (let round = 2; round <= 5; round += 1) {
      later(60)
      expect((await askOtp(code)).statusCode).toBe(200)
    }
    later(60)
    expect((await askOtp(code)).statusCode).toBe(429)
    const newest = await otpSentTo(db, person.email)
    if (newest !== otp) expect((await final(code, otp)).statusCode).toBe(400)
    expect((await final(code, newest)).statusCode).toBe(200)
  })

  test('R19: an address gets ten codes a day at most, whatever forms they are for; parallel requests are no way round', async () => {
    const person = somebody()
    const forms = await Promise.all(Array.from({ length: 12 }, () => stepOne(person)))
    for (const { code } of forms) await stepTwo(person, code)
    const answers = await Promise.all(forms.map(({ code }) => askOtp(code)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 3600)
    const sent = (await queuedMails(db)).filter(({ to, kind }) => to === person.email && kind === 'register_otp')
    expect(sent).toHaveLength(10)
  })

  test('R46: the last step repeated with its Idempotency-Key answers the same account; without the key, or with another, it does not', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    const key = { 'idempotency-key': 'b6f1e0' }
    const answers = await Promise.all([final(code, otp, key), final(code, otp, key)])
    answers.push(await final(code, otp, key))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await db.query(sql`select from users where email_key = ${person.email}`)).toHaveLength(1)
    for (const [typed, headers] of [
      [otp, {}],
      [otp, { 'idempotency-key': 'other' }],
      [wrong(otp), key],
    ] as const)
      expect((await final(code, typed, headers)).statusCode).toBe(400)
    later(11 * 60)
    expect((await final(code, otp, key)).statusCode).toBe(400)
  })

  describe('the uniqueness checks', () => {
    test.each([
      ['check-email-exist', { email: 'Manager@Tharamek.example ' }, 'อีเมลนี้มีบัญชีอยู่แล้ว เข้าสู่ระบบหรือตั้งรหัสผ่านใหม่ได้เลย'],
      [
        'check-organization-exist',
        { organizename: 'บริษัทธาราเมฆ  เน็ตเวิร์ก จำกัด' },
        'ชื่อองค์กรนี้สมัครไว้แล้ว ขอให้ผู้ดูแลขององค์กรเพิ่มคุณเข้าใช้งาน',
      ],
      ['check-email-exist', { email: 'no address' }, 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th'],
      ['check-phone-exist', { phone: '12' }, 'เบอร์โทรศัพท์ต้องขึ้นต้นด้วย 0 และมี 9 หรือ 10 หลัก เช่น 0812345678'],
      ['check-organization-exist', { organizename: '' }, 'กรอกชื่อองค์กร'],
    ])('%s of %j answers 400 with the message in `errors`', async (path, payload, message) => {
      const answer = await post(path, payload)
      expect([answer.statusCode, answer.json().errors]).toEqual([400, [message]])
    })

    test.each([
      ['check-email-exist', { email: 'nobody@tharamek.example' }],
      ['check-phone-exist', { phone: '0899999999' }],
      ['check-organization-exist', { organizename: 'กข' }],
    ])('%s of %j answers 200', async (path, payload) => {
      const answer = await post(path, payload)
      expect([answer.statusCode, answer.json()]).toEqual([200, { is_available: true }])
    })

    test('a taken phone is found however its digits were typed', async () => {
      const person = somebody()
      const { code, otp } = await upToOtp(person)
      await final(code, otp)
      const thai = person.phone.replace(/\d/g, (digit) => String.fromCharCode(0x0e50 + Number(digit)))
      expect((await post('check-phone-exist', { phone: thai })).json().errors).toEqual(['เบอร์โทรศัพท์นี้มีผู้ใช้อยู่แล้ว'])
    })

    test('R20: they take 150 ms at least, whatever they find, and are counted by address: 10 a minute', async () => {
      const limited = await appOn(db, { now: () => clock, settings: { limits: {} } })
      const started = performance.now()
      await post('check-email-exist', { email: 'manager@tharamek.example' }, {}, limited)
      const between = performance.now()
      await post('check-email-exist', { email: 'nobody@tharamek.example' }, {}, limited)
      expect(between - started).toBeGreaterThanOrEqual(148)
      expect(performance.now() - between).toBeGreaterThanOrEqual(148)
      const statuses: number[] = []
      for (let round = 3; round <= 11; round += 1) {
        statuses.push((await post('check-email-exist', { email: 'nobody' }, {}, limited)).statusCode)
      }
      expect(statuses).toEqual([...Array(8).fill(400), 429])
      const cross = await post(
        'check-phone-exist',
        { phone: '0899999999' },
        { 'sec-fetch-site': 'cross-site' },
        limited,
      )
      expect(cross.statusCode).toBe(403)
      await limited.close()
    })

    test('R20: and 60 an hour', async () => {
      const limited = await appOn(db, { now: () => clock, settings: { limits: { check: 1000 } } })
      const statuses: number[] = []
      for (let round = 1; round <= 61; round += 1) {
        statuses.push((await post('check-phone-exist', { phone: '1' }, {}, limited)).statusCode)
      }
      expect(statuses).toEqual([...Array(60).fill(400), 429])
      await limited.close()
    })
  })

  test('R20: with strict enumeration nothing tells what is taken, and the mailbox is told instead of getting a code', async () => {
    const strict = await appOn(db, {
      now: () => clock,
      settings: { enumeration: 'strict', publicUrl: 'https://tamngan.example' },
    })
    const taken = 'manager@tharamek.example'
    for (const [path, payload] of [
      ['check-email-exist', { email: taken }],
      ['check-organization-exist', { organizename: 'บริษัท ธาราเมฆ เน็ตเวิร์ก จำกัด' }],
    ] as const)
      expect((await post(path, payload, {}, strict)).json()).toEqual({ is_available: true })
    const stranger = somebody()
    const known = somebody({ email: taken })
    const answers = await Promise.all(
      [stranger, known].map(async (person) => {
        const { code } = await stepOne(person, strict)
        await stepTwo(person, code, strict)
        return { code, ...(await askOtp(code, strict)).json() }
      }),
    )
    expect(answers.map(({ message, expires_in }) => [message, expires_in])).toEqual([
      ['ส่งรหัสไปทางอีเมลแล้ว', 600],
      ['ส่งรหัสไปทางอีเมลแล้ว', 600],
    ])
    const mail = await newestMail(db, 'already_registered', taken)
    expect(mail.text).toContain('https://tamngan.example/login')
    expect(mail.text).not.toMatch(/\b\d{6}\b/)
    expect((await final(answers[1]!.code, '000000', {}, strict)).json().otp).toEqual([WRONG_CODE])
    await strict.close()
  })

  test('R2: a common password and one from the e-mail address are refused with the reason', async () => {
    const refused = async (password: string) =>
      (await post('register-step-one', { email: 'x@siamyotha.example', password, terms_accepted: true })).json()
        .password
    expect(await refused('P@ssw0rd1')).toEqual(['รหัสผ่านนี้มีคนใช้กันมาก เดาได้ง่าย ลองใช้หลายคำที่ไม่เกี่ยวกัน'])
    expect(await refused('Siamyotha#25')).toEqual(['รหัสผ่านมีคำว่า "siamyotha" จากอีเมลหรือชื่อของคุณหรือองค์กร คนอื่นเดาได้ง่าย'])
  })

  test('an e-mail address, phone number or organisation that is taken is told at its step', async () => {
    expect((await stepOne(somebody({ email: 'MANAGER@tharamek.example' }))).answer.json()).toMatchObject({
      email: [expect.stringContaining('มีบัญชีอยู่แล้ว')],
    })
    const person = somebody({ organization_name: 'บริษัท ธาราเมฆ เน็ตเวิร์ก จำกัด' })
    const { code } = await stepOne(person)
    expect((await stepTwo(person, code)).json()).toMatchObject({
      organization_name: [expect.stringContaining('สมัครไว้แล้ว')],
      errors: [expect.any(String)],
    })
    expect((await stepTwo(somebody({ organization_option: [100, 7] }), code)).json()).toMatchObject({
      organization_option: [expect.any(String)],
    })
  })

  test('what tells where somebody came from is kept to 2 kB of text and is never a reason to refuse', async () => {
    const person = somebody()
    const answer = await post('register-step-one', {
      query_string: `\u0000${'ก'.repeat(5000)}\ud800`,
      client_info: { text: 'x'.repeat(5000) },
      email: person.email,
      password: PASSWORD,
      terms_accepted: true,
    })
    expect(answer.statusCode).toBe(200)
    const [row] = await db.query<{ q: number; c: number }>(sql`
      select length(query_string) as q, length(client_info) as c from registrations where email_key = ${person.email}`)
    expect(row).toEqual({ q: 2000, c: 2000 })
  })

  test('business types are listed for everyone, with their subtypes', async () => {
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

  test('R14: neither the database nor what is queued gives away a password, a form code or a one-time code', async () => {
    const person = somebody()
    const { code, otp } = await upToOtp(person)
    const [dump] = await db.query<{ text: string }>(sql`
      select (select string_agg(r::text, ' ') from registrations r) || (select string_agg(m::text, ' ') from mails m)
        || (select string_agg(u::text, ' ') from use_counts u) || (select string_agg(a::text, ' ') from audit_events a) as text`)
    for (const secret of [PASSWORD, code]) expect(dump!.text).not.toContain(secret)
    // Six digits may stand in a number by chance: as a word of its own it may not.
    expect(dump!.text).not.toMatch(new RegExp(`[^\\d.:-]${otp}[^\\d]`))
    expect((await final(code, otp)).statusCode).toBe(200)
  })
})
