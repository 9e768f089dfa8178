import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Calendar, calendarSchema } from '#contract/team/calendar.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'

const PASSWORD = 'Tamngan#2569'

onEachEngineInTurn('the calendar', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let userId: number
  let owner: SignedIn
  let stranger: SignedIn

  const account = async (organisationId: number) => {
    const id = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return { id, session: await signIn(app, user!.email, PASSWORD) }
  }
  const publish = async (projects: readonly Partial<ProjectInput>[]) => {
    const load = await addLoad(db)
    await putProjects(db, load, projects)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  }
  const star = (...ids: string[]) =>
    db.execute(
      sql`insert into bookmarks (user_id, project_id) select ${userId}::int, unnest(${ids}::text[]) on conflict do nothing`,
    )
  const fetchCalendar = (query: Record<string, string> = {}, caller = owner) =>
    app.inject({ url: `/api/v2/calendar?${new URLSearchParams(query)}`, headers: caller.headers })
  const december = async (query: Record<string, string> = {}): Promise<Calendar> => {
    const answer = await fetchCalendar({ date__range: '2026-12-01,2026-12-31', ...query })
    expect(answer.statusCode, answer.body).toBe(200)
    return calendarSchema.parse(answer.json())
  }
  const eventLines = ({ events }: Calendar) => events.map(({ day, id }) => `${day} ${id.slice(0, 60)}`)

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => new Date('2026-11-23T02:00:00Z') })
    const ownerAccount = await account(await addOrganisation(db))
    userId = ownerAccount.id
    owner = ownerAccount.session
    stranger = (await account(await addOrganisation(db))).session
    await publish([
      { id: '1', submissionEndsOn: '2026-12-09', discussionEndsOn: '2026-12-02' },
      { id: '2', submissionEndsOn: '2026-12-09', method: 'selective' },
      { id: '3', winnerAnnouncedOn: '2026-11-30', movement: 'winner_announced' },
      { id: '4', winnerAnnouncedOn: '2026-12-01', movement: 'winner_cancelled' },
      { id: '5', submissionEndsOn: '2026-12-15', status: 'project_cancelled', isArchived: true },
      { id: '6', isArchived: true },
      { id: '7', submissionEndsOn: '2026-12-20', name: 'ซื้อกล้องของคนอื่น' },
    ])
    await db.execute(sql`insert into contracts (project_id, contract_no, ends_on, status) values
      ('6', 'ก/1', '2026-12-30', null), ('6', 'ก/2', '2026-12-31', 'ยกเลิกสัญญา'), ('6', 'ก/3', '2027-02-01', null)`)
    await star('1', '2', '3', '4', '5', '6')
  })
  afterAll(() => app.close())

  test('with report filters it contains their projects of both tabs, starred or not; refuses unreadable ones', async () => {
    const ids = ({ projects }: Calendar) => projects.map(({ project_id }) => project_id)
    expect(ids(await december({ project_id__in: '1||5||6||7' }))).toEqual(['1', '5', '6', '7'])
    expect(ids(await december({ project_name__in: 'ของคนอื่น' }))).toEqual(['7'])
    // Report filters override `of`; the parameters for scope and page are ignored.
    expect(ids(await december({ project_name__in: 'ของคนอื่น', of: 'starred', is_archived: 'true', page: '9' }))).toEqual(
      ['7'],
    )
    expect((await fetchCalendar({ project_budget__range: 'x' })).statusCode).toBe(400)
    expect(ids(await december({ is_archived: 'true' }))).toEqual(ids(await december()))
  })

  test('contains published dates of starred projects, and dates derived from them in working days', async () => {
    const calendar = await december()
    expect(eventLines(calendar).filter((line) => / [123]-/.test(line))).toEqual([
      '2026-12-02 1-comment',
      // Questions end three working days before the 9th; the 7th is a holiday. This date is derived only for e-bidding.
      '2026-12-03 1-question',
      '2026-12-08 1-papers',
      '2026-12-09 1-submission',
      '2026-12-09 2-submission',
    ])
    expect(calendar.events.filter(({ is_estimate }) => is_estimate).map(({ id }) => id)).toEqual([
      '1-question',
      '1-papers',
      '5-question',
      '5-papers',
    ])
    expect(calendar.events.find(({ id }) => id === '1-papers')?.basis).toContain('ข้อ 43, 49')
    expect(calendar.is_cut).toBe(false)
  })

  test('adds to a bid what bidders prepare and may do after the result, and what documents state', async () => {
    const ofTeam = sql`select organisation_id from users where id = ${userId}::int`
    await db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, decision, created_at, changed_at)
      select (${ofTeam}), unnest(array['1', '3', '4', '6']), 'screened', now(), 'bid', now(), now()`)
    const fact = { state: 'clear', sentence: 'x', page: 2, offset: 0 }
    const facts = [
      { ...fact, fact: 'question_deadline', value: { kind: 'date', date: '2026-12-01' } },
      { ...fact, fact: 'warranty', value: { kind: 'duration', count: 1, unit: 'year' } },
    ]
    await db.execute(sql`insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, state, kind, facts)
      select 'd' || p, (${ofTeam}), p, 'h' || p, 'pdf', 'a.pdf', 1, now(), 'read', 'invitation', ${JSON.stringify(facts)}::jsonb
      from unnest(array['1', '6']) p`)
    const bids = async (range = '2026-12-01,2026-12-31') =>
      eventLines(await december({ date__range: range })).filter((line) =>
        / [134]-|[67]-warranty|6-guarantee/.test(line),
      )
    const [comment, submission] = ['2026-12-02 1-comment', '2026-12-09 1-submission']
    const prepared = [submission, '2026-12-17 1-sample']
    // Worked by hand: the 5th, 7th and 10th are holidays.
    const afterResults = ['2026-12-11 3-appeal', '2026-12-14 4-appeal', '2026-12-14 3-signing', '2026-12-15 4-signing']
    const decisions = ['2026-12-22 3-appeal_decision', '2026-12-23 4-appeal_decision']
    const all = ['2026-12-01 4-result', comment, '2026-12-08 1-papers', ...prepared, ...afterResults, ...decisions]
    expect((await bids()).toSorted()).toEqual([...all, '2026-12-03 1-question'].toSorted())

    await db.script(
      `insert into fact_switches values ('question_deadline', true, 1, now(), 'operator', 0), ('warranty', true, 1, now(), 'operator', 0)`,
    )
    expect((await bids()).toSorted()).toEqual([...all, '2026-12-01 1-question'].toSorted())
    // The last contract of project 6 ends on 1 February 2027.
    expect(await bids('2028-02-01,2028-02-29')).toEqual(['2028-02-01 6-warranty_end', '2028-02-16 6-guarantee_return'])
    await db.script('delete from pursuits; delete from documents; delete from fact_switches')
    expect(await bids('2028-02-01,2028-02-29')).toEqual([])
  })

  test('marks cancelled entries, and gives each contract end its own id', async () => {
    const { events } = await december()
    expect(
      events.filter(({ is_cancelled }) => is_cancelled).map(({ kind, project_id: id }) => `${id} ${kind}`),
    ).toEqual(['4 result', '5 question', '5 papers', '5 submission', '6 contract_end'])
    const ends = events.filter(({ kind }) => kind === 'contract_end')
    expect(ends.map(({ day }) => day)).toEqual(['2026-12-30', '2026-12-31'])
    expect(new Set(ends.map(({ id }) => id)).size).toBe(2)
  })

  test('lists each project once, with the star as the only personal data', async () => {
    const { projects } = await december()
    expect(projects.map(({ project_id: id }) => id)).toEqual(['1', '2', '4', '5', '6'])
    expect(projects[0]).toEqual({
      project_id: '1',
      name: 'ประกวดราคาซื้อกล้องวงจรปิด',
      dept_name: 'เทศบาลเมืองตัวอย่าง',
      dept_sub_name: 'กองช่าง',
      province: 'กรุงเทพมหานคร',
      budget: 1_000_000,
      is_starred: true,
      decision: null,
      owner: null,
    })
  })

  test('contains pursued projects with decision and owner; declined ones only when starred', async () => {
    const [organisation] = await db.query<{ id: number }>(
      sql`select organisation_id as id from users where id = ${userId}::int`,
    )
    const pursue = (project: string, decision: string) =>
      db.execute(sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, decision, created_at, changed_at)
        values (${organisation!.id}::int, ${project}, 'screened', now(), ${userId}::int, ${decision}, now(), now())`)
    await pursue('7', 'bid')
    await pursue('2', 'no_bid')
    const projectIdsOf = async (of: string) =>
      (await december(of === 'followed' ? {} : { of })).projects.map(({ project_id: id }) => id).join('')
    expect([await projectIdsOf('followed'), await projectIdsOf('starred'), await projectIdsOf('pursued')]).toEqual([
      '124567',
      '12456',
      '7',
    ])
    const [project] = (await december({ of: 'pursued' })).projects
    expect([project!.decision, project!.is_starred, project!.owner]).toEqual([
      'bid',
      false,
      expect.stringContaining('@'),
    ])
    await db.execute(sql`delete from pursuits`)
  })

  test('a saved filter shows the projects it finds, starred or not, except hidden ones', async () => {
    const filterData = {
      filter: {},
      search: [{ key: 'project_name__in', value: 'คนอื่น', negation: false, isIgnoreEncode: false }],
    }
    await db.execute(sql`insert into saved_filters (user_id, id, name, filter_data)
      values (${userId}::int, 'mine', 'ของฉัน', ${JSON.stringify(filterData)}::jsonb)`)
    expect(eventLines(await december({ saved: 'mine' }))).toEqual([
      '2026-12-16 7-question',
      '2026-12-18 7-papers',
      '2026-12-20 7-submission',
    ])
    await db.execute(
      sql`insert into hidden_projects (user_id, project_id) values (${userId}::int, '7'), (${userId}::int, '2')`,
    )
    expect(eventLines(await december({ saved: 'mine' }))).toEqual([])
    expect(eventLines(await december())).not.toContain('2026-12-09 2-submission')
  })

  test('stars are private to the user', async () => {
    const answer = await fetchCalendar({ date__range: '2026-12-01,2026-12-31' }, stranger)
    expect(answer.json()).toMatchObject({ events: [], projects: [] })
    expect((await fetchCalendar({ saved: 'mine' }, stranger)).statusCode).toBe(404)
    expect((await fetchCalendar({ saved: 'mine' }, stranger)).body).toBe(
      (await fetchCalendar({ saved: 'none' }, stranger)).body,
    )
  })

  describe('days', () => {
    test.each([
      [{}, '2026-11-01', '2026-11-30'],
      [{ date__range: '2026-12-10,' }, '2026-12-10', '2027-01-09'],
      [{ date__range: ',2026-12-10' }, '2026-11-10', '2026-12-10'],
    ] as const)('%o covers %s to %s', async (query, from, to) => {
      expect((await fetchCalendar(query)).json()).toMatchObject({ from, to })
    })

    test.each(['2026-01-01,2026-12-31', '2026-12-31,2026-12-01', 'x'])('%s are refused', async (range) => {
      expect((await fetchCalendar({ date__range: range })).statusCode).toBe(400)
    })
  })
})
