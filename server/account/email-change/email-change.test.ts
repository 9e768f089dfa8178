import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'

const OLD = 'bid@noensai.example'
const NEW = 'Somsri@Noensai-Build.example'
const START = new Date('2026-11-21T03:00:00Z')
const HOUR = 3_600_000

onEachEngineInTurn('change of the mail address', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let user: SignedIn
  let now = START

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => now, settings: { publicUrl: 'https://tamngan.example' } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    now = START
    await db.script(`
      update users set email = '${OLD}', email_key = '${OLD}', password_hash = (select password_hash from users where email_key = 'manager@noensai.example')
        where email_key in ('${OLD}', '${NEW.toLowerCase()}');
      delete from email_changes; delete from use_counts; delete from sessions; delete from known_devices; delete from not_me_links`)
    user = await signIn(app, OLD)
    await db.script('delete from mails; delete from audit_events')
  })

  const post = (path: string, body?: object, headers = {}) =>
    app.inject({ method: 'POST', url: `/api/v2/${path}`, headers, ...(body && { payload: body }) })
  const requestChange = (email = NEW) => post('users/me/email-change', { email }, user.headers)
  const linkTo = async (to: string) =>
    /email-change\/([\w-]{43})/.exec((await newestMail(db, 'email_change', to)).text)![1]!
  const confirm = (token: string) => post(`email-changes/${token}/confirm`)
  const login = async (email: string) => (await post('auth/login', { email, password: SAMPLE_PASSWORD })).statusCode
  const open = async () =>
    (await app.inject({ url: '/api/v2/users/me/email-change', headers: user.headers })).json().change

  test.each(['old first', 'new first'])(
    'R71: takes effect when both addresses have confirmed, %s, and notifies both',
    async (order) => {
      expect((await requestChange()).statusCode).toBe(204)
      const tokens = [await linkTo(OLD), await linkTo(NEW)]
      if (order === 'new first') tokens.reverse()
      const seen = await app.inject({ url: `/api/v2/email-changes/${tokens[0]}` })
      expect(seen.json()).toEqual({
        side: order === 'old first' ? 'old' : 'new',
        old_email: 'b••••@noensai.example',
        new_email: 'So••••@Noensai-Build.example',
        is_confirmed: false,
      })
      expect((await confirm(tokens[0]!)).json()).toEqual({ is_done: false })
      expect((await confirm(tokens[0]!)).json()).toEqual({ is_done: false })
      expect([await login(OLD), await login(NEW)]).toEqual([200, 400])
      expect(await open()).toMatchObject({ new_email: NEW, old_confirmed: order === 'old first' })
      expect((await confirm(tokens[1]!)).json()).toEqual({ is_done: true })
      expect([await login(OLD), await login(NEW)]).toEqual([400, 200])
      expect(await open()).toBeNull()
      for (const to of [OLD, NEW]) expect((await newestMail(db, 'email_changed', to)).text).toContain('/not-me/')
      for (const token of tokens) expect((await confirm(token)).json().code).toBe('reset_link_used')
      const kinds = await db.query<{ kind: string }>(
        sql`select kind from audit_events where kind like 'email%' order by id`,
      )
      expect(kinds.map(({ kind }) => kind)).toEqual(['email_change_begun', 'email_changed'])
    },
  )

  test('R71: either address or the user can cancel it', async () => {
    for (const stop of [
      async () => post(`email-changes/${await linkTo(OLD)}/stop`),
      async () => post(`email-changes/${await linkTo(NEW)}/stop`),
      async () => app.inject({ method: 'DELETE', url: '/api/v2/users/me/email-change', headers: user.headers }),
    ]) {
      await db.execute(sql`delete from use_counts`)
      await requestChange()
      await confirm(await linkTo(NEW))
      expect((await stop()).statusCode).toBe(204)
      expect((await confirm(await linkTo(OLD))).json().code).toBe('reset_link_expired')
      expect([await login(OLD), await login(NEW)]).toEqual([200, 400])
    }
  })

  test('R71: a later change replaces the earlier one, a day expires it, and viewing changes nothing', async () => {
    await requestChange('first@mailbox.example')
    const first = [await linkTo(OLD), await linkTo('first@mailbox.example')]
    await requestChange()
    for (const token of first) expect((await confirm(token)).json().code).toBe('reset_link_expired')
    const token = await linkTo(OLD)
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await app.inject({ url: `/api/v2/email-changes/${token}` })).statusCode).toBe(200)
    expect(await open()).toMatchObject({ old_confirmed: false, new_confirmed: false })
    now = new Date(START.getTime() + 24 * HOUR)
    expect((await confirm(token)).json().code).toBe('reset_link_expired')
    expect((await confirm('A'.repeat(43))).json().code).toBe('reset_link_unknown')
  })

  test('R20: does not reveal a taken address and sends it nothing; one taken meanwhile is rejected at the end', async () => {
    const taken = await requestChange('manager@tharamek.example')
    const free = await requestChange('nobody@tharamek.example')
    expect([taken.statusCode, taken.body]).toEqual([free.statusCode, free.body])
    expect((await queuedMails(db)).map(({ to }) => to)).toEqual([OLD, OLD, 'nobody@tharamek.example'])
    await confirm(await linkTo('nobody@tharamek.example'))
    await db.execute(sql`
      insert into users (organisation_id, email, email_key, password_hash, role)
      select organisation_id, 'nobody@tharamek.example', 'nobody@tharamek.example', 'x', 'member_user' from users where email_key = ${OLD}`)
    const late = await confirm(await linkTo(OLD))
    expect([late.statusCode, late.json().non_field_errors[0]]).toEqual([400, expect.stringContaining('มีบัญชีอื่นใช้ไปแล้ว')])
    expect(await login(OLD)).toBe(200)
    await db.execute(sql`delete from users where email_key = 'nobody@tharamek.example'`)
  })

  test('changes the address once for twenty parallel confirmations', async () => {
    await requestChange()
    await confirm(await linkTo(NEW))
    const token = await linkTo(OLD)
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await queuedMails(db)).filter(({ kind }) => kind === 'email_changed')).toHaveLength(2)
  })

  test('R64, R42: requires a recent proof, is rate-limited, and rejects the current address', async () => {
    expect((await requestChange(OLD.toUpperCase())).json().email).toEqual(['อีเมลนี้คืออีเมลที่ใช้อยู่'])
    const statuses: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) statuses.push((await requestChange()).statusCode)
    expect(statuses).toEqual([204, 204, 204, 429])
    now = new Date(START.getTime() + 10 * 60_000)
    expect((await requestChange('x@mailbox.example')).json().code).toBe('proof_needed')
  })

  test('R69: "this was not me" restores the old address', async () => {
    await requestChange()
    await confirm(await linkTo(NEW))
    await confirm(await linkTo(OLD))
    const link = /not-me\/([\w-]{43})/.exec((await newestMail(db, 'email_changed', OLD)).text)![1]!
    const { reset_token } = (await post(`auth/not-me/${link}`)).json()
    const password = 'Kluay-5-Wan#'
    await post(`password/reset/confirm/${reset_token}`, { new_password: password, confirm_password: password })
    expect((await post('auth/login', { email: OLD, password })).statusCode).toBe(200)
  })
})
