import { createRequire } from 'node:module'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_CALENDAR_FEEDS } from '#contract/team/calendar-feed.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'
import { transferSharedViews } from '#server/team/pursuit/team-view-queries.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'

const PASSWORD = 'Tamngan#2569'
const OWN = '/api/v2/calendar-feeds'

/** An event as parsed by an independent reader (ical.js of Mozilla). */
type Read = {
  readonly uid: string
  readonly summary: string
  readonly description: string
  readonly sequence: number
  readonly startDate: {
    readonly isDate: boolean
    readonly zone: { readonly tzid: string }
    toString(): string
    toJSDate(): Date
  }
  readonly endDate: { toString(): string }
  readonly component: { getFirstPropertyValue(name: string): unknown }
}
type Component = {
  getAllSubcomponents(name: string): Component[]
  getFirstPropertyValue(name: string): unknown
}
type Reader = {
  parse(text: string): unknown
  Component: new (parsed: unknown) => Component
  Event: new (component: Component) => Read
}
const ICAL = createRequire(import.meta.url)('ical.js') as Reader

function read(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  return { calendar, events: new Map(events.map((event) => [event.uid.replace('@tamngan', ''), event])) }
}
const statusOf = (event: Read | undefined) => event?.component.getFirstPropertyValue('status')

