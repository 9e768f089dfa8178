import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import {
  createRegistrant,
  createRegistrationCalls,
  getDifferentOtp,
  WRONG_CODE_MESSAGE,
} from '../../../test/registration-flow.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { findOtpSentTo, queuedMails } from '../../../test/server/mails.ts'

onEachEngineInTurn('one-time codes of registration', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const later = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000)
  }
  const { stepOne, stepTwo, askOtp, final, upToOtp } = createRegistrationCalls(() => ({ db, app }))

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())

  test('R16: a code has six digits, is stored keyed, and works once, only for its form, for ten minutes', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    const otherForm = await upToOtp(createRegistrant())
    const [row] = await db.query<{ text: string }>(
      sql`select otp_hash as text from registrations where email_key = ${person.email}`,
    )
    expect(row!.text).toMatch(/^[\w-]{43}$/)
    expect((await final(otherForm.code, otp)).statusCode).toBe(otherForm.otp === otp ? 200 : 400)
    later(10 * 60)
    expect((await final(code, otp)).json().otp).toEqual([WRONG_CODE_MESSAGE])
    later(60)
    expect((await askOtp(code)).statusCode).toBe(200)
    const fresh = await findOtpSentTo(db, person.email)
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

  test('R17: 50 parallel wrong codes cause five comparisons; then the right one gets the same error, and a new one works', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    await db.execute(sql`delete from audit_events`)
    const answers = await Promise.all(Array.from({ length: 50 }, () => final(code, getDifferentOtp(otp))))
    expect(new Set(answers.map((answer) => answer.body))).toEqual(
      new Set([JSON.stringify({ non_field_errors: [WRONG_CODE_MESSAGE], otp: [WRONG_CODE_MESSAGE] })]),
    )
    expect(await db.query(sql`select otp_attempts from registrations where email_key = ${person.email}`)).toEqual([
      { otp_attempts: 5 },
    ])
    expect(await db.query(sql`select from audit_events where kind = 'register_code_wrong'`)).toHaveLength(5)
    const right = await final(code, otp)
    expect([right.statusCode, right.body]).toEqual([400, answers[0]!.body])
    later(60)
    expect((await askOtp(code)).statusCode).toBe(200)
    expect((await final(code, await findOtpSentTo(db, person.email))).statusCode).toBe(200)
  })

  test('R18: 20 parallel correct codes make one account', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    const answers = await Promise.all(Array.from({ length: 20 }, () => final(code, otp)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(400)])
    expect(await db.query(sql`select from users where email_key = ${person.email}`)).toHaveLength(1)
    expect(await db.query(sql`select from organisations where name = ${person.organization_name}`)).toHaveLength(1)
    const trail = await db.query(sql`
      select kind from audit_events join users on users.id = user_id where email_key = ${person.email} and kind = 'register'`)
    expect(trail).toHaveLength(1)
  })

  test.each([
    ['email', 'email'],
    ['phone', 'phone'],
    ['organization_name', 'organization_name'],
  ] as const)(
    'R18: of two forms with the same %s finishing together one makes an account; the other gets a field error',
    async (field, errorField) => {
      const first = createRegistrant()
      const second = createRegistrant({ [field]: first[field] })
      const a = await upToOtp(first)
      later(60)
      const b = await upToOtp(second)
      const answers = await Promise.all([final(a.code, a.otp), final(b.code, b.otp)])
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
      const loser = answers.find(({ statusCode }) => statusCode === 400)!.json()
      expect(loser[errorField]).toHaveLength(1)
      expect(loser.errors).toEqual(loser[errorField])
      if (field !== 'email') {
        const isFirst = answers[0]!.statusCode === 400
        const { code, otp } = isFirst ? a : b
        expect(
          (await stepTwo({ ...(isFirst ? first : second), [field]: createRegistrant()[field] }, code)).statusCode,
        ).toBe(200)
        expect((await final(code, otp)).statusCode).toBe(200)
      }
    },
  )

  test('R19: a new code needs 60 s between sends, at most five a form, and invalidates the old one', async () => {
    const person = createRegistrant()
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
    const newest = await findOtpSentTo(db, person.email)
    if (newest !== otp) expect((await final(code, otp)).statusCode).toBe(400)
    expect((await final(code, newest)).statusCode).toBe(200)
  })

  test('R19: an address gets at most ten codes a day over all forms, even with parallel requests', async () => {
    const person = createRegistrant()
    const forms = await Promise.all(Array.from({ length: 12 }, () => stepOne(person)))
    for (const { code } of forms) await stepTwo(person, code)
    const answers = await Promise.all(forms.map(({ code }) => askOtp(code)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
    const refused = answers.find(({ statusCode }) => statusCode === 429)!
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 3600)
    const sent = (await queuedMails(db)).filter(({ to, kind }) => to === person.email && kind === 'register_otp')
    expect(sent).toHaveLength(10)
  })

  test('R46: repeating the last step returns the same account only with the same Idempotency-Key', async () => {
    const person = createRegistrant()
    const { code, otp } = await upToOtp(person)
    const key = { 'idempotency-key': 'b6f1e0' }
    const answers = await Promise.all([final(code, otp, key), final(code, otp, key)])
    answers.push(await final(code, otp, key))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await db.query(sql`select from users where email_key = ${person.email}`)).toHaveLength(1)
    for (const [typed, headers] of [
      [otp, {}],
      [otp, { 'idempotency-key': 'other' }],
      [getDifferentOtp(otp), key],
    ] as const)
      expect((await final(code, typed, headers)).statusCode).toBe(400)
    later(11 * 60)
    expect((await final(code, otp, key)).statusCode).toBe(400)
  })
})
