import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { NEW_PASSWORD_CASES } from '../../../test/account-cases.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, signIn } from '../../../test/server/http-app.ts'
import { findResetTokenSentTo, newestMail, queuedMails } from '../../../test/server/mails.ts'

const USER = 'bid@noensai.example'
const NEW = 'Kluay-5-Wan#'
const UNKNOWN = 'ลิงก์นี้ไม่ถูกต้อง ตรวจสอบว่าคัดลอกมาครบ หรือขอลิงก์ใหม่'

onEachEngineInTurn('passwords', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let clock = new Date('2026-11-21T03:00:00Z')
  const lines: string[] = []
  const later = (seconds: number) => {
    clock = new Date(clock.getTime() + seconds * 1000)
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, {
      now: () => clock,
      settings: {
        publicUrl: 'https://tamngan.example/',
        logLevel: 'info',
        logStream: { write: (line) => lines.push(line) },
      },
    })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await db.execute(sql`delete from use_counts`)
    await db.execute(sql`delete from login_failures`)
  })

  const requestReset = (email: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/api/v2/password/reset/', payload: { email }, headers })
  const verify = (token: string) => app.inject({ url: `/api/v2/password/reset/verify/${token}/` })
  const confirm = (token: string, new_password = NEW, confirm_password = new_password) =>
    app.inject({
      method: 'POST',
      url: `/api/v2/password/reset/confirm/${token}/`,
      payload: { new_password, confirm_password },
    })
  const tokenFor = async (email: string) => {
    expect((await requestReset(email)).statusCode).toBe(200)
    return await findResetTokenSentTo(db, email)
  }
  const me = (headers: Record<string, string>) => app.inject({ url: '/api/v2/users/me', headers })
  const restorePassword = async () => {
    later(3600)
    await db.execute(sql`delete from use_counts`)
    await db.execute(
      sql`update users set password_hash = (select password_hash from users where email_key = 'manager@tharamek.example') where email_key = ${USER}`,
    )
  }

  describe('reset', () => {
    test('the mailed link sets a new password for the login, without logging in', async () => {
      const token = await tokenFor(USER)
      expect(token).toMatch(/^[\w-]{43}$/)
      expect((await verify(token)).json()).toEqual({ message: 'ลิงก์นี้ใช้ได้', email: 'b••••@noensai.example' })
      const done = await confirm(token)
      expect([done.statusCode, done.json()]).toEqual([200, { message: 'ตั้งรหัสผ่านใหม่แล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่ได้เลย' }])
      expect(done.headers['set-cookie']).toBeUndefined()
      expect((await signIn(app, USER, NEW)).access).toBeTruthy()
      await expect(signIn(app, USER)).rejects.toThrow('400')
      await restorePassword()
    })

    test('R20, R4: unknown, disabled and demo addresses get the same bytes in the same time; only a known one gets a mail', async () => {
      await db.execute(sql`delete from mails`)
      await db.execute(sql`update users set is_disabled = true where email_key = 'shop@ruamchai.example'`)
      const timed = async (email: string) => {
        const started = performance.now()
        const answer = await requestReset(email)
        return { ms: performance.now() - started, seen: [answer.statusCode, answer.body] }
      }
      const emails = [USER, 'nobody@noensai.example', 'shop@ruamchai.example', 'demo@demo.example']
      const answers = []
      for (const email of emails) answers.push(await timed(email))
      expect(new Set(answers.map(({ seen }) => JSON.stringify(seen))).size).toBe(1)
      expect(answers[0]!.seen[0]).toBe(200)
      expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThanOrEqual(148)
      expect((await queuedMails(db)).map(({ to, kind }) => [to, kind])).toEqual([[USER, 'password_reset']])
      const checkEmail = (email: string) =>
        app.inject({ method: 'POST', url: '/api/v2/auth/check-email-exist/forgot-password/', payload: { email } })
      const checks = await Promise.all(emails.map(checkEmail))
      expect(new Set(checks.map(({ statusCode, body }) => statusCode + body)).size).toBe(1)
      await db.execute(sql`update users set is_disabled = false`)
    })

    test('R4: response time does not reveal whether the address is known', async () => {
      const timeOf = async (email: string) => {
        await db.execute(sql`delete from use_counts`)
        const started = performance.now()
        await requestReset(email)
        return performance.now() - started
      }
      // Interleave the measurements and compare their minima, because other load on the machine only adds time.
      const knownTimes: number[] = []
      const unknownTimes: number[] = []
      for (let round = 0; round < 8; round += 1) {
        knownTimes.push(await timeOf(USER))
        unknownTimes.push(await timeOf('nobody@noensai.example'))
      }
      const ratio = Math.min(...unknownTimes) / Math.min(...knownTimes)
      expect(ratio).toBeGreaterThan(0.9)
      expect(ratio).toBeLessThan(1.1)
    })

    test('R20: limits an address to once a minute and five times an hour, known or not', async () => {
      for (const email of [USER, 'nobody@noensai.example']) {
        expect((await requestReset(email)).statusCode).toBe(200)
        const early = await requestReset(email.toUpperCase())
        expect([early.statusCode, early.headers['retry-after']]).toEqual([429, '60'])
        for (let round = 2; round <= 5; round += 1) {
          later(60)
          expect((await requestReset(email)).statusCode).toBe(200)
        }
        later(60)
        const often = await requestReset(email)
        expect(often.statusCode).toBe(429)
        expect(Number(often.headers['retry-after'])).toBeGreaterThan(3000)
        later(3600)
        expect((await requestReset(email)).statusCode).toBe(200)
      }
    })

    test('R21: the link has 256 bits, is stored hashed, and uses the configured host whatever the request names', async () => {
      await requestReset(USER, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
      const mail = await newestMail(db, 'password_reset', USER)
      const token = await findResetTokenSentTo(db, USER)
      expect(mail.text).toContain(`https://tamngan.example/reset-password/${token}`)
      expect(mail.html).toContain(`href="https://tamngan.example/reset-password/${token}"`)
      expect(mail.text + mail.html).not.toContain('evil')
      const [dump] = await db.query<{ text: string }>(sql`
        select (select string_agg(r::text, ' ') from password_resets r) || (select string_agg(m::text, ' ') from mails m) as text`)
      expect(dump!.text).not.toContain(token)
    })

    test('R21: viewing a link any number of times changes nothing; it works once, also in parallel requests', async () => {
      const token = await tokenFor(USER)
      for (let round = 0; round < 3; round += 1) expect((await verify(token)).statusCode).toBe(200)
      const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400, 400])
      const again = await confirm(token)
      const text = 'ลิงก์นี้ใช้ตั้งรหัสผ่านไปแล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่ หรือขอลิงก์ใหม่ถ้าไม่ใช่คุณ'
      expect(again.json()).toEqual({ code: 'reset_link_used', error: text, non_field_errors: [text] })
      expect((await verify(token)).json().code).toBe('reset_link_used')
      await restorePassword()
    })

    test('R21: only the newest link works, for 60 minutes; unknown links return their own error', async () => {
      const older = await tokenFor(USER)
      later(60)
      const newer = await tokenFor(USER)
      expect((await verify(older)).json().code).toBe('reset_link_expired')
      expect((await confirm(older)).json().code).toBe('reset_link_expired')
      later(59 * 60)
      expect((await verify(newer)).statusCode).toBe(200)
      later(60)
      expect((await confirm(newer)).json()).toMatchObject({
        code: 'reset_link_expired',
        error: expect.stringContaining('ขอลิงก์ใหม่'),
      })
      for (const token of ['x', 'A'.repeat(43), '%00', '..%2f', '__proto__'])
        expect([(await verify(token)).statusCode, (await verify(token)).json().code]).toEqual([
          400,
          'reset_link_unknown',
        ])
      expect((await confirm('x')).json()).toEqual({
        code: 'reset_link_unknown',
        error: UNKNOWN,
        non_field_errors: [UNKNOWN],
      })
    })

    test('R12, R5: ends every session of the user, clears failed logins, leaves other users alone and queues a notice', async () => {
      await db.execute(sql`delete from mails`)
      const [first, second, colleague] = [
        await signIn(app, USER),
        await signIn(app, USER),
        await signIn(app, 'manager@noensai.example'),
      ]
      for (let round = 0; round < 6; round += 1)
        await app.inject({ method: 'POST', url: '/api/v2/auth/login/', payload: { email: USER, password: 'x' } })
      await expect(signIn(app, USER)).rejects.toThrow('429')
      expect((await confirm(await tokenFor(USER))).statusCode).toBe(200)
      for (const { headers, refresh } of [first, second]) {
        expect((await me(headers)).statusCode).toBe(401)
        expect(
          (await app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh/', payload: { refresh } })).statusCode,
        ).toBe(401)
      }
      expect((await me(colleague.headers)).statusCode).toBe(200)
      await signIn(app, USER, NEW)
      const notice = await newestMail(db, 'password_changed', USER)
      expect(notice.text).toContain('https://tamngan.example/not-me/')
      const kinds = await db.query<{ kind: string }>(sql`
        select kind from audit_events where kind like 'password%' order by id desc limit 2`)
      expect(kinds.map(({ kind }) => kind)).toEqual(['password_reset', 'password_reset_requested'])
      await restorePassword()
    })

    test.each(NEW_PASSWORD_CASES)('R2: $why ($value)', async ({ value, message }) => {
      const token = await tokenFor(USER)
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v2/password/reset/confirm/${token}/`,
        payload: { new_password: value, confirm_password: value },
      })
      if (message === undefined) expect(answer.statusCode).toBe(200)
      else expect([answer.statusCode, answer.json().new_password]).toEqual([400, [message]])
      await restorePassword()
    })

    test('R2: distinguishes two Thai passwords with the same first 72 bytes', async () => {
      const start = `Ta7#${'ก'.repeat(45)}`
      expect((await confirm(await tokenFor(USER), `${start}ข`)).statusCode).toBe(200)
      await expect(signIn(app, USER, `${start}ค`)).rejects.toThrow('400')
      await signIn(app, USER, `${start}ข`)
      await restorePassword()
    })

    test('R2: rejects words of the user, the address and the organisation, and the link still works afterwards', async () => {
      const token = await tokenFor(USER)
      for (const password of ['Noensai#25', 'Aa1#มยุรีxx', 'P@ssw0rd1'])
        expect((await confirm(token, password)).json().new_password).toHaveLength(1)
      expect((await confirm(token, NEW, 'other')).json().confirm_password).toEqual(['รหัสผ่านทั้งสองช่องไม่ตรงกัน'])
      expect((await confirm(token)).statusCode).toBe(200)
      await restorePassword()
    })

    test('R14: the log contains no token or password, not even in part', async () => {
      lines.length = 0
      const token = await tokenFor(USER)
      await verify(token)
      await app.inject({ url: `/reset-password/${token}` })
      await confirm(token)
      const log = lines.join('')
      expect(log).toContain('/api/v2/password/reset/verify/:token')
      for (const secret of [token, NEW, USER]) expect(log).not.toContain(secret)
      await restorePassword()
    })
  })

  describe('change', () => {
    const change = (headers: Record<string, string>, new_password = NEW) =>
      app.inject({
        method: 'POST',
        url: '/api/v2/password/change/',
        headers,
        payload: { new_password, confirm_password: new_password },
      })

    test('R12: works in a recently proved session, keeps that session, ends all others and queues a notice', async () => {
      await db.execute(sql`delete from mails`)
      const [here, elsewhere] = [await signIn(app, USER), await signIn(app, USER)]
      const same = await change(here.headers, SAMPLE_PASSWORD)
      expect(same.json().new_password).toEqual(['รหัสผ่านใหม่ต้องไม่ซ้ำกับรหัสผ่านปัจจุบัน'])
      expect((await change(here.headers)).statusCode).toBe(200)
      expect((await me(here.headers)).statusCode).toBe(200)
      expect((await me(elsewhere.headers)).statusCode).toBe(401)
      expect(
        (await app.inject({ method: 'POST', url: '/api/v2/auth/token/refresh/', payload: { refresh: here.refresh } }))
          .statusCode,
      ).toBe(200)
      await newestMail(db, 'password_changed', USER)
      await restorePassword()
    })

    test('invalidates a reset link sent before the change', async () => {
      const token = await tokenFor(USER)
      const { headers } = await signIn(app, USER)
      expect((await change(headers)).statusCode).toBe(200)
      expect((await confirm(token, 'Ngaan#Klong7')).json().code).toBe('reset_link_expired')
      await restorePassword()
    })

    test('needs a session and is not available in the demo', async () => {
      expect((await change({})).statusCode).toBe(401)
      expect((await change((await enterDemo(app)).headers)).statusCode).toBe(403)
    })
  })
})