onEachEngineInTurn('a calendar that programs fetch', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let organisationId: number
  let userId: number
  let owner: SignedIn
  let stranger: SignedIn
  let now = new Date('2026-11-23T02:00:00Z')

  const account = async (organisation: number) => {
    const id = await addUser(db, organisation)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return { id, session: await signIn(app, user!.email, PASSWORD) }
  }
  const publish = async (projects: readonly Partial<ProjectInput>[]) => {
    const load = await addLoad(db)
    await putProjects(db, load, projects)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    return load
  }
  const make = async (payload: object = { source: 'followed' }, caller = owner) =>
    app.inject({ method: 'POST', url: OWN, headers: caller.headers, payload })
  const addressOf = async (payload?: object) => {
    const answer = await make(payload)
    expect(answer.statusCode, answer.body).toBe(200)
    return new URL(answer.json<{ url: string }>().url).pathname
  }
  const fetched = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const list = async (caller = owner) => (await app.inject({ url: OWN, headers: caller.headers })).json().feeds

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => now })
    organisationId = await addOrganisation(db)
    const ownerAccount = await account(organisationId)
    userId = ownerAccount.id
    owner = ownerAccount.session
    stranger = (await account(await addOrganisation(db))).session
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    now = new Date('2026-11-23T02:00:00Z')
    await emptyTables(
      db,
      'loads',
      'projects',
      'project_matches',
      'calendar_feeds',
      'bookmarks',
      'saved_filters',
      'use_counts',
    )
    await publish([
      { id: '1', submissionEndsOn: '2026-12-09', name: 'ซื้อกล้อง; "CCTV", 64 จุด\\ชั้น 2' },
      { id: '2', winnerAnnouncedOn: '2026-11-30', movement: 'winner_announced' },
      { id: '3', submissionEndsOn: '2026-12-20' },
    ])
    await db.execute(sql`update projects set submission_time = '09:00-12:00' where project_id = '1'`)
    await db.execute(sql`insert into contracts (project_id, contract_no, ends_on) values ('2', 'ก/1', '2027-06-30')`)
    await db.execute(
      sql`insert into bookmarks (user_id, project_id) values (${userId}::int, '1'), (${userId}::int, '2')`,
    )
  })

  test('an independent parser reads names, days and Bangkok time, and derived dates as tentative', async () => {
    const answer = await fetched(await addressOf())
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    const { calendar, events } = read(answer.body)
    expect(calendar.getFirstPropertyValue('name')).toBe('ตามงาน: ที่ติดดาวและงานของเรา')
    expect(calendar.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'))).toEqual([
      'Asia/Bangkok',
    ])
    expect([...events.keys()].map((uid) => uid.replace(/_end-.*/, '_end'))).toEqual([
      '2-result',
      '1-question',
      '1-papers',
      '1-submission',
      '2-contract_end',
    ])
    const submission = events.get('1-submission')!
    expect([submission.startDate.toString(), submission.endDate.toString()]).toEqual([
      '2026-12-09T09:00:00',
      '2026-12-09T12:00:00',
    ])
    expect(submission.startDate.zone.tzid).toBe('Asia/Bangkok')
    expect(submission.startDate.toJSDate().toISOString()).toBe('2026-12-09T02:00:00.000Z')
    expect(submission.summary).toBe('สิ้นสุดยื่นข้อเสนอ: ซื้อกล้อง; "CCTV", 64 จุด\\ชั้น 2')
    const question = events.get('1-question')!
    expect([question.startDate.isDate, question.startDate.toString()]).toEqual([true, '2026-12-03'])
    expect([statusOf(submission), statusOf(question)]).toEqual(['CONFIRMED', 'TENTATIVE'])
    for (const part of ['คำนวณ ระเบียบ', 'ข้อ 52']) expect(question.description).toContain(part)
    for (const part of ['แน่นอน ระเบียบ', 'ข้อ 54']) expect(submission.description).toContain(part)
  })

  test('a moved date keeps its identity and raises its sequence; a cancelled one is CANCELLED', async () => {
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, decision, created_at, changed_at)
      values (${organisationId}::int, '2', 'screened', now(), 'bid', now(), now())`)
    const url = await addressOf()
    const before = read((await fetched(url)).body).events
    await publish([
      { id: '1', submissionEndsOn: '2026-12-16' },
      { id: '2', winnerAnnouncedOn: '2026-11-30', movement: 'winner_cancelled' },
    ])
    const moved = read((await fetched(url)).body).events
    expect([...moved.keys()].sort()).toEqual([...before.keys()].sort())
    expect(moved.get('1-submission')!.startDate.toString().slice(0, 10)).toBe('2026-12-16')
    expect(moved.get('1-submission')!.sequence).toBeGreaterThan(before.get('1-submission')!.sequence)
    expect(['2-result', '2-appeal'].map((uid) => statusOf(moved.get(uid)))).toEqual(['CANCELLED', 'CANCELLED'])
    await publish([{ id: '1', submissionEndsOn: '2026-12-16', status: 'project_cancelled' }])
    const over = read((await fetched(url)).body).events
    expect(statusOf(over.get('1-submission'))).toBe('CANCELLED')
    expect(over.get('1-submission')!.summary).toMatch(/^ยกเลิก: สิ้นสุดยื่นข้อเสนอ/)
    expect(over.get('1-submission')!.sequence).toBeGreaterThan(moved.get('1-submission')!.sequence)
    await db.execute(sql`delete from pursuits`)
  })

  test('a cancelled tender stays, with the same identity, in the calendar of a filter for open ones', async () => {
    const search = [
      { key: 'project_id__in', value: ['3'], negation: false },
      { key: 'project_status__in', value: ['in_progress'], negation: false },
    ]
    await db.execute(sql`insert into saved_filters (user_id, id, name, filter_data)
      values (${userId}::int, 'open', 'ที่เปิดอยู่', ${JSON.stringify({ filter: {}, search })}::jsonb)`)
    const url = await addressOf({ source: 'filter', filter_id: 'open' })
    const before = read((await fetched(url)).body).events
    await publish([{ id: '3', submissionEndsOn: '2026-12-20', status: 'invitation_cancelled', isArchived: true }])
    const after = read((await fetched(url)).body).events
    expect([...after.keys()]).toEqual([...before.keys()])
    expect([...after.values()].map((event) => statusOf(event))).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED'])
    const saved = await app.inject({
      url: '/api/v2/calendar?date__range=2026-12-01,2026-12-31&saved=open',
      headers: owner.headers,
    })
    expect(saved.json().events).toMatchObject(Array.from({ length: 3 }, () => ({ is_cancelled: true })))
    await db.execute(sql`delete from saved_filters`)
  })

  test('never marks the user busy for a deadline, with or without a time of day', async () => {
    const { events } = read((await fetched(await addressOf())).body)
    for (const { component } of events.values())
      expect([
        component.getFirstPropertyValue('transp'),
        component.getFirstPropertyValue('x-microsoft-cdo-busystatus'),
      ]).toEqual(['TRANSPARENT', 'FREE'])
  })

  test('merges contract ends of one day into one event with count and list, and hundreds into one a month', async () => {
    const contracts = async (...rows: readonly (readonly [no: string, ends: string])[]) => {
      await db.execute(sql`delete from contracts`)
      await db.execute(sql`insert into contracts (project_id, contract_no, ends_on)
        select '2', c ->> 0, (c ->> 1)::date from json_array_elements(${JSON.stringify(rows)}::text::json) c`)
      const { events } = read((await fetched(url)).body)
      return [...events].flatMap(([uid, event]) => (uid.includes('contract_end') ? [event] : []))
    }
    const url = await addressOf()
    const [single] = await contracts(['ก/1', '2027-06-30'])
    expect(single!.summary).toBe('สิ้นสุดสัญญา (สัญญาเลขที่ ก/1): ประกวดราคาซื้อกล้องวงจรปิด')
    const [moved] = await contracts(['ก/1', '2027-07-31'])
    expect(moved!.uid).toBe(single!.uid)
    const three = await contracts(['ก/1', '2027-06-30'], ['-', '2027-06-30'], ['ข/2', '2027-06-30'])
    expect(three.map(({ summary }) => summary)).toEqual(['สิ้นสุดสัญญา 3 ฉบับ: ประกวดราคาซื้อกล้องวงจรปิด'])
    expect(three[0]!.description).toContain('สัญญาเลขที่ ก/1, ข/2 และอีก 1 ฉบับ')
    const days = (n: number) => new Date(Date.UTC(2027, 2, 1 + (n % 90))).toISOString().slice(0, 10)
    const many = await contracts(...Array.from({ length: 300 }, (_, n) => [`ส/${n}`, days(n)] as const))
    expect(many.map(({ summary }) => /(?<!\d)\d+ ฉบับ/.exec(summary)?.[0])).toEqual(['123 ฉบับ', '90 ฉบับ', '87 ฉบับ'])
    expect(new Set(many.map(({ uid }) => uid)).size).toBe(3)
  })

  test('equal content keeps its ETag and answers 304, also on another day and after a reload', async () => {
    const url = await addressOf()
    const first = await fetched(url)
    const etag = String(first.headers.etag)
    now = new Date('2026-11-24T09:00:00Z')
    await addLoad(db)
    const again = await fetched(url, { 'if-none-match': `"x", W/${etag}` })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    await db.execute(sql`delete from bookmarks where project_id = '2'`)
    expect((await fetched(url, { 'if-none-match': etag })).statusCode).toBe(200)
  })

  test('contains no text written by users and no identity of the user', async () => {
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${userId}::int, 'l', 'ลับเฉพาะ', 'sky')`)
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, reason, price_satang, created_at, changed_at)
      values (${organisationId}::int, '3', 'screened', now(), ${userId}::int, 'ลับเฉพาะ', 12345600, now(), now())`)
    const { body, headers } = await fetched(await addressOf())
    const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${userId}::int`)
    expect(read(body).events.has('3-submission')).toBe(true)
    for (const secret of ['ลับเฉพาะ', '123,456', user!.email]) expect(body).not.toContain(secret)
    expect(JSON.stringify(headers)).not.toContain(user!.email)
    await db.execute(sql`delete from pursuits`)
  })

  test('a saved filter’s feed contains what the filter finds, and ends with the filter', async () => {
    const filterData = { filter: {}, search: [{ key: 'project_id__in', value: ['3'], negation: false }] }
    await db.execute(sql`insert into saved_filters (user_id, id, name, filter_data)
      values (${userId}::int, 'mine', 'ของฉัน', ${JSON.stringify(filterData)}::jsonb)`)
    const url = await addressOf({ source: 'filter', filter_id: 'mine' })
    const { calendar, events } = read((await fetched(url)).body)
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('ตามงาน: ของฉัน')
    expect([...events.keys()]).toEqual(['3-question', '3-papers', '3-submission'])
    await db.execute(sql`delete from saved_filters`)
    expect((await fetched(url)).statusCode).toBe(404)
    expect((await make({ source: 'filter', filter_id: 'mine' })).statusCode).toBe(404)
  })

  test('a team view’s feed contains what the view finds while shared, and survives a change of owner', async () => {
    const colleague = await account(organisationId)
    const filterData = { filter: {}, search: [{ key: 'project_id__in', value: ['3'], negation: false }] }
    const share = (isShared: boolean, at = colleague.id) =>
      db.execute(sql`
        insert into saved_filters (user_id, id, name, filter_data, shared_with)
        values (${at}::int, 'theirs', 'ของทีม', ${JSON.stringify(filterData)}::jsonb, ${isShared ? organisationId : null}::int)
        on conflict (user_id, id) do update set shared_with = excluded.shared_with`)
    const view = { source: 'view', filter_id: 'theirs', owner: colleague.id }
    await share(false)
    expect((await make(view)).statusCode).toBe(404)
    await share(true)
    expect((await make(view, stranger)).statusCode).toBe(404)
    expect((await make({ ...view, owner: undefined })).statusCode).toBe(400)
    const url = await addressOf(view)
    const csv = await addressOf({ ...view, format: 'csv' })
    const { calendar, events } = read((await fetched(url)).body)
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('ตามงาน: ของทีม')
    expect([...events.keys()]).toEqual(['3-question', '3-papers', '3-submission'])
    expect((await fetched(csv)).statusCode).toBe(200)
    expect(await list()).toMatchObject([
      { source: 'view', name: 'ของทีม', is_over: false },
      { source: 'view', name: 'ของทีม', is_over: false },
    ])
    await share(false)
    expect((await fetched(url)).statusCode).toBe(404)
    expect(await list()).toMatchObject([{ name: null, is_over: true }, { is_over: true }])
    await share(true)
    expect((await fetched(url)).statusCode).toBe(200)
    const third = await account(organisationId)
    await transferSharedViews(db, { organisationId, from: colleague.id, to: third.id })
    expect((await fetched(url)).statusCode).toBe(200)
    await transferSharedViews(db, { organisationId, from: third.id, to: userId })
    expect((await fetched(url)).statusCode).toBe(200)
    expect(await list()).toMatchObject([{ source: 'filter', name: 'ของทีม', is_over: false }, { source: 'filter' }])
    await db.execute(sql`delete from saved_filters where user_id = ${userId}::int`)
    expect([(await fetched(url)).statusCode, await list()]).toEqual([404, []])
  })

  describe('the address', () => {
    test('is stored only as a hash, listed without the token, and revocable only by its owner', async () => {
      const url = await addressOf()
      const token = url.split('/').at(-1)!.replace('.ics', '')
      expect(token).toMatch(/^[\w-]{43}$/)
      const rows = await db.query(sql`select token_hash from calendar_feeds`)
      expect(rows).toEqual([{ token_hash: hashSecret(token) }])
      const [feed] = await list()
      expect(feed).toMatchObject({ source: 'followed', name: null, fetched_at: null })
      expect(JSON.stringify(feed)).not.toContain(token)
      await fetched(url)
      expect((await list())[0].fetched_at).toBe(now.toISOString())
      const revoke = (caller: SignedIn) =>
        app.inject({ method: 'DELETE', url: `${OWN}/${feed.id}`, headers: caller.headers })
      expect([await list(stranger), (await revoke(stranger)).statusCode]).toEqual([[], 404])
      expect((await revoke(owner)).statusCode).toBe(204)
      const gone = await fetched(url)
      expect([gone.statusCode, gone.body]).toEqual([404, (await fetched('/api/v2/calendars/nobody.ics')).body])
      expect(
        await db.query(sql`select kind from audit_events where kind like 'calendar%' order by id desc limit 2`),
      ).toEqual([{ kind: 'calendar_feed_revoked' }, { kind: 'calendar_feed_made' }])
    })

    test('answers 404 while the account or the organisation is closed', async () => {
      const url = await addressOf()
      for (const [table, id] of [
        ['users', userId],
        ['organisations', organisationId],
      ] as const) {
        await db.script(`update ${table} set is_disabled = true where id = ${id}`)
        expect((await fetched(url)).statusCode).toBe(404)
        await db.script(`update ${table} set is_disabled = false where id = ${id}`)
      }
      expect((await fetched(url)).statusCode).toBe(200)
    })

    test('allows sixty requests an hour, then answers 429 with a wait', async () => {
      const url = await addressOf()
      const codes = new Set<number>()
      for (let i = 0; i < 60; i += 1) codes.add((await fetched(url)).statusCode)
      const refused = await fetched(url)
      expect([[...codes], refused.statusCode]).toEqual([[200], 429])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    })

    test('is limited to ten, and requires a matching source', async () => {
      for (let i = 0; i < MAX_CALENDAR_FEEDS; i += 1) expect((await make()).statusCode).toBe(200)
      expect((await make()).statusCode).toBe(400)
      expect((await make({ source: 'filter' })).statusCode).toBe(400)
      expect((await make({ source: 'starred', filter_id: 'x' })).statusCode).toBe(400)
    })
  })
})
