import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { computeEmailProofOfWork } from '#src/account/api/compute-email-proof-of-work.ts'
import { createRegistrant, createRegistrationCalls, WRONG_CODE_MESSAGE } from '../../../test/registration-flow.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { newestMail } from '../../../test/server/mails.ts'
import { createAccountEnumerationAlarm } from './routes.ts'

test('R20: logs a warning from 200 checks an hour, once an hour', () => {
  let clock = new Date('2026-11-21T03:00:00Z')
  const warned: object[] = []
  const alarm = createAccountEnumerationAlarm(() => clock)
  const sendRequests = (times: number) => {
    for (let round = 0; round < times; round += 1) alarm({ warn: (fields) => void warned.push(fields) })
  }
  sendRequests(199)
  expect(warned).toEqual([])
  sendRequests(300)
  expect(warned).toEqual([{ checks: 200 }])
  clock = new Date(clock.getTime() + 60 * 60 * 1000)
  sendRequests(200)
  expect(warned).toHaveLength(2)
})

onEachEngineInTurn('what registration tells strangers', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const clock = new Date('2026-11-21T03:00:00Z')
  const { post, stepOne, stepTwo, askOtp, final, upToOtp } = createRegistrationCalls(() => ({ db, app }))

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock })
  })
  afterAll(() => app.close())

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

    test('find a taken phone number however its digits were typed', async () => {
      const person = createRegistrant()
      const { code, otp } = await upToOtp(person)
      await final(code, otp)
      const thai = person.phone.replace(/\d/g, (digit) => String.fromCharCode(0x0e50 + Number(digit)))
      expect((await post('check-phone-exist', { phone: thai })).json().errors).toEqual(['เบอร์โทรศัพท์นี้มีผู้ใช้อยู่แล้ว'])
    })

    beforeEach(async () => {
      await db.execute(sql`delete from use_counts`)
    })

    test('R20: take at least 150 ms whatever they find, and allow 10 a minute for each address', async () => {
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

    test('R20: allow few checks without proof of work, for one address and in total, and any number with it', async () => {
      await db.script('delete from use_counts')
      const limits = { check: 1000, checkHourly: 1000, checkUnproved: 3, checkUnprovedAll: 4 }
      const limited = await appOn(db, { now: () => clock, settings: { limits, trustedProxies: ['127.0.0.1'] } })
      const { signal } = new AbortController()
      const checkEmail = async (email: string, from: string, work?: string) =>
        (await post('check-email-exist', { email, work }, { 'x-forwarded-for': from }, limited)).statusCode
      const bare: number[] = []
      for (const from of [
        '198.51.100.1',
        '198.51.100.1',
        '198.51.100.1',
        '198.51.100.1',
        '198.51.100.2',
        '198.51.100.3',
      ])
        bare.push(await checkEmail('nobody@tharamek.example', from))
      expect(bare).toEqual([200, 200, 200, 429, 200, 429])
      const work = await computeEmailProofOfWork('Pim@tharamek.example', signal, clock.getTime())
      expect(await checkEmail('pim@tharamek.example', '198.51.100.1', work)).toBe(200)
      expect(await checkEmail('pim@tharamek.example', '198.51.100.1', work)).toBe(200)
      // Invalid proofs: work for another address, an old window, too few numbers, none.
      expect(await checkEmail('pom@tharamek.example', '198.51.100.1', work)).toBe(429)
      const old = await computeEmailProofOfWork('pim@tharamek.example', signal, clock.getTime() - 21 * 60_000)
      const [stamp] = work.split('.')
      for (const bad of [old, work.split('.').slice(0, 8).join('.'), `${stamp}${'.0'.repeat(8)}`, '', 'x'.repeat(500)])
        expect(await checkEmail('pim@tharamek.example', '198.51.100.1', bad), bad).toBe(429)
      await limited.close()
    })

    test('R20: allow 60 an hour', async () => {
      const limited = await appOn(db, { now: () => clock, settings: { limits: { check: 1000 } } })
      const statuses: number[] = []
      for (let round = 1; round <= 61; round += 1) {
        statuses.push((await post('check-phone-exist', { phone: '1' }, {}, limited)).statusCode)
      }
      expect(statuses).toEqual([...Array(60).fill(400), 429])
      await limited.close()
    })
  })

  test('R20: strict enumeration reveals nothing taken, and mails a notice instead of a code', async () => {
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
    const stranger = createRegistrant()
    const existing = createRegistrant({ email: taken })
    const answers = await Promise.all(
      [stranger, existing].map(async (person) => {
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
    expect((await final(answers[1]!.code, '000000', {}, strict)).json().otp).toEqual([WRONG_CODE_MESSAGE])
    await strict.close()
  })
})
