import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Team, teamSchema } from '#contract/account/member.ts'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'

const SUPER = 'manager@noensai.example'
const MEMBER = 'bid@noensai.example'
const NEW = 'somsri@noensai.example'
const PASSWORD = 'Kluay-5-Wan#'
const PERSON = {
  first_name: 'สมศรี',
  last_name: 'ใจดี',
  new_password: PASSWORD,
  confirm_password: PASSWORD,
  terms_accepted: true,
}
const DAY_MS = 86_400_000

onEachEngineInTurn('members of an organisation', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let clock = new Date('2026-11-21T03:00:00Z')

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => clock, settings: { publicUrl: 'https://tamngan.example/' } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await db.execute(sql`delete from use_counts`)
    await db.execute(sql`delete from invitations`)
    await db.execute(sql`delete from mails`)
    await db.execute(sql`delete from users where email_key like 'somsri%'`)
    await db.execute(sql`update users set is_disabled = false`)
    boss = await signIn(app, SUPER)
  })

  const call = (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    user: SignedIn | undefined = boss,
  ) =>
    app.inject({
      method,
      url: `/api/v2${path}`,
      ...(body ? { payload: body } : {}),
      ...(user ? { headers: user.headers } : {}),
    })
  const invite = (email: string, role = 'member_user', user = boss) =>
    call('POST', '/organisations/me/invitations/', { email, role }, user)
  const team = async (user = boss): Promise<Team> =>
    teamSchema.parse((await call('GET', '/organisations/me/members', undefined, user)).json())
  const idOf = async (email: string) => (await team()).members.find((member) => member.email === email)!.id
  const tokenSentTo = async (email: string) =>
    /\/invitation\/([\w-]{43})/.exec((await newestMail(db, 'invitation', email)).text)![1]!
  const open = (token: string) => app.inject({ url: `/api/v2/invitations/${token}/` })
  const accept = (token: string, change: object = {}) =>
    app.inject({ method: 'POST', url: `/api/v2/invitations/${token}/accept/`, payload: { ...PERSON, ...change } })

  test('an invited colleague joins, is signed in, and appears in the list', async () => {
    expect((await invite(NEW, 'member_user')).statusCode).toBe(204)
    expect((await team()).invitations).toMatchObject([{ email: NEW, role: 'member_user', is_over: false }])
    const token = await tokenSentTo(NEW)
    // A mail scanner opens the link first, which must not consume the invitation.
    for (let round = 0; round < 2; round += 1)
      expect((await open(token)).json()).toMatchObject({ email: NEW, role: 'member_user' })
    const joined = await accept(token)
    expect(joined.statusCode).toBe(200)
    const me = await app.inject({
      url: '/api/v2/users/me',
      headers: { authorization: `Bearer ${joined.json().access}` },
    })
    expect(me.json()).toMatchObject({ email: NEW, role: 'member_user', first_name: 'สมศรี' })
    await signIn(app, NEW, PASSWORD)
    const { members, invitations } = await team()
    expect(invitations).toEqual([])
    expect(members.find(({ email }) => email === NEW)).toMatchObject({
      name: 'สมศรี ใจดี',
      is_disabled: false,
      is_me: false,
    })
    const [dump] = await db.query<{ text: string }>(sql`
      select (select string_agg(i::text, ' ') from invitations i) || (select string_agg(m::text, ' ') from mails m) as text`)
    expect(dump!.text).not.toContain(token)
    const kinds = await db.query<{ kind: string; detail: string }>(sql`
      select kind, detail::text as detail from audit_events where kind like '%member%' or kind like 'invitation%' order by id`)
    expect(kinds.map(({ kind }) => kind)).toEqual(['member_invited', 'member_joined'])
    expect(JSON.stringify(kinds)).not.toContain(NEW)
  })

  test('R18: one of twenty parallel acceptances of an invitation joins', async () => {
    await invite(NEW)
    const token = await tokenSentTo(NEW)
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(token)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.every(({ statusCode }) => [200, 400, 503].includes(statusCode))).toBe(true)
    const [count] = await db.query(sql`select count(*)::int as count from users where email_key = ${NEW}`)
    expect(count).toEqual({ count: 1 })
    expect((await accept(token)).json().code).toBe('invitation_used')
  })

  test('a link works for seven days unless it is resent or revoked', async () => {
    await invite(NEW)
    const first = await tokenSentTo(NEW)
    clock = new Date(clock.getTime() + 60_000)
    const [invitation] = (await team()).invitations
    expect((await call('POST', `/organisations/me/invitations/${invitation!.id}/resend/`)).statusCode).toBe(204)
    const second = await tokenSentTo(NEW)
    expect((await open(first)).json().code).toBe('invitation_unknown')
    expect((await open(second)).statusCode).toBe(200)
    clock = new Date(clock.getTime() + 7 * DAY_MS)
    boss = await signIn(app, SUPER)
    expect((await open(second)).json().code).toBe('invitation_over')
    expect((await accept(second)).json().code).toBe('invitation_over')
    expect((await team()).invitations).toMatchObject([{ is_over: true }])
    expect((await invite(NEW)).statusCode).toBe(204)
    const third = await tokenSentTo(NEW)
    const [again] = (await team()).invitations
    expect((await call('DELETE', `/organisations/me/invitations/${again!.id}/`)).statusCode).toBe(204)
    expect((await accept(third)).json().code).toBe('invitation_over')
    expect((await call('DELETE', `/organisations/me/invitations/${again!.id}/`)).statusCode).toBe(404)
    for (const token of ['x', 'A'.repeat(43), '%00', '__proto__'])
      expect((await open(token)).json().code).toBe('invitation_unknown')
  })

  const invitations = async () => (await queuedMails(db)).filter(({ kind }) => kind === 'invitation')

  test('R20: inviting does not reveal accounts in other organisations; the link shows it to its recipient', async () => {
    const seen = async (email: string) => {
      const { statusCode, body } = await invite(email)
      return [statusCode, body]
    }
    expect(await seen('manager@tharamek.example')).toEqual(await seen('nobody@elsewhere.example'))
    expect((await invitations()).map(({ to }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'manager@tharamek.example',
      'nobody@elsewhere.example',
    ])
    const token = await tokenSentTo('manager@tharamek.example')
    expect((await open(token)).json().code).toBe('invitation_email_taken')
    expect((await accept(token)).json().code).toBe('invitation_email_taken')
    const here = await invite(MEMBER)
    expect([here.statusCode, here.json().email]).toEqual([400, ['คนนี้อยู่ในทีมแล้ว']])
  })

  test('limits mail by address and organisation, and members by package', async () => {
    expect((await invite(NEW)).statusCode).toBe(204)
    const early = await invite(NEW)
    expect([early.statusCode, early.headers['retry-after']]).toEqual([429, '60'])
    const { members } = await team()
    await db.execute(sql`
      update organisations set customer_config = customer_config || ${JSON.stringify({ limit_members: members.length + 1 })}::jsonb
      where id = (select organisation_id from users where email_key = ${SUPER})`)
    const full = await invite('somsri-2@noensai.example')
    expect([full.statusCode, full.json().email[0]]).toEqual([
      400,
      expect.stringContaining(`ไม่เกิน ${members.length + 1} คน`),
    ])
    expect((await team()).invitations).toHaveLength(1)
    expect(await invitations()).toHaveLength(1)
    clock = new Date(clock.getTime() + 60_000)
    expect((await invite(NEW)).statusCode).toBe(204)
    expect((await accept(await tokenSentTo(NEW))).statusCode).toBe(200)
    await db.execute(sql`update organisations set customer_config = customer_config - 'limit_members'`)
  })

  test('R8: closing an account ends its sessions at once, and reopening does not revive them', async () => {
    const member = await signIn(app, MEMBER)
    const id = await idOf(MEMBER)
    expect((await call('PATCH', `/organisations/me/members/${id}/`, { is_disabled: true })).statusCode).toBe(204)
    expect((await call('GET', '/users/me', undefined, member)).statusCode).toBe(401)
    await expect(signIn(app, MEMBER)).rejects.toThrow('400')
    const here = await invite(MEMBER)
    expect(here.json().email[0]).toContain('ถูกปิดอยู่')
    expect((await call('PATCH', `/organisations/me/members/${id}/`, { is_disabled: false })).statusCode).toBe(204)
    expect((await call('GET', '/users/me', undefined, member)).statusCode).toBe(401)
    await signIn(app, MEMBER)
  })

  test('role changes apply at once; the last super user can neither step down nor leave', async () => {
    const [me, id] = [await idOf(SUPER), await idOf(MEMBER)]
    for (const change of [{ role: 'member_user' }, { is_disabled: true }]) {
      const refused = await call('PATCH', `/organisations/me/members/${me}/`, change)
      expect([refused.statusCode, refused.json().non_field_errors[0]]).toEqual([
        400,
        expect.stringContaining('อย่างน้อยหนึ่งคน'),
      ])
    }
    expect((await call('POST', '/organisations/me/leave/', { confirm: true })).statusCode).toBe(400)
    expect((await call('PATCH', `/organisations/me/members/${id}/`, { role: 'super_user' })).statusCode).toBe(204)
    const second = await signIn(app, MEMBER)
    expect((await team(second)).members).toHaveLength((await team()).members.length)
    const answers = await Promise.all([
      call('PATCH', `/organisations/me/members/${me}/`, { role: 'member_user' }),
      call('PATCH', `/organisations/me/members/${id}/`, { role: 'member_user' }, second),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).not.toEqual([204, 204])
    await db.execute(sql`update users set role = case when email_key = ${SUPER} then 'super_user' else 'member_user' end
      where email_key in (${SUPER}, ${MEMBER})`)
    const leaver = await signIn(app, MEMBER)
    expect((await call('POST', '/organisations/me/leave/', { confirm: true }, leaver)).statusCode).toBe(204)
    expect((await call('GET', '/users/me', undefined, leaver)).statusCode).toBe(401)
  })

  test('R23, R24: only super users manage members, and only those of their organisation', async () => {
    const member = await signIn(app, MEMBER)
    expect((await call('GET', '/organisations/me/members', undefined, member)).statusCode).toBe(403)
    const stranger = await signIn(app, 'manager@tharamek.example', SAMPLE_PASSWORD)
    const id = await idOf(MEMBER)
    expect((await call('PATCH', `/organisations/me/members/${id}/`, { is_disabled: true }, stranger)).statusCode).toBe(
      404,
    )
    await invite(NEW)
    const [invitation] = (await team()).invitations
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', 'resend/'],
    ] as const) {
      const answer = await call(method, `/organisations/me/invitations/${invitation!.id}/${path}`, undefined, stranger)
      expect(answer.statusCode).toBe(404)
    }
    expect((await team(stranger)).invitations).toEqual([])
  })
})
