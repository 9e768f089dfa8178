import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ProjectDetail, projectDetailSchema } from '#contract/report/project-detail.ts'
import { reportPageSchema } from '#contract/report/report.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'
import { pruneProjectViews } from './queries.ts'

const PASSWORD = 'Tamngan#2569'
const [OPEN, DELIVERED, HIDDEN, BIDS, NAMES, OTHERS] = ['1', '2', '3', '4', '5', '6'].map((n) => `6900000000${n}`) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const PROJECTS: readonly Partial<ProjectInput>[] = [
  { id: OPEN, submissionEndsOn: '2026-11-28' },
  { id: DELIVERED, isArchived: true, status: 'contract_created', winner: 'บริษัท ก จำกัด', winning: 90_000_000 },
  { id: HIDDEN },
  { id: BIDS, winner: 'บริษัท ก จำกัด', winning: 90_000_000 },
  { id: NAMES },
  { id: OTHERS, name: 'ก่อสร้างถนนคอนกรีต' },
]

onEachEngine('GET /projects/{id}', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let viewer: SignedIn
  let userId: number
  let organisationId: number
  let strangerId: number
  let hash: string
  let now = new Date('2026-11-21T02:00:00Z')
  let loads: number[]

  /** Signs in as this user again, because a session would expire before the next day. */
  const device = async (id: number): Promise<SignedIn> => {
    const [user] = await db.query<{ email: string }>(sql`select email from users where id = ${id}::int`)
    return signIn(app, user!.email, PASSWORD)
  }
  const newUser = async (organisation: number): Promise<number> => {
    const id = await addUser(db, organisation)
    await db.execute(sql`update users set password_hash = ${hash} where id = ${id}::int`)
    return id
  }
  const request = (id: string, method: 'GET' | 'HEAD' = 'GET', user = viewer) =>
    app.inject({ method, url: `/api/v2/projects/${id}`, headers: user.headers })
  const open = async (id: string, user = viewer): Promise<ProjectDetail> => {
    const answer = await request(id, 'GET', user)
    expect(answer.statusCode, answer.body).toBe(200)
    return projectDetailSchema.parse(answer.json())
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => now })
    hash = await hashPassword(PASSWORD)
    organisationId = await addOrganisation(db)
    strangerId = await newUser(await addOrganisation(db, { words: { include: ['ถนน'] } }))
    const first = await addLoad(db)
    await putProjects(db, first, PROJECTS)
    await db.transaction((tx) => matchDataLoadProjects(tx, first))
    const second = await addLoad(db)
    loads = [first, second]
    await putProjects(db, second, [{ ...PROJECTS[0], submissionEndsOn: '2026-12-04' }])
    await db.script(`
      insert into project_changes (project_id, load_id, field, old_value, new_value) values
        ('${OPEN}', ${first}, 'budget', '900000', '1000000'),
        ('${OPEN}', ${second}, 'submission_end_date', '2026-11-28', '2026-12-04');
      insert into announcements (project_id, movement, announced_on, load_id) values
        ('${OPEN}', 'invited', '2026-11-10', ${first}), ('${OPEN}', 'draft_published', '2026-10-01', ${first});
      insert into attachments (project_id, url, name, step, published_on, first_load) values
        ('${OPEN}', 'https://egp.example/a', 'ร่าง TOR.pdf', 'draft_published', '2026-10-01', ${first}),
        ('${OPEN}', 'https://egp.example/b', 'ประกาศ.pdf', 'invited', null, ${second});
      insert into field_sources values ('${OPEN}', '{"budget": ["cgd-json", ${first}], "dept_sub_name": ["cgd-json", ${second}]}');
      insert into purchase_plans values ('P69090000001', '0204', 'แผน', 'แผน', null, '2026-09-01', '${OPEN}');
      insert into bidders (project_id, position, tin, name, price_satang, is_winner, is_sme) values
        ('${BIDS}', 1, null, 'บริษัท ค จำกัด', 95000000, false, null), ('${BIDS}', 2, '0105500000001', 'บริษัท ก จำกัด', 90000050, true, true),
        ('${BIDS}', 3, null, 'บริษัท ข จำกัด', 91000000, false, false),
        ('${NAMES}', 1, null, 'บริษัท ก จำกัด', null, false, null), ('${NAMES}', 2, null, 'บริษัท ข จำกัด', 5, false, null);
      insert into contracts (project_id, contract_no, winner_tin, winner_name, amount_satang, signed_on) values
        ('${DELIVERED}', '2/2569', '0105500000001', 'บริษัท ก จำกัด', 3000000, '2026-06-02'),
        ('${DELIVERED}', '1/2569', '0105500000001', 'บริษัท ก. จำกัด', 6000050, '2026-06-01'),
        ('${DELIVERED}', '3/2569', null, 'บริษัท ข จำกัด', null, null);`)
    await db.transaction((tx) => matchDataLoadProjects(tx, second))
    userId = await newUser(organisationId)
    viewer = await device(userId)
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${userId}::int, ${HIDDEN})`)
  })
  afterAll(() => app.close())

  test('returns the same row as the report, in either tab and hidden or not', async () => {
    for (const [id, query] of [
      [OPEN, ''],
      [DELIVERED, '?is_archived=true'],
      [HIDDEN, '?project_hidden=true'],
    ] as const) {
      const page = await app.inject({ url: `/api/v2/projects${query}`, headers: viewer.headers })
      const row = reportPageSchema.parse(page.json()).results.find(({ project_id }) => project_id === id)
      expect(row).toBeDefined()
      expect((await open(id)).row).toEqual(row)
    }
  })

  test('each known fact has a source and a date; unknown facts have none', async () => {
    const { fact_sources, first_seen_at, row } = await open(OPEN)
    const [first, second] = await db.query<{ at: string }>(sql`select published_at as at from loads order by id`)
    const [firstAt, secondAt] = [first!, second!].map(({ at }) => new Date(at).toISOString())
    const of = (fact: string) => fact_sources.find((source) => source.fact === fact)
    expect(of('budget')).toEqual({ fact: 'budget', source: 'cgd-json', seen_at: firstAt })
    expect(of('dept_sub_name')).toEqual({ fact: 'dept_sub_name', source: 'cgd-json', seen_at: secondAt })
    expect(of('status')).toMatchObject({ seen_at: first_seen_at })
    expect(row.winner_budget).toBeNull()
    expect(of('winner_budget')).toBeUndefined()
  })

  test('answers 404 with the same bytes for unknown, malformed and unmatched ids', async () => {
    const stranger = await device(strangerId)
    const answers = [
      await request('69000000099'),
      await request(OTHERS),
      await request(OPEN, 'GET', stranger),
      await request('%00'),
      await request("1'%20or%20'1'='1"),
      await request('9'.repeat(90)),
      ...(await Promise.all(
        ['similar-prices', 'linked'].flatMap((part) => [
          app.inject({ url: `/api/v2/projects/${OTHERS}/${part}`, headers: viewer.headers }),
          app.inject({ url: `/api/v2/projects/%00/${part}`, headers: viewer.headers }),
        ]),
      )),
    ]
    for (const { statusCode, body } of answers) expect([statusCode, body]).toEqual([404, '{"code":"not_found"}'])
    expect((await open(OTHERS, stranger)).row.project_id).toBe(OTHERS)
    expect(
      await db.query(
        sql`select 1 from project_views where project_id <> all (${[OPEN, DELIVERED, HIDDEN, OTHERS]}::text[])`,
      ),
    ).toEqual([])
  })

  test('history, steps and files carry the time when they were first seen', async () => {
    const published = await db.query<{ published_at: string }>(
      sql`select published_at from loads where id = any (${loads}::bigint[]) order by id`,
    )
    const [first, second] = published.map(({ published_at }) => new Date(published_at).toISOString()) as [
      string,
      string,
    ]
    const detail = await open(OPEN)
    expect(detail.history).toEqual([
      { field: 'submission_end_date', old: '2026-11-28', new: '2026-12-04', seen_at: second },
      { field: 'budget', old: '900000', new: '1000000', seen_at: first },
    ])
    expect(detail.announcements).toEqual([
      { movement: 'แผนการจัดซื้อจัดจ้าง P69090000001', announced_date: '2026-09-01' },
      { movement: 'draft_published', announced_date: '2026-10-01', link: 'https://egp.example/a' },
      { movement: 'invited', announced_date: '2026-11-10' },
    ])
    expect(detail.attachments.map(({ name, first_seen_at }) => [name, first_seen_at])).toEqual([
      ['ประกาศ.pdf', second],
      ['ร่าง TOR.pdf', first],
    ])
    expect(detail).toMatchObject({ first_seen_at: first, changed_at: second, data_time: second, source: 'test' })
  })

  test('bidders: all with prices, some without, contract winners only, none', async () => {
    const listed = async (id: string) => {
      const { bidders, bidder_coverage } = await open(id)
      return [bidder_coverage, ...bidders.map(({ name, price, is_winner }) => [name, price, is_winner])]
    }
    expect(await listed(BIDS)).toEqual([
      'full',
      ['บริษัท ก จำกัด', 900_000.5, true],
      ['บริษัท ข จำกัด', 910_000, false],
      ['บริษัท ค จำกัด', 950_000, false],
    ])
    expect(await listed(NAMES)).toEqual(['names', ['บริษัท ข จำกัด', 0.05, false], ['บริษัท ก จำกัด', null, false]])
    // Contracts with the same tax id have one winner however the name is spelled. A sum with an unknown part is
    // unknown.
    expect(await listed(DELIVERED)).toEqual(['winner', ['บริษัท ก. จำกัด', 90_000.5, true], ['บริษัท ข จำกัด', null, true]])
    expect(await listed(OPEN)).toEqual(['none'])
    expect((await open(DELIVERED)).contracts.map(({ contract_no, amount }) => [contract_no, amount])).toEqual([
      ['1/2569', 60_000.5],
      ['2/2569', 30_000],
      ['3/2569', null],
    ])
  })

  test('counts views within half an hour as one visit, and returns when the previous visit ended', async () => {
    const visitorId = await newUser(organisationId)
    const at = async (time: string) => {
      now = new Date(`2026-11-21T${time}:00Z`)
      return (await open(OPEN, await device(visitorId))).last_looked_at
    }
    expect(await at('02:00')).toBeNull()
    expect(await at('02:25')).toBeNull()
    expect(await at('02:50')).toBeNull()
    expect(await at('03:30')).toBe('2026-11-21T02:50:00.000Z')
    expect(await at('03:40')).toBe('2026-11-21T02:50:00.000Z')
    // Neither HEAD requests nor prefetches count as views, and they do not hide the start of a new visit.
    now = new Date('2026-11-21T06:00:00Z')
    const visitor = await device(visitorId)
    expect((await request(OPEN, 'HEAD', visitor)).statusCode).toBe(200)
    const ahead = await app.inject({ url: `/api/v2/projects/${OPEN}?ahead=true`, headers: visitor.headers })
    expect(ahead.json().last_looked_at).toBe('2026-11-21T03:40:00.000Z')
    expect(await at('06:05')).toBe('2026-11-21T03:40:00.000Z')
    expect((await open(HIDDEN, visitor)).last_looked_at).toBeNull()
  })

  test('two devices that open it at once start one visit', async () => {
    now = new Date('2026-12-01T02:00:00Z')
    await open(NAMES, await device(userId))
    now = new Date('2026-12-02T02:00:00Z')
    const devices = [await device(userId), await device(userId), await device(userId)]
    const visits = await Promise.all(devices.map((session) => open(NAMES, session)))
    expect(new Set(visits.map(({ last_looked_at }) => last_looked_at))).toEqual(new Set(['2026-12-01T02:00:00.000Z']))
  })

  test('deletes views after a year, and with their user', async () => {
    const count = async () => (await db.query<{ n: number }>(sql`select count(*) as n from project_views`))[0]!.n
    const before = await count()
    await db.execute(sql`
      insert into project_views (user_id, project_id, looked_at) values (${userId}::int, 'old', '2025-11-01'), (${userId}::int, 'younger', '2025-12-03')`)
    expect(await pruneProjectViews(db, new Date('2026-12-02T02:00:00Z'))).toBe(1)
    expect(await count()).toBe(before + 1)
    await db.execute(sql`delete from users where id = ${userId}::int`)
    expect(await db.query(sql`select 1 from project_views where user_id = ${userId}::int`)).toEqual([])
  })
})
