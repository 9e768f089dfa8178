import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'
import { MEMBER_EMAIL, MINUTE_MS, SUPER_USER_EMAIL, secondFactorApp } from '../../../test/server/second-factor-app.ts'
import { ORIGIN } from '../../../test/soft-passkey.ts'

onEachEngineInTurn('second factor', (makeDb) => {
  const world = secondFactorApp(makeDb)
  const { post, get, later, codeOf, addTotp, begin, stepOf, stepsOf, kinds } = world

  describe('recent proof', () => {
    test('R64: lasts ten minutes after the login or the password; then the rejected call succeeds', async () => {
      const user = await signIn(world.app, SUPER_USER_EMAIL)
      const invite = () =>
        post('organisations/me/invitations', { user, body: { email: 'a@b.example', role: 'member_user' } })
      later(10 * MINUTE_MS)
      const refused = await invite()
      expect([refused.statusCode, refused.json()]).toEqual([
        403,
        { code: 'proof_needed', error: expect.any(String), non_field_errors: [expect.any(String)], ways: ['password'] },
      ])
      const wrong = await post('users/me/proof', { user, body: { password: 'no' } })
      expect([wrong.statusCode, wrong.json().password]).toEqual([400, ['รหัสผ่านไม่ถูกต้อง']])
      expect((await invite()).statusCode).toBe(403)
      expect((await post('users/me/proof', { user, body: { password: SAMPLE_PASSWORD } })).statusCode).toBe(204)
      expect((await invite()).statusCode).toBe(204)
      later(10 * MINUTE_MS)
      expect((await invite()).statusCode).toBe(403)
      // Re-verification is not a denied permission, so no `refused` event is recorded.
      expect(await kinds()).not.toContain('refused')
    })

    test('R64: members, keys, second factors, password, log and full export require it; reads and filtered exports do not', async () => {
      const user = await signIn(world.app, SUPER_USER_EMAIL)
      later(10 * MINUTE_MS)
      const file = (query: object) =>
        post('projects/exports', { user, body: { format: 'csv', query, columns: ['name'] } })
      const answers = await Promise.all([
        post('organisations/me/api-keys', { user, body: {} }),
        world.app.inject({ method: 'PATCH', url: '/api/v2/organisations/me/members/1', headers: user.headers }),
        post('organisations/me/leave', { user }),
        post('users/me/totp', { user }),
        post('users/me/passkeys', { user }),
        post('users/me/recovery-codes', { user }),
        post('organisations/me/second-factor', { user, method: 'PUT' }),
        post('password/change', { user }),
        get('organisations/me/logs/export', user),
        file({}),
        file({ ordering: '-project_budget' }),
      ])
      expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
        answers.map(() => [403, 'proof_needed']),
      )
      const open = [await file({ check_sme: 'true' }), await get('organisations/me/members', user)]
      expect(open.map(({ statusCode }) => statusCode)).toEqual([202, 200])
    })

    test('R64: belongs to its session, and password attempts are rate-limited', async () => {
      const [first, second] = [await signIn(world.app, MEMBER_EMAIL), await signIn(world.app, MEMBER_EMAIL)]
      later(11 * MINUTE_MS)
      await post('users/me/proof', { user: first, body: { password: SAMPLE_PASSWORD } })
      expect((await post('users/me/totp', { user: first })).statusCode).toBe(200)
      expect((await post('users/me/totp', { user: second })).statusCode).toBe(403)
      const statuses: number[] = []
      for (let tried = 0; tried < 10; tried += 1)
        statuses.push((await post('users/me/proof', { user: second, body: { password: 'no' } })).statusCode)
      expect(statuses).toEqual([...Array<number>(9).fill(400), 429])
    })

    test('R64: a password is not enough with a second factor', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { secret, codes } = await addTotp(user)
      later(10 * MINUTE_MS)
      expect((await post('users/me/totp', { user, method: 'DELETE' })).json().ways).toEqual(['totp', 'recovery'])
      expect((await post('users/me/proof', { user, body: { password: SAMPLE_PASSWORD } })).statusCode).toBe(400)
      expect((await post('users/me/proof', { user, body: { otp: codeOf(secret) } })).statusCode).toBe(204)
      later(10 * MINUTE_MS)
      expect((await post('users/me/proof', { user, body: { recovery_code: codes[0]! } })).statusCode).toBe(204)
      expect((await post('users/me/totp', { user, method: 'DELETE' })).statusCode).toBe(204)
    })

    test('R64: a fault of the database is not recorded as a wrong second factor', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { secret } = await addTotp(user)
      await world.db.script('alter table use_counts rename to unavailable_counts')
      const failed = await post('users/me/proof', { user, body: { otp: codeOf(secret) } })
      await world.db.script('alter table unavailable_counts rename to use_counts')
      expect(failed.statusCode).toBe(500)
      expect(await kinds()).not.toContain('second_factor_failed')
    })
  })

  describe('authenticator app', () => {
    test('R65: the login response is unchanged without one, and requires a code with one', async () => {
      expect(Object.keys((await begin()).json()).toSorted((a, b) => a.localeCompare(b))).toEqual(['access', 'refresh'])
      const { secret } = await addTotp(await signIn(world.app, MEMBER_EMAIL))
      const login = await begin()
      expect([login.statusCode, login.json()]).toEqual([
        200,
        { second_step: { token: expect.any(String), ways: ['totp', 'recovery'] } },
      ])
      const { token } = login.json().second_step
      const wrong = await post('auth/login/second-step', { body: { token, otp: '000000' } })
      expect([wrong.statusCode, wrong.json().otp]).toEqual([400, [expect.stringContaining('รหัสไม่ถูกต้อง')]])
      const done = await post('auth/login/second-step', { body: { token, otp: codeOf(secret) } })
      expect([done.statusCode, Object.keys(done.json()).toSorted((a, b) => a.localeCompare(b))]).toEqual([
        200,
        ['access', 'refresh'],
      ])
      later(MINUTE_MS)
      const again = await post('auth/login/second-step', { body: { token, otp: codeOf(secret) } })
      expect([again.statusCode, again.json().code]).toEqual([400, 'login_step_over'])
      expect(await kinds()).toEqual(['login', 'login', 'second_factor_added', 'second_factor_failed', 'login'])
    })

    test('R69: notifies the owner of the third wrong second step in an hour, once a day, not of two slips of the owner', async () => {
      const { secret } = await addTotp(await signIn(world.app, MEMBER_EMAIL))
      const warnings = async () => (await queuedMails(world.db)).filter(({ kind }) => kind === 'second_step_failing')
      const slip = async () => post('auth/login/second-step', { body: { token: await stepOf(), otp: '000000' } })
      await slip()
      await slip()
      expect(await warnings()).toEqual([])
      await post('auth/login/second-step', { body: { token: await stepOf(), otp: codeOf(secret) } })
      for (let tried = 0; tried < 2; tried += 1) await slip()
      expect(await warnings()).toEqual([])
      for (let tried = 0; tried < 3; tried += 1) await slip()
      const mails = await warnings()
      expect(mails.map(({ to }) => to)).toEqual([MEMBER_EMAIL])
      expect(mails[0]!.text).toMatch(/\/not-me\/[\w-]{43}/)
    })

    test('R65: a code works once, also of twenty in parallel, and then no earlier one works', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { secret } = await addTotp(user)
      const steps = await stepsOf(20)
      await world.db.execute(sql`delete from use_counts`)
      const code = codeOf(secret)
      const before = codeOf(secret, new Date(world.now.getTime() - 30_000))
      const answers = await Promise.all(
        steps.map((token) => post('auth/login/second-step', { body: { token, otp: code } })),
      )
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      await world.db.execute(sql`delete from use_counts`)
      const token = await stepOf()
      for (const used of [code, before])
        expect((await post('auth/login/second-step', { body: { token, otp: used } })).statusCode).toBe(400)
    })

    test.each([
      [-60_000, 400],
      [-30_000, 200],
      [30_000, 200],
      [60_000, 400],
    ])('R65: a phone whose clock is %i ms off gets %i', async (off, status) => {
      const { secret } = await addTotp(await signIn(world.app, MEMBER_EMAIL))
      later(5 * MINUTE_MS)
      const token = await stepOf()
      const code = codeOf(secret, new Date(world.now.getTime() + off))
      expect((await post('auth/login/second-step', { body: { token, otp: code } })).statusCode).toBe(status)
    })

    test('R66: the sixth wrong code locks for 15 minutes, the fifty-first for a day; recovery codes still work', async () => {
      const { secret, codes } = await addTotp(await signIn(world.app, MEMBER_EMAIL))
      const tryCode = async (body: object) => {
        const token = await stepOf()
        return post('auth/login/second-step', { body: { token, ...body } })
      }
      const statuses: number[] = []
      for (let tried = 0; tried < 6; tried += 1) statuses.push((await tryCode({ otp: '000000' })).statusCode)
      expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
      expect((await tryCode({ otp: codeOf(secret) })).statusCode).toBe(429)
      expect((await tryCode({ recovery_code: codes[0] })).statusCode).toBe(200)
      later(15 * MINUTE_MS)
      expect((await tryCode({ otp: codeOf(secret) })).statusCode).toBe(200)
      await tryCode({ otp: '000000' })
      await world.db.execute(sql`update use_counts set uses = 50 where action = 'factor-day'`)
      later(15 * MINUTE_MS)
      expect((await tryCode({ otp: codeOf(secret) })).statusCode).toBe(429)
      later(24 * 60 * MINUTE_MS)
      expect((await tryCode({ otp: codeOf(secret) })).statusCode).toBe(200)
    })

    test('R66: ten recovery codes are shown once, stored hashed, and each works once', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { codes, secret } = await addTotp(user)
      expect([codes.length, new Set(codes).size, codes[0]]).toEqual([
        10,
        10,
        expect.stringMatching(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/),
      ])
      const stored = JSON.stringify(await world.db.query(sql`select * from recovery_codes, totp_secrets`))
      for (const text of [...codes, codes[0]!.replaceAll('-', ''), secret]) expect(stored).not.toContain(text)
      const use = async (recovery_code: string) =>
        (await post('auth/login/second-step', { body: { token: await stepOf(), recovery_code } })).statusCode
      const steps = await stepsOf(4)
      const answers = await Promise.all(
        steps.map((token) => post('auth/login/second-step', { body: { token, recovery_code: codes[0] } })),
      )
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400, 400])
      expect(await use(codes[1]!.toUpperCase().replaceAll('-', ' '))).toBe(200)
      expect((await get('users/me/second-factor', user)).json()).toMatchObject({ recovery_left: 8, passkeys: [] })
      const renewed = (await post('users/me/recovery-codes', { user })).json().recovery_codes as string[]
      expect([await use(codes[2]!), await use(renewed[0]!)]).toEqual([400, 200])
      await post('users/me/totp', { user, method: 'DELETE' })
      expect((await get('users/me/second-factor', user)).json()).toMatchObject({ totp: null, recovery_left: 0 })
    })

    test('a second step expires after ten minutes', async () => {
      const { secret } = await addTotp(await signIn(world.app, MEMBER_EMAIL))
      const token = await stepOf()
      later(10 * MINUTE_MS)
      const late = await post('auth/login/second-step', { body: { token, otp: codeOf(secret) } })
      expect(late.json().code).toBe('login_step_over')
    })
  })

  describe('remembered browsers', () => {
    const cookieOf = (answer: { cookies: { name: string; value: string }[] }) =>
      answer.cookies.find(({ name }) => name === 'tamngan-device')

    test('R67: skip the code for thirty days, appear in the list, and need it again once revoked', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { secret } = await addTotp(user)
      const token = await stepOf()
      const done = await post('auth/login/second-step', { body: { token, otp: codeOf(secret), remember: true } })
      const cookie = cookieOf(done)
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict', path: '/api/v2/auth' })
      const name = cookie!.value
      expect(Object.keys((await begin(MEMBER_EMAIL, name)).json())).toContain('access')
      expect(
        Object.keys((await begin(MEMBER_EMAIL, name.replace(/.$/, name.endsWith('A') ? 'B' : 'A'))).json()),
      ).toEqual(['second_step'])
      // The database never contains the value of the cookie in clear.
      expect(JSON.stringify(await world.db.query(sql`select * from known_devices`))).not.toContain(name)
      const { devices } = (await get('users/me/devices', user)).json()
      expect(devices).toMatchObject([{ trusted_until: new Date(world.now.getTime() + 30 * 86_400_000).toISOString() }])
      const at = world.now
      later(30 * 86_400_000)
      expect(Object.keys((await begin(MEMBER_EMAIL, name)).json())).toEqual(['second_step'])
      world.goTo(at)
      expect((await post(`users/me/devices/${devices[0].id}`, { user, method: 'DELETE' })).statusCode).toBe(204)
      expect((await post(`users/me/devices/${devices[0].id}`, { user, method: 'DELETE' })).statusCode).toBe(404)
      expect(Object.keys((await begin(MEMBER_EMAIL, name)).json())).toEqual(['second_step'])
    })

    test('R67: a new password forgets them', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { secret } = await addTotp(user)
      const token = await stepOf()
      const done = await post('auth/login/second-step', { body: { token, otp: codeOf(secret), remember: true } })
      const name = cookieOf(done)!.value
      const NEW = 'Kluay-5-Wan#'
      await post('password/change', { user, body: { new_password: NEW, confirm_password: NEW } })
      const answer = await post('auth/login', { body: { email: MEMBER_EMAIL, password: NEW }, cookie: name })
      expect(Object.keys(answer.json())).toEqual(['second_step'])
    })

    test('R69: the first login from a new browser sends a mail, the next one does not', async () => {
      const first = await begin()
      const mail = await newestMail(world.db, 'new_device', MEMBER_EMAIL)
      expect(mail.text).toContain(`${ORIGIN}/not-me/`)
      await world.db.execute(sql`delete from mails`)
      await begin(MEMBER_EMAIL, cookieOf(first)!.value)
      await begin()
      expect(await world.db.query(sql`select kind from mails`)).toEqual([])
      const agent = 'Mozilla/5.0 (iPhone) Safari/605'
      await post('auth/login', { body: { email: MEMBER_EMAIL, password: SAMPLE_PASSWORD }, agent })
      expect((await newestMail(world.db, 'new_device', MEMBER_EMAIL)).text).toContain('Safari บน iPhone')
    })
  })

  describe('an organisation that requires a second factor', () => {
    const require = (user: SignedIn, is_required = true) =>
      post('organisations/me/second-factor', { user, method: 'PUT', body: { is_required } })

    test('R68: makes members set one up at their next login without locking them out', async () => {
      const boss = await signIn(world.app, SUPER_USER_EMAIL)
      const member = await signIn(world.app, MEMBER_EMAIL)
      expect((await require(boss)).statusCode).toBe(400)
      await addTotp(boss)
      expect((await require(boss)).statusCode).toBe(204)
      expect((await get('projects', member)).statusCode).toBe(200)
      const next = await signIn(world.app, MEMBER_EMAIL)
      expect((await get('users/me', next)).json().second_factor_due).toBe(true)
      const closed = await get('projects', next)
      expect([closed.statusCode, closed.json().code]).toEqual([403, 'second_factor_due'])
      expect((await get('organisations/me', next)).statusCode).toBe(200)
      await addTotp(next)
      expect((await get('projects', next)).statusCode).toBe(200)
      expect((await get('users/me', next)).json().second_factor_due).toBeUndefined()
      expect((await post('users/me/totp', { user: next, method: 'DELETE' })).statusCode).toBe(400)
      expect((await require(boss, false)).statusCode).toBe(204)
      expect((await post('users/me/totp', { user: next, method: 'DELETE' })).statusCode).toBe(204)
      expect(await kinds()).toContain('second_factor_required')
    })

    test('R68: only super users can require it', async () => {
      expect((await require(await signIn(world.app, MEMBER_EMAIL))).statusCode).toBe(403)
    })
  })
})
