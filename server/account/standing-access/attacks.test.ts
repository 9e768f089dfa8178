import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { COMMAND_LINE_ACTOR } from '#server/operation/admin/record-admin-event.ts'
import { runAdminRequest } from '#server/operation/admin/run-admin-request.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { onOneEngine } from '../../../test/server/databases.ts'
import { type SignedIn, signIn, TEST_SECRET } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'
import { MEMBER_EMAIL, MINUTE_MS, SUPER_USER_EMAIL, secondFactorApp } from '../../../test/server/second-factor-app.ts'

const INTRUDER = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0'
const PASSWORD = 'Kluay-5-Wan#'

onOneEngine('standing access, attacked', (makeDb) => {
  const world = secondFactorApp(makeDb)
  const { post, get, later, begin } = world
  const asAgent = async (email: string): Promise<SignedIn> => {
    const { access, refresh } = (
      await post('auth/login', { body: { email, password: 'Tamngan#2569' }, agent: INTRUDER })
    ).json()
    return { access, refresh, headers: { authorization: `Bearer ${access}` } }
  }
  const idOf = async (email: string) =>
    (await world.db.query<{ id: number }>(sql`select id from users where email_key = ${email}`))[0]!.id
  const linkOf = async (kind: string, to: string) =>
    /not-me\/([\w-]{43})/.exec((await newestMail(world.db, kind, to)).text)![1]!
  const invitationOf = async (to: string) =>
    /\/invitation\/([\w-]{43})/.exec((await newestMail(world.db, 'invitation', to)).text)![1]!
  const invite = (user: SignedIn, email: string, role = 'super_user') =>
    post('organisations/me/invitations', { user, body: { email, role } })
  const accept = async (email: string) =>
    post(`invitations/${await invitationOf(email)}/accept`, {
      body: {
        ...{ first_name: 'กมล', last_name: 'ขวัญใจ', new_password: PASSWORD, confirm_password: PASSWORD },
        terms_accepted: true,
      },
    })
  const makeFeed = async (user: SignedIn): Promise<string> => {
    const answer = await post('calendar-feeds', { user, body: { source: 'starred' } })
    expect(answer.statusCode).toBe(200)
    return new URL(answer.json().url).pathname
  }
  const fetchFeed = async (path: string) => (await world.app.inject({ url: path })).statusCode
  const makeKey = async (user: SignedIn, name: string): Promise<SignedIn> => {
    const { key } = (
      await post('organisations/me/api-keys', { user, body: { name, scopes: ['report'], days: 30 } })
    ).json()
    return { access: key, refresh: '', headers: { authorization: `Bearer ${key}` } }
  }
  const linkLine = async (email: string, at: Date) =>
    world.db.execute(sql`insert into line_links (user_id, organisation_id, line_hash, line_sealed, connected_at)
      select id, organisation_id, ${email}, 'x', ${at.toISOString()}::timestamptz from users where email_key = ${email}`)
  const patchMember = async (user: SignedIn, email: string, payload: object) =>
    world.app.inject({
      ...{ method: 'PATCH', headers: user.headers, payload },
      url: `/api/v2/organisations/me/members/${await idOf(email)}`,
    })

  beforeEach(async () => {
    await world.db.script(`delete from calendar_feeds; delete from line_links; delete from webhooks; delete from invitations;
      delete from users where email_key like '%@evil.example'; update users set is_disabled = false;
      update users set password_hash = (select password_hash from users where email_key = 'manager@tharamek.example') where email_key in ('${SUPER_USER_EMAIL}', '${MEMBER_EMAIL}');
      update users set role = 'super_user' where email_key = '${SUPER_USER_EMAIL}'`)
  })

  describe('R69: "this was not me"', () => {
    test('revokes everything of an intruder: invitation, accepted account, feed, LINE, key', async () => {
      await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
      const owner = await signIn(world.app, SUPER_USER_EMAIL)
      const ownFeed = await makeFeed(owner)
      later(MINUTE_MS)
      const thief = await asAgent(SUPER_USER_EMAIL)
      const link = await linkOf('new_device', SUPER_USER_EMAIL)
      later(MINUTE_MS)
      for (const email of ['first@evil.example', 'later@evil.example'])
        expect((await invite(thief, email)).statusCode).toBe(204)
      const joined = await accept('first@evil.example')
      expect(joined.statusCode).toBe(200)
      const accomplice: SignedIn = { ...joined.json(), headers: { authorization: `Bearer ${joined.json().access}` } }
      const attackerFeeds = [await makeFeed(thief), await makeFeed(accomplice)]
      const keys = [await makeKey(thief, 'x'), await makeKey(accomplice, 'y')]
      await linkLine(SUPER_USER_EMAIL, world.now)
      expect((await invite(accomplice, 'third@evil.example')).statusCode).toBe(204)
      for (const path of [ownFeed, ...attackerFeeds]) expect(await fetchFeed(path)).toBe(200)
      for (const key of keys) expect((await get('projects', key)).statusCode).toBe(200)

      later(MINUTE_MS)
      const report = await post(`auth/not-me/${link}`)
      expect(report.statusCode).toBe(200)
      expect(report.json().closed_accounts).toEqual([
        { name: 'กมล ขวัญใจ', email: 'first@evil.example', role: 'super_user' },
      ])
      expect(report.json().ended).toEqual(expect.arrayContaining(['คีย์ API 1 คีย์', 'LINE ที่เชื่อมกับบัญชี 1 บัญชี']))

      for (const email of ['later@evil.example', 'third@evil.example'])
        expect((await accept(email)).json().code).toBe('invitation_over')
      for (const path of attackerFeeds) expect(await fetchFeed(path)).toBe(404)
      expect(await fetchFeed(ownFeed)).toBe(200)
      for (const session of [...keys, thief, accomplice, owner])
        expect((await get('projects', session)).statusCode).toBe(401)
      expect((await post('auth/login', { body: { email: 'first@evil.example', password: PASSWORD } })).statusCode).toBe(
        400,
      )
      expect((await post('auth/token/refresh', { body: { refresh: accomplice.refresh } })).statusCode).toBe(401)
      expect(await world.db.query(sql`select from line_links`)).toEqual([])
      const list = await newestMail(world.db, 'super_user_change', MEMBER_EMAIL)
      expect(list.text).toContain('first@evil.example')
      expect(list.text).toContain('คีย์ API 1 คีย์')
    })

    test('also revokes what the same session made before the reported action', async () => {
      const thief = await asAgent(SUPER_USER_EMAIL)
      await world.db.execute(sql`delete from not_me_links`)
      later(MINUTE_MS)
      const feed = await makeFeed(thief)
      later(MINUTE_MS)
      await makeKey(thief, 'x')
      await post(`auth/not-me/${await linkOf('api_key_made', SUPER_USER_EMAIL)}`)
      expect(await fetchFeed(feed)).toBe(404)
    })

    test('invalidates the copies of the link in the intruder’s mailbox', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      for (const to of [MEMBER_EMAIL, 'mine@evil.example'])
        await world.db.execute(sql`insert into not_me_links (token_hash, user_id, kind, since, created_at, expires_at)
          select ${hashSecret(to.padEnd(43, 'x'))}, id, 'email_changed', ${world.now.toISOString()}::timestamptz, ${world.now.toISOString()}::timestamptz,
            ${new Date(world.now.getTime() + 60 * MINUTE_MS).toISOString()}::timestamptz from users where email_key = ${MEMBER_EMAIL}`)
      expect((await post(`auth/not-me/${MEMBER_EMAIL.padEnd(43, 'x')}`)).statusCode).toBe(200)
      expect((await post(`auth/not-me/${'mine@evil.example'.padEnd(43, 'x')}`)).json().code).toBe('reset_link_used')
      expect((await get('users/me', user)).statusCode).toBe(401)
    })
  })

  describe('R12: a new password', () => {
    const change = (user: SignedIn, body: object = {}) =>
      post('password/change', { user, body: { new_password: PASSWORD, confirm_password: PASSWORD, ...body } })

    test('keeps secret addresses by default, and revokes them all on request', async () => {
      const user = await signIn(world.app, SUPER_USER_EMAIL)
      const feed = await makeFeed(user)
      await makeKey(user, 'x')
      await linkLine(SUPER_USER_EMAIL, world.now)
      await change(user)
      expect(await fetchFeed(feed)).toBe(200)
      const again = { new_password: 'Mamuang-7-Pon#', confirm_password: 'Mamuang-7-Pon#', end_secret_addresses: true }
      expect((await change(user, again)).statusCode).toBe(200)
      expect(await fetchFeed(feed)).toBe(404)
      expect(await world.db.query(sql`select from api_keys`)).toEqual([])
      expect(await world.db.query(sql`select from line_links`)).toEqual([])
      expect((await get('users/me', user)).statusCode).toBe(200)
      expect((await newestMail(world.db, 'password_changed', SUPER_USER_EMAIL)).text).toContain(
        'ลิงก์ลับของปฏิทินและตัวกรอง 1 ลิงก์',
      )
    })

    test('ends a login that waits for its second step', async () => {
      const user = await signIn(world.app, MEMBER_EMAIL)
      const { codes } = await world.addTotp(user)
      const token = (await begin()).json().second_step.token
      await change(user)
      const late = await post('auth/login/second-step', { body: { token, recovery_code: codes[0] } })
      expect(late.json().code).toBe('login_step_over')
    })
  })

  describe('R8: closing, demoting or reopening an account', () => {
    test('never revives feeds, LINE, keys or invitations, whether a super user or the CLI closes it', async () => {
      // The admin command uses the real clock.
      world.goTo(new Date())
      const boss = await signIn(world.app, SUPER_USER_EMAIL)
      const closes = [
        (isDisabled: boolean) => patchMember(boss, MEMBER_EMAIL, { is_disabled: isDisabled }),
        (disabled: boolean) =>
          runAdminRequest(
            {
              db: world.db,
              mails: createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' }),
              by: COMMAND_LINE_ACTOR,
            },
            { do: 'set-user-disabled', email: MEMBER_EMAIL, disabled },
          ),
      ]
      for (const close of closes) {
        await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
        const user = await signIn(world.app, MEMBER_EMAIL)
        const feed = await makeFeed(user)
        const key = await makeKey(user, 'x')
        await linkLine(MEMBER_EMAIL, world.now)
        await invite(user, 'a@evil.example')
        await close(true)
        await close(false)
        expect(await fetchFeed(feed)).toBe(404)
        for (const old of [user, key]) expect((await get('projects', old)).statusCode).toBe(401)
        expect(await world.db.query(sql`select from line_links`)).toEqual([])
        expect((await accept('a@evil.example')).json().code).toBe('invitation_over')
        expect((await newestMail(world.db, 'access_ended', SUPER_USER_EMAIL)).text).toContain('คีย์ API 1 คีย์')
        await world.db.script('delete from mails; delete from use_counts')
      }
    })

    test('R8: demoting an inviter revokes their invitations, keys and webhooks, and keeps personal access', async () => {
      await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
      const boss = await signIn(world.app, SUPER_USER_EMAIL)
      const user = await signIn(world.app, MEMBER_EMAIL)
      await invite(user, 'a@evil.example')
      const [feed, key] = [await makeFeed(user), await makeKey(user, 'x')]
      const hook = { name: 'x', url: 'https://hooks.example/', events: ['match.new'], view: null }
      await post('organisations/me/webhooks', { user, body: hook })
      expect((await patchMember(boss, MEMBER_EMAIL, { role: 'member_user' })).statusCode).toBe(204)
      expect((await accept('a@evil.example')).json().code).toBe('invitation_over')
      expect((await get('projects', key)).statusCode).toBe(401)
      expect(await world.db.query(sql`select from webhooks where is_on`)).toEqual([])
      expect(await fetchFeed(feed)).toBe(200)
      expect((await get('users/me', user)).statusCode).toBe(200)
    })
  })

  test('R69: inviting, joining or promoting a super user mails all super users; the actor can report "this was not me"', async () => {
    await world.db.execute(sql`update users set role = 'super_user' where email_key = ${MEMBER_EMAIL}`)
    const boss = await signIn(world.app, SUPER_USER_EMAIL)
    const heard = async () => {
      const mails = (await queuedMails(world.db)).filter(({ kind }) => kind === 'super_user_change')
      await world.db.execute(sql`delete from mails where kind = 'super_user_change'`)
      return mails
    }
    await invite(boss, 'member@evil.example', 'member_user')
    expect(await heard()).toEqual([])
    await invite(boss, 'boss@evil.example')
    const invited = await heard()
    expect(invited.map(({ to }) => to).toSorted()).toEqual([MEMBER_EMAIL, SUPER_USER_EMAIL].toSorted())
    expect(invited.filter(({ text }) => text.includes('/not-me/')).map(({ to }) => to)).toEqual([SUPER_USER_EMAIL])
    await accept('boss@evil.example')
    expect((await heard()).map(({ to }) => to).toSorted()).toEqual([MEMBER_EMAIL, SUPER_USER_EMAIL].toSorted())
    await accept('member@evil.example')
    expect(await heard()).toEqual([])
    await patchMember(boss, 'member@evil.example', { role: 'super_user' })
    expect((await heard()).map(({ to }) => to)).toEqual(expect.arrayContaining([MEMBER_EMAIL, SUPER_USER_EMAIL]))
  })

  test('R64, R69: secret addresses, LINE and group codes need a recent proof and send a mail with an undo link', async () => {
    const user = await signIn(world.app, SUPER_USER_EMAIL)
    await world.db.execute(
      sql`insert into line_channel (id, basic_id) values (1, '@tamngan') on conflict (id) do update set basic_id = excluded.basic_id`,
    )
    const calls = [
      ['calendar-feeds', { source: 'starred' }, 'calendar_feed_made'],
      ['users/me/line/connect', undefined, 'line_code_made'],
      ['organisations/me/line-groups/code', undefined, 'line_group_code_made'],
    ] as const
    for (const [path, body, kind] of calls) {
      expect((await post(path, { user, ...(body && { body }) })).statusCode).toBe(200)
      expect((await newestMail(world.db, kind, SUPER_USER_EMAIL)).text).toMatch(/\/not-me\/[\w-]{43}/)
    }
    later(11 * MINUTE_MS)
    for (const [path, body] of calls)
      expect((await post(path, { user, ...(body && { body }) })).json().code).toBe('proof_needed')
  })
})
