import sql from 'sql-template-tag'
import { describe, expect, test, vi } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { lockSeats } from '#server/account/member/queries.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { signIn } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'
import {
  DOMAIN,
  LOGIN_DOMAINS_PATH,
  NEW_MEMBER_EMAIL,
  organisationLoginApp,
  TENANT,
} from '../../../test/server/organisation-login-app.ts'
import { MEMBER_EMAIL, SUPER_USER_EMAIL } from '../../../test/server/second-factor-app.ts'

onEachEngineInTurn('organisation login', (makeDb) => {
  const world = organisationLoginApp(makeDb)
  const { person, colleague, call, domains, connect, begin, finish, logIn, texts, refusals } = world

  describe('domain verification', () => {
    test('R83: only a DNS record in the zone connects a domain; a failure shows the records found', async () => {
      const admin = await signIn(world.app, SUPER_USER_EMAIL)
      const added = await call(LOGIN_DOMAINS_PATH, {
        user: admin,
        body: { domain: ' @Noensai.Example. ', provider: 'google' },
      })
      const [domain] = added.json().domains
      expect(domain).toMatchObject({ domain: DOMAIN, verified_at: null, rule: 'may', asks_own_factor: false })
      expect(domain.record).toEqual({
        name: `_tamngan.${DOMAIN}`,
        value: expect.stringMatching(/^tamngan-verification=[\w-]{43}$/),
      })
      const verify = () => call(`${LOGIN_DOMAINS_PATH}/${domain.id}/verify`, { user: admin })
      expect(texts(await verify())).toMatch('ยังไม่พบระเบียน TXT')
      world.zone[domain.record.name] = [['tamngan-verification=another']]
      expect(texts(await verify())).toMatch('ค่าไม่ตรง')
      world.zone[domain.record.name] = Object.assign(new Error('slow'), { code: 'ETIMEOUT' })
      expect((await verify()).statusCode).toBe(503)
      expect((await begin()).answer.statusCode).toBe(400)
      world.zone[domain.record.name] = [[` "${domain.record.value}" `]]
      expect((await verify()).statusCode).toBe(204)
      expect((await domains(admin)).domains[0].verified_at).toEqual(expect.any(String))
      expect((await newestMail(world.db, 'login_domain', SUPER_USER_EMAIL)).text).toMatch(DOMAIN)
    })

    test('R83: a domain belongs to one organisation; only super users with a recent proof change it', async () => {
      const { who: admin, id } = await connect()
      const [otherAdmin] = await world.db.query<{ email: string }>(sql`
        select u.email from users u join organisations o on o.id = u.organisation_id
        where u.role = 'super_user' and u.email_key not like ${`%@${DOMAIN}`} and o.code <> 'demo' and not o.is_access_budget_year_only limit 1`)
      const stranger = await signIn(world.app, otherAdmin!.email)
      const claimed = await call(LOGIN_DOMAINS_PATH, { user: stranger, body: { domain: DOMAIN, provider: 'google' } })
      const [{ id: otherDomainId, record }] = claimed.json().domains
      world.zone[record.name] = [[record.value]]
      expect(texts(await call(`${LOGIN_DOMAINS_PATH}/${otherDomainId}/verify`, { user: stranger }))).toMatch('องค์กรอื่น')
      for (const method of ['PATCH', 'DELETE'] as const)
        expect((await call(`${LOGIN_DOMAINS_PATH}/${id}`, { user: stranger, method, body: {} })).statusCode).toBe(404)
      const member = await signIn(world.app, MEMBER_EMAIL)
      expect(
        (await call(LOGIN_DOMAINS_PATH, { user: member, body: { domain: 'a.example', provider: 'google' } }))
          .statusCode,
      ).toBe(403)
      await world.db.execute(sql`update sessions set proved_at = proved_at - interval '11 minutes'`)
      expect((await call(`${LOGIN_DOMAINS_PATH}/${id}`, { user: admin, method: 'DELETE' })).json().code).toBe(
        'proof_needed',
      )
      for (const domain of ['gmail.com', 'nodots', '-a.example', 'a..example', '1.2.3.4'])
        expect(
          (
            await call(LOGIN_DOMAINS_PATH, {
              user: await signIn(world.app, SUPER_USER_EMAIL),
              body: { domain, provider: 'google' },
            })
          ).statusCode,
          domain,
        ).toBe(400)
    })
  })

  describe('login', () => {
    test('R84: uses authorization code with PKCE, state and nonce, binds the account and notifies its owner', async () => {
      await connect()
      const { url, cookie, answer } = await begin()
      const authorizationUrl = new URL(url)
      expect(authorizationUrl.origin).toBe(world.google.url)
      expect(Object.fromEntries(authorizationUrl.searchParams)).toMatchObject({
        ...{ response_type: 'code', code_challenge_method: 'S256', login_hint: MEMBER_EMAIL, hd: DOMAIN },
        ...{ redirect_uri: 'http://localhost:4173/organisation-login', scope: 'openid email profile' },
        ...{ state: expect.stringMatching(/^[\w-]{43}$/), nonce: expect.stringMatching(/^[\w-]{43}$/) },
      })
      expect(String(answer.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/i)
      const done = await finish(await world.google.follow(url), cookie)
      expect([done.statusCode, Object.keys(done.json())]).toEqual([200, ['access', 'refresh']])
      expect((await newestMail(world.db, 'organisation_login_bound', MEMBER_EMAIL)).text).toMatch('Google Workspace')
      const me = await call('users/me', {
        method: 'GET',
        user: { ...done.json(), headers: { authorization: `Bearer ${done.json().access}` } },
      })
      expect(me.json().email).toBe(MEMBER_EMAIL)
      await world.db.execute(sql`delete from mails`)
      expect((await logIn()).statusCode).toBe(200)
      expect((await queuedMails(world.db)).map(({ kind }) => kind)).not.toContain('organisation_login_bound')
    })

    test('R84: the response for an address depends only on its domain', async () => {
      await connect()
      const [existing, unknown] = [(await begin(MEMBER_EMAIL)).answer, (await begin(`nobody@${DOMAIN}`)).answer]
      expect([existing.statusCode, unknown.statusCode]).toEqual([200, 200])
      expect(Object.keys(existing.json())).toEqual(Object.keys(unknown.json()))
      expect((await begin('a@elsewhere.example')).answer.json().email).toEqual([expect.stringContaining('ยังไม่ได้เชื่อม')])
    })

    test('R84: a callback works at most once: not in another browser, not twice, not ten times in parallel', async () => {
      await connect()
      const { url, cookie } = await begin()
      const back = await world.google.follow(url)
      expect((await call('auth/organisation/finish', { body: Object.fromEntries(back) })).json().code).toBe(
        'organisation_login_over',
      )
      const foreign = await begin()
      expect((await finish(back, foreign.cookie)).json().code).toBe('organisation_login_over')
      const answers = await Promise.all(Array.from({ length: 10 }, () => finish(back, cookie)))
      expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      // The code is real but belongs to another login's state, so both PKCE and the provider reject it.
      const fresh = await begin(MEMBER_EMAIL, cookie)
      const replayed = new URLSearchParams({
        code: back.get('code')!,
        iss: back.get('iss')!,
        state: new URL(fresh.url).searchParams.get('state')!,
      })
      const replay = await finish(replayed, fresh.cookie)
      expect([replay.statusCode, texts(replay)]).toEqual([400, expect.stringContaining('ไม่รับการเข้าสู่ระบบครั้งนี้')])
    })

    test('R84: two tabs of one browser can both log in, and a cancelled login shows a message', async () => {
      await connect()
      const first = await begin()
      const second = await begin(MEMBER_EMAIL, first.cookie)
      expect(second.cookie).toBe(first.cookie)
      for (const { url } of [first, second])
        expect((await finish(await world.google.follow(url), first.cookie)).statusCode).toBe(200)
      const { url, cookie } = await begin(`nobody@${DOMAIN}`)
      expect(texts(await finish(await world.google.follow(url), cookie))).toMatch('ยกเลิก')
    })

    test.each<[string, object, string]>([
      ['unverified address', { email_verified: false }, 'email_unverified'],
      ['address without a word about it', { email_verified: undefined }, 'email_unverified'],
      ['private Google account', { hd: undefined }, 'no_organisation_account'],
      ['Workspace of somebody else', { hd: 'attacker.example' }, 'other_domain'],
      ['address of another domain', { email: 'bid@attacker.example' }, 'other_domain'],
      ['no address', { email: undefined }, 'email_missing'],
    ])('R85: Google: rejects %s', async (_what, claims, reason) => {
      await connect()
      world.google.people.set(MEMBER_EMAIL, person(MEMBER_EMAIL, claims))
      expect((await logIn()).statusCode).toBe(400)
      expect(await refusals()).toEqual([reason])
    })

    test.each<[string, object, string]>([
      ['another tenant', { tid: '00000000-0000-0000-0000-000000000000' }, 'other_tenant'],
      ['no tenant', { tid: undefined }, 'other_tenant'],
      ['a guest', { acct: 1 }, 'guest'],
      [
        'a mail claim that nobody verified (nOAuth)',
        { preferred_username: `someone@attacker.example`, email: MEMBER_EMAIL },
        'other_domain',
      ],
      ['no lasting id', { oid: undefined }, 'email_missing'],
    ])('R85: Microsoft: rejects %s', async (_what, claims, reason) => {
      await connect('microsoft')
      world.microsoft.people.set(MEMBER_EMAIL, colleague(claims))
      expect((await logIn(MEMBER_EMAIL, world.microsoft)).statusCode).toBe(400)
      expect(await refusals()).toEqual([reason])
    })

    test('R85: Microsoft: verification pins the tenant of the domain, and its members can log in', async () => {
      await connect('microsoft')
      world.microsoft.people.set(MEMBER_EMAIL, colleague())
      expect((await logIn(MEMBER_EMAIL, world.microsoft)).statusCode).toBe(200)
      world.microsoft.people.set(
        MEMBER_EMAIL,
        colleague({ preferred_username: `other.name@${DOMAIN}`, email: MEMBER_EMAIL, xms_edov: true }),
      )
      expect((await logIn(MEMBER_EMAIL, world.microsoft)).statusCode).toBe(200)
      const rows = await world.db.query(sql`select issuer, subject from login_identities`)
      expect(rows).toEqual([{ issuer: `${world.microsoft.url}/${TENANT}/v2.0`, subject: 'person of the tenant' }])
    })

    test('R85: rejects another account with the same address, notifies the owner, and accepts it once a super user has cleared it', async () => {
      const { who: admin } = await connect()
      expect((await logIn()).statusCode).toBe(200)
      world.google.people.set(MEMBER_EMAIL, person(MEMBER_EMAIL, { sub: 'somebody else' }))
      const refused = await logIn()
      expect([refused.statusCode, texts(refused)]).toEqual([400, expect.stringContaining('ไม่ใช่บัญชีเดิม')])
      expect((await newestMail(world.db, 'organisation_login_other', MEMBER_EMAIL)).text).toMatch('ไม่ให้เข้า')
      const { identities } = await domains(admin)
      expect(identities).toEqual([expect.objectContaining({ email: MEMBER_EMAIL, provider: 'google' })])
      expect(
        (await call(`organisations/me/login-identities/${identities[0].user_id}`, { user: admin, method: 'DELETE' }))
          .statusCode,
      ).toBe(204)
      expect((await logIn()).statusCode).toBe(200)
      world.google.people.set(MEMBER_EMAIL, person(MEMBER_EMAIL, { sub: 'somebody else', email: `married@${DOMAIN}` }))
      expect((await logIn()).statusCode).toBe(200)
    })

    test('R85: rejects closed accounts and accounts of other organisations', async () => {
      await connect()
      await world.db.execute(sql`update users set is_disabled = true where email_key = ${MEMBER_EMAIL}`)
      expect(texts(await logIn())).toMatch('ถูกปิด')
      const [{ id }] = (await world.db.query<{
        id: number
      }>(sql`select id from users where email_key = 'a@else.example' union all
        select u.id from users u where u.email_key not like ${`%@${DOMAIN}`} limit 1`)) as [{ id: number }]
      const [before] = await world.db.query<{ email: string; key: string }>(
        sql`select email, email_key as key from users where id = ${id}::int`,
      )
      await world.db.execute(
        sql`update users set email = ${NEW_MEMBER_EMAIL}, email_key = ${NEW_MEMBER_EMAIL} where id = ${id}::int`,
      )
      world.google.people.set(NEW_MEMBER_EMAIL, person(NEW_MEMBER_EMAIL))
      expect(texts(await logIn(NEW_MEMBER_EMAIL))).toMatch('องค์กรอื่น')
      await world.db.execute(
        sql`update users set email = ${before!.email}, email_key = ${before!.key} where id = ${id}::int`,
      )
    })
  })

  describe('team rules', () => {
    test('R86: only an invitation makes a member, who accepts the terms, gets no password and is bound', async () => {
      const { who: admin } = await connect()
      world.google.people.set(NEW_MEMBER_EMAIL, person(NEW_MEMBER_EMAIL))
      expect(texts(await logIn(NEW_MEMBER_EMAIL))).toMatch('ส่งคำเชิญ')
      await call('organisations/me/invitations', {
        user: admin,
        body: { email: NEW_MEMBER_EMAIL, role: 'member_user' },
      })
      const { url, cookie } = await begin(NEW_MEMBER_EMAIL)
      const offered = (await finish(await world.google.follow(url), cookie)).json().join
      expect(offered).toMatchObject({ email: NEW_MEMBER_EMAIL, first_name: 'สมศรี', last_name: 'ใจดี' })
      const { token, first_name, last_name } = offered
      const join = (terms_accepted: boolean, from = cookie) =>
        call('auth/organisation/join', { cookie: from, body: { token, first_name, last_name, terms_accepted } })
      expect((await join(false)).statusCode).toBe(400)
      expect((await join(true, (await begin()).cookie)).json().code).toBe('organisation_login_over')
      const joined = await Promise.all([join(true), join(true), join(true)])
      expect(joined.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      expect((await call('auth/login', { body: { email: NEW_MEMBER_EMAIL, password: 'none' } })).statusCode).toBe(400)
      expect((await logIn(NEW_MEMBER_EMAIL)).statusCode).toBe(200)
    })

    test('R86: an invitation accepted by link meanwhile is used once: both paths lock the seats first', async () => {
      const { who: admin } = await connect()
      world.google.people.set(NEW_MEMBER_EMAIL, person(NEW_MEMBER_EMAIL))
      await call('organisations/me/invitations', {
        user: admin,
        body: { email: NEW_MEMBER_EMAIL, role: 'member_user' },
      })
      const { url, cookie } = await begin(NEW_MEMBER_EMAIL)
      const { token, first_name, last_name } = (await finish(await world.google.follow(url), cookie)).json().join
      const body = { token, first_name, last_name, terms_accepted: true }
      const locked = Promise.withResolvers<void>()
      const byLink = world.db.transaction(async (tx) => {
        const [invitation] = await tx.query<{ organisation_id: number }>(
          sql`select organisation_id from invitations where email_key = ${NEW_MEMBER_EMAIL} and accepted_at is null`,
        )
        await lockSeats(tx, invitation!.organisation_id)
        locked.resolve()
        // The embedded database has a single session, so there the other request waits for the whole transaction and no
        // lock shows.
        if (world.db.engine === 'postgres')
          await vi.waitFor(async () => {
            // PostgreSQL caches pg_stat_activity within a transaction, so clear the cache.
            await tx.query(sql`select pg_stat_clear_snapshot()`)
            const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
            expect(await tx.query(waiting)).toHaveLength(1)
          }, 20_000)
        await tx.execute(sql`update invitations set accepted_at = now() where email_key = ${NEW_MEMBER_EMAIL}`)
      })
      await locked.promise
      const [joined] = await Promise.all([call('auth/organisation/join', { cookie, body }), byLink])
      expect(joined.json().code).toBe('organisation_login_over')
    })

    test('R86: a team that requires this login rejects correct passwords of members; super users keep theirs', async () => {
      const { who: admin, id } = await connect()
      const must = () => call(`${LOGIN_DOMAINS_PATH}/${id}`, { user: admin, method: 'PATCH', body: { rule: 'must' } })
      expect(texts(await must())).toMatch('ของคุณเองให้สำเร็จ')
      world.google.people.set(SUPER_USER_EMAIL, person(SUPER_USER_EMAIL))
      expect((await logIn(SUPER_USER_EMAIL)).statusCode).toBe(200)
      expect((await must()).statusCode).toBe(204)
      const password = (email: string, word: string) => call('auth/login', { body: { email, password: word } })
      expect((await password(MEMBER_EMAIL, SAMPLE_PASSWORD)).json().code).toBe('organisation_login_required')
      expect((await password(MEMBER_EMAIL, 'wrong')).json()).toEqual(
        (await password(`nobody@${DOMAIN}`, 'wrong')).json(),
      )
      expect((await password(SUPER_USER_EMAIL, SAMPLE_PASSWORD)).statusCode).toBe(200)
      expect((await logIn()).statusCode).toBe(200)
      await call(`${LOGIN_DOMAINS_PATH}/${id}`, { user: admin, method: 'DELETE' })
      expect((await password(MEMBER_EMAIL, SAMPLE_PASSWORD)).statusCode).toBe(200)
    })

    test("R86: the provider's second factor suffices unless the team requires ours", async () => {
      const { who: admin, id } = await connect()
      await world.db.execute(sql`
        insert into totp_secrets (user_id, sealed, created_at, confirmed_at) select id, 'x', now(), now() from users where email_key = ${MEMBER_EMAIL}`)
      const opened = await logIn()
      expect(Object.keys(opened.json())).toContain('access')
      await world.db.execute(sql`update organisations set second_factor_required_at = now() - interval '1 day'`)
      await world.db.execute(sql`delete from totp_secrets`)
      const asMember = async () => {
        const { access } = (await logIn()).json()
        return call('users/me', {
          method: 'GET',
          user: { access, refresh: '', headers: { authorization: `Bearer ${access}` } },
        })
      }
      const report = async () => {
        const { access } = (await logIn()).json()
        return world.app.inject({ url: '/api/v2/projects/', headers: { authorization: `Bearer ${access}` } })
      }
      expect((await asMember()).statusCode).toBe(200)
      expect((await report()).statusCode).toBe(200)
      await world.db.execute(sql`
        insert into totp_secrets (user_id, sealed, created_at, confirmed_at) select id, 'x', now(), now() from users where email_key = ${MEMBER_EMAIL}`)
      await world.db.execute(sql`update organisations set second_factor_required_at = null`)
      expect(
        (await call(`${LOGIN_DOMAINS_PATH}/${id}`, { user: admin, method: 'PATCH', body: { asks_own_factor: true } }))
          .statusCode,
      ).toBe(204)
      expect((await logIn()).json().second_step.ways).toEqual(['totp'])
      await world.db.execute(sql`delete from totp_secrets`)
      await world.db.execute(sql`update organisations set second_factor_required_at = now() - interval '1 day'`)
      expect((await report()).json().code).toBe('second_factor_due')
    })
  })
})
