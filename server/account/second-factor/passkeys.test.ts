import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { newestMail } from '../../../test/server/mails.ts'
import { MEMBER_EMAIL, MINUTE_MS, SUPER_USER_EMAIL, secondFactorApp } from '../../../test/server/second-factor-app.ts'
import { createSoftPasskey } from '../../../test/soft-passkey.ts'

onEachEngineInTurn('passkeys and notices', (makeDb) => {
  const world = secondFactorApp(makeDb)
  const { post, get, later, codeOf, addTotp, begin, stepOf, kinds } = world

  describe('passkeys', () => {
    test('R70: one passkey logs in alone, serves as second factor alongside the password, and signs each challenge once', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const key = createSoftPasskey()
      const options = (await post('users/me/passkeys/options', { user, body: { purpose: 'add' } })).json()
      expect(options).toMatchObject({
        rp: { id: 'tamngan.example' },
        authenticatorSelection: { residentKey: 'required' },
      })
      const made = await post('users/me/passkeys', {
        user,
        body: { name: 'โทรศัพท์', passkey: key.create(options.challenge) },
      })
      expect([made.statusCode, made.json().recovery_codes.length]).toEqual([200, 10])
      expect((await begin()).json().second_step.ways).toEqual(['passkey', 'recovery'])

      const requestOptions = async (token?: string) =>
        (await post('auth/passkey/options', { body: token ? { token } : {} })).json()
      const { challenge } = await requestOptions()
      const signed = key.get(challenge)
      const done = await post('auth/passkey', { body: { passkey: signed } })
      expect([done.statusCode, Object.keys(done.json()).toSorted((a, b) => a.localeCompare(b))]).toEqual([
        200,
        ['access', 'refresh'],
      ])
      expect((await post('auth/passkey', { body: { passkey: signed } })).statusCode).toBe(400)

      const token = await stepOf()
      const second = await requestOptions(token)
      expect(second.allowCredentials).toMatchObject([{ id: key.id }])
      const passkey = key.get(second.challenge)
      expect((await post('auth/passkey', { body: { passkey } })).statusCode).toBe(400)
      const step = (await requestOptions(token)).challenge
      const entered = await post('auth/login/second-step', { body: { token, passkey: key.get(step) } })
      expect(entered.statusCode).toBe(200)
      const listed = (await get('users/me/second-factor', user)).json().passkeys
      expect(listed).toMatchObject([{ name: 'โทรศัพท์', used_at: world.now.toISOString() }])

      later(10 * MINUTE_MS)
      const proof = (await post('users/me/passkeys/options', { user, body: { purpose: 'factor' } })).json()
      expect((await post('users/me/proof', { user, body: { passkey: key.get(proof.challenge) } })).statusCode).toBe(204)
      expect((await post(`users/me/passkeys/${listed[0].id}`, { user, method: 'DELETE' })).statusCode).toBe(204)
      const gone = await requestOptions()
      expect((await post('auth/passkey', { body: { passkey: key.get(gone.challenge) } })).statusCode).toBe(400)
    })

    test('R70: reject signatures for another address, of a copied key, without user verification, too late or of another user', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const key = createSoftPasskey()
      const { challenge } = (await post('users/me/passkeys/options', { user, body: { purpose: 'add' } })).json()
      await post('users/me/passkeys', { user, body: { name: 'x', passkey: key.create(challenge) } })
      const fresh = async () => (await post('auth/passkey/options', { body: {} })).json().challenge as string
      const login = async (passkey: object) => (await post('auth/passkey', { body: { passkey } })).statusCode
      expect(await login(key.get(await fresh(), { origin: 'https://tamngan.example.evil.example' }))).toBe(400)
      expect(await login(key.get(await fresh(), { rpId: 'evil.example' }))).toBe(400)
      expect(await login(key.get(await fresh(), { verified: false }))).toBe(400)
      expect(await login(key.get('bm90IG91cnM'))).toBe(400)
      expect(await login(createSoftPasskey(key.id).get(await fresh()))).toBe(400)
      const old = await fresh()
      later(5 * MINUTE_MS)
      expect(await login(key.get(old))).toBe(400)
      expect(await login(key.get(await fresh()))).toBe(200)
      const refusal = async (of: typeof key) =>
        (await post('auth/passkey', { body: { passkey: of.get(await fresh()) } })).json()
      const unknown = await refusal(createSoftPasskey())
      expect(unknown).toEqual({ non_field_errors: ['เข้าสู่ระบบด้วยพาสคีย์นี้ไม่ได้ ใช้อีเมลและรหัสผ่านแทน'] })
      const setDisabled = (isDisabled: boolean) =>
        world.db.execute(sql`update users set is_disabled = ${isDisabled}::boolean where email_key = ${MEMBER_EMAIL}`)
      await setDisabled(true)
      expect(await refusal(key)).toEqual(unknown)
      await setDisabled(false)
      // A cloned key counts separately, so its counter falls behind.
      expect(await login(key.get(await fresh(), { counter: 1 }))).toBe(400)
      await world.db.execute(sql`update users set is_disabled = true where email_key = ${MEMBER_EMAIL}`)
      expect(await login(key.get(await fresh()))).toBe(400)
      await world.db.execute(sql`update users set is_disabled = false where email_key = ${MEMBER_EMAIL}`)
      const colleague = await signIn(world.app, SUPER_USER_EMAIL)
      later(11 * MINUTE_MS)
      const colleagueOptions = (
        await post('users/me/passkeys/options', { user: colleague, body: { purpose: 'factor' } })
      ).json()
      const proof = await post('users/me/proof', {
        user: colleague,
        body: { passkey: key.get(colleagueOptions.challenge) },
      })
      expect(proof.statusCode).toBe(400)
    })

    test('keep ten of twenty added in parallel', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const add = async () => {
        const { challenge } = (await post('users/me/passkeys/options', { user, body: { purpose: 'add' } })).json()
        return post('users/me/passkeys', { user, body: { name: 'x', passkey: createSoftPasskey().create(challenge) } })
      }
      const answers = await Promise.all(Array.from({ length: 20 }, add))
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(10)
      expect(answers.filter((answer) => answer.json().recovery_codes)).toHaveLength(1)
    })
  })

  describe('this was not me', () => {
    const linkOf = async (kind: string) =>
      /not-me\/([\w-]{43})/.exec((await newestMail(world.db, kind, MEMBER_EMAIL)).text)![1]!

    test('R69: ends all sessions, removes what was added since, and leads to a new password, once', async () => {
      const owner = await signIn(world.app, MEMBER_EMAIL)
      const ownTotp = await addTotp(owner)
      await world.db.script('delete from mails; delete from not_me_links')
      const step = await stepOf()
      const entered = await post('auth/login/second-step', {
        body: { token: step, otp: codeOf(ownTotp.secret), remember: true },
        agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
      })
      const thief: SignedIn = { ...entered.json(), headers: { authorization: `Bearer ${entered.json().access}` } }
      const { challenge } = (await post('users/me/passkeys/options', { user: thief, body: { purpose: 'add' } })).json()
      await post('users/me/passkeys', {
        user: thief,
        body: { name: 'x', passkey: createSoftPasskey().create(challenge) },
      })
      const link = await linkOf('new_device')
      const seen = await world.app.inject({ url: `/api/v2/auth/not-me/${link}` })
      expect(seen.json()).toEqual({ email: 'b••••@noensai.example' })
      expect((await get('users/me', thief)).statusCode).toBe(200)
      const answers = await Promise.all(Array.from({ length: 5 }, () => post(`auth/not-me/${link}`)))
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      for (const session of [thief, owner]) expect((await get('users/me', session)).statusCode).toBe(401)
      expect((await begin()).statusCode).toBe(400)
      expect(await world.db.query(sql`select from passkeys`)).toHaveLength(0)
      expect(await world.db.query(sql`select from totp_secrets`)).toHaveLength(1)
      expect(await world.db.query(sql`select from known_devices where trusted_until is not null`)).toHaveLength(0)
      const { reset_token } = answers.find(({ statusCode }) => statusCode === 200)!.json()
      const password = 'Kluay-5-Wan#'
      const body = { new_password: password, confirm_password: password }
      expect((await post(`password/reset/confirm/${reset_token}`, { body })).statusCode).toBe(200)
      const again = await post('auth/login', { body: { email: MEMBER_EMAIL, password } })
      expect(Object.keys(again.json())).toEqual(['second_step'])
      expect(await kinds()).toContain('not_me')
    })

    test('R69: an unknown link reveals nothing, and a link works for three days', async () => {
      await signIn(world.app, MEMBER_EMAIL)
      const link = await linkOf('new_device')
      const unknown = await post(`auth/not-me/${'A'.repeat(43)}`)
      expect([unknown.statusCode, unknown.json().code]).toEqual([400, 'reset_link_unknown'])
      later(72 * 60 * MINUTE_MS)
      expect((await post(`auth/not-me/${link}`)).json().code).toBe('reset_link_expired')
    })

    test('R69: only the creator of an API key gets a link, which also removes the key', async () => {
      await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
      const user = await signIn(world.app, MEMBER_EMAIL)
      later(MINUTE_MS)
      await post('organisations/me/api-keys', { user, body: { name: 'x', scopes: ['report'], days: 30 } })
      const link = await linkOf('api_key_made')
      expect((await newestMail(world.db, 'api_key_made', SUPER_USER_EMAIL)).text).not.toContain('not-me')
      expect((await post(`auth/not-me/${link}`)).statusCode).toBe(200)
      expect(await world.db.query(sql`select from api_keys`)).toHaveLength(0)
    })

    test('R69: only the creator of a webhook gets a link, which disables what their session made and keeps earlier ones', async () => {
      await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
      await world.db.execute(sql`delete from webhooks`)
      const before = await signIn(world.app, MEMBER_EMAIL)
      const body = { name: 'x', url: 'https://hooks.example/', events: ['match.new'], view: null }
      await post('organisations/me/webhooks', { user: before, body })
      later(MINUTE_MS)
      const user = await signIn(world.app, MEMBER_EMAIL)
      later(MINUTE_MS)
      await post('organisations/me/webhooks', { user, body: { ...body, name: 'y' } })
      const link = await linkOf('webhook_made')
      expect((await newestMail(world.db, 'webhook_made', SUPER_USER_EMAIL)).text).not.toContain('not-me')
      expect((await post(`auth/not-me/${link}`)).statusCode).toBe(200)
      expect(await world.db.query(sql`select name from webhooks where is_on`)).toEqual([{ name: 'x' }])
    })

    test('R69: a role change notifies its user', async () => {
      const boss = await signIn(world.app, SUPER_USER_EMAIL)
      const [user] = await world.db.query<{ id: number }>(sql`select id from users where email_key = ${MEMBER_EMAIL}`)
      const url = `/api/v2/organisations/me/members/${user!.id}`
      await world.app.inject({ method: 'PATCH', url, headers: boss.headers, payload: { role: 'super_user' } })
      expect((await newestMail(world.db, 'role_changed', MEMBER_EMAIL)).text).toContain('Super User')
      await world.app.inject({ method: 'PATCH', url, headers: boss.headers, payload: { role: 'member_user' } })
    })
  })
})
