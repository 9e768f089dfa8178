import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Team, teamSchema } from '#contract/account/member.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createRegistrant, createRegistrationCalls, GOOD_PASSWORD } from '../../../test/registration-flow.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { newestMail, queuedMails } from '../../../test/server/mails.ts'

const SUPER = 'manager@noensai.example'
const MEMBER = 'bid@noensai.example'
const DAY_MS = 86_400_000

onEachEngineInTurn('requests to join', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let strict: RouteApp
  let boss: SignedIn
  let name: string
  let clock = new Date('2026-11-21T03:00:00Z')
  const { post, stepOne, stepTwo } = createRegistrationCalls(() => ({ db, app }))

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const settings = { publicUrl: 'https://tamngan.example/' }
    app = await appOn(db, { now: () => clock, settings })
    strict = await appOn(db, { now: () => clock, settings: { ...settings, enumeration: 'strict' } })
    const [organisation] = await db.query<{ name: string }>(sql`
      select o.name from organisations o join users u on u.organisation_id = o.id where u.email_key = ${SUPER}`)
    name = organisation!.name
  })
  afterAll(async () => {
    await app.close()
    await strict.close()
  })
  beforeEach(async () => {
    for (const table of ['use_counts', 'join_requests', 'invitations', 'mails', 'notifications'])
      await db.script(`delete from ${table}`)
    boss = await signIn(app, SUPER)
  })

  const person = () => createRegistrant({ organization_name: name })
  const requestToJoin = async (registrant: ReturnType<typeof createRegistrant>, on = app, code?: string) => {
    const { organization_name, firstname, lastname } = registrant
    const register_form_code = code ?? (await stepOne(registrant, on)).code
    return post('request-to-join', { register_form_code, organization_name, firstname, lastname }, {}, on)
  }
  const call = (method: 'GET' | 'POST', path: string, body?: object, user = boss) =>
    app.inject({ method, url: `/api/v2${path}`, headers: user.headers, ...(body ? { payload: body } : {}) })
  const team = async (): Promise<Team> => teamSchema.parse((await call('GET', '/organisations/me/members')).json())
  const accept = (id: number, user = boss) =>
    call('POST', `/organisations/me/join-requests/${id}/accept/`, { role: 'member_user' }, user)
  const bell = async (user: SignedIn) =>
    (await call('GET', '/users/me', undefined, user)).json().notification_updated_status.notifications

  test('a registrant can ask to join a taken organisation; super users see it in list, bell and mail, members do not', async () => {
    const registrant = person()
    const { code } = await stepOne(registrant)
    expect((await stepTwo(registrant, code)).json().organization_name[0]).toContain('สมัครไว้แล้ว')
    expect((await requestToJoin(registrant, app, code)).statusCode).toBe(200)
    const { requests } = await team()
    expect(requests).toMatchObject([{ name: 'อนงค์ ใจดี', email: registrant.email, requested_at: clock.toISOString() }])
    expect(await bell(boss)).toMatchObject([{ type: 'Join_requested', detail: 'อนงค์ ใจดี', project_id: null }])
    expect(await bell(await signIn(app, MEMBER))).toEqual([])
    const mail = await newestMail(db, 'join_request', SUPER)
    for (const text of [registrant.email, 'https://tamngan.example/settings?tab=team'])
      expect(mail.text).toContain(text)
    await requestToJoin(registrant, app, code)
    expect((await team()).requests).toHaveLength(1)
    expect(await bell(boss)).toHaveLength(1)
    expect((await queuedMails(db)).filter(({ kind }) => kind === 'join_request')).toHaveLength(1)
    const audited = await db.query<{ detail: string }>(
      sql`select detail::text as detail from audit_events where kind = 'join_requested'`,
    )
    expect([audited.length, JSON.stringify(audited).includes(registrant.email)]).toEqual([1, false])
  })

  test('R18: twenty parallel acceptances make one invitation, and twenty parallel joins one account', async () => {
    const registrant = person()
    await requestToJoin(registrant)
    const [request] = (await team()).requests
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(request!.id)))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
    expect(answers.every(({ statusCode }) => [204, 404, 429, 503].includes(statusCode))).toBe(true)
    const { requests, invitations } = await team()
    expect([requests, invitations.map(({ email }) => email)]).toEqual([[], [registrant.email]])
    const token = /\/invitation\/([\w-]{43})/.exec((await newestMail(db, 'invitation', registrant.email)).text)![1]!
    const payload = {
      ...{ first_name: 'อนงค์', last_name: 'ใจดี', terms_accepted: true },
      ...{ new_password: GOOD_PASSWORD, confirm_password: GOOD_PASSWORD },
    }
    const url = `/api/v2/invitations/${token}/accept/`
    const joined = await Promise.all(Array.from({ length: 20 }, () => app.inject({ method: 'POST', url, payload })))
    expect(joined.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const accounts = await db.query(sql`
      select u.role, o.name from users u join organisations o on o.id = u.organisation_id where u.email_key = ${registrant.email}`)
    expect(accounts).toEqual([{ role: 'member_user', name }])
    expect((await accept(request!.id)).statusCode).toBe(404)
  })

  test('R20: the response is the same for an organisation, none, the demo and an existing account', async () => {
    const bodies = async (on: RouteApp, ...names: string[]) => {
      const answers: string[] = []
      for (const organization_name of names) {
        const answer = await requestToJoin(createRegistrant({ organization_name }), on)
        answers.push(`${answer.statusCode} ${answer.body}`)
      }
      return new Set(answers)
    }
    const [demo] = await db.query<{ name: string }>(sql`select name from organisations where code = 'demo'`)
    const names = [name, 'บริษัท ไม่มีอยู่จริง จำกัด', demo!.name]
    expect((await bodies(app, ...names)).size).toBe(1)
    expect((await bodies(strict, ...names)).size).toBe(1)
    // In strict mode, step one of the registration accepts an address that has an account elsewhere.
    const existing = { ...person(), email: 'sales@tharamek.example' }
    const answer = await requestToJoin(existing, strict)
    expect(await bodies(strict, name)).toEqual(new Set([`${answer.statusCode} ${answer.body}`]))
    const pending = await db.query<{ email: string }>(sql`select email from join_requests`)
    expect(pending).toHaveLength(3)
    expect(pending.map(({ email }) => email)).not.toContain(existing.email)
  })

  test('a refusal sends no mail and blocks new requests for thirty days', async () => {
    const registrant = person()
    await requestToJoin(registrant)
    const [request] = (await team()).requests
    const refuse = () => call('POST', `/organisations/me/join-requests/${request!.id}/refuse/`)
    expect((await refuse()).statusCode).toBe(204)
    expect((await refuse()).statusCode).toBe(404)
    expect((await queuedMails(db)).filter(({ to }) => to === registrant.email)).toEqual([])
    await requestToJoin(registrant)
    expect((await team()).requests).toEqual([])
    clock = new Date(clock.getTime() + 31 * DAY_MS)
    boss = await signIn(app, SUPER)
    await requestToJoin(registrant)
    expect((await team()).requests).toHaveLength(1)
    clock = new Date(clock.getTime() + 91 * DAY_MS)
    boss = await signIn(app, SUPER)
    await requestToJoin(person())
    expect(await db.query(sql`select email from join_requests`)).toHaveLength(1)
  })

  test('limits requests for each registrant, and an organisation to twenty a day', async () => {
    const registrant = createRegistrant({ organization_name: 'บริษัท ไม่มีอยู่จริง จำกัด' })
    const { code } = await stepOne(registrant)
    const statuses: number[] = []
    for (let round = 0; round < 4; round += 1) statuses.push((await requestToJoin(registrant, app, code)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429])
    for (let round = 0; round < 22; round += 1) {
      const applicant = createRegistrant({ organization_name: name })
      const form = await stepOne(applicant)
      expect((await requestToJoin(applicant, app, form.code)).statusCode).toBe(200)
    }
    expect((await team()).requests).toHaveLength(20)
  })
})
