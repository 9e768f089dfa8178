import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MorningQueue, morningQueueSchema } from '#contract/report/morning-queue.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../../test/world/report-world.ts'

const PASSWORD = 'Tamngan#2569'
/** A Wednesday; the following Thursday and Friday are working days. */
const TODAY = '2026-11-18'

onEachEngineInTurn('the morning queue', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let owner: SignedIn
  let colleague: SignedIn
  let stranger: SignedIn
  let day = TODAY
  let load = 0

  let ownerEmail = ''

  const emailOf = async (on: OpenDb, organisationId: number): Promise<string> => {
    const id = await addUser(on, organisationId)
    const [user] = await on.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return user!.email
  }
  const account = async (organisationId: number) => signIn(app, await emailOf(db, organisationId), PASSWORD)
  /** Moves the clock to another day and signs in again, because sessions expire. */
  const goTo = async (next: string) => {
    day = next
    owner = await signIn(app, ownerEmail, PASSWORD)
  }
  const publish = async (projects: readonly Partial<ProjectInput>[]) => {
    load = await addLoad(db)
    await putProjects(db, load, projects)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  }
  const queue = async (query = '', user = owner): Promise<MorningQueue> => {
    const answer = await app.inject({ url: `/api/v2/projects/queue${query}`, headers: user.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return morningQueueSchema.parse(answer.json())
  }
  const idsOf = ({ sections }: MorningQueue) => Object.fromEntries(sections.map(({ kind, ids }) => [kind, ids]))
  const undecided = (answer: MorningQueue) =>
    answer.sections.flatMap(({ ids }) => ids.filter((id) => !answer.decided.includes(id)))
  const decide = async (ids: readonly string[], { who: user = owner, decided = true, of = load } = {}) => {
    const payload = { load_id: of, project_ids: ids, decided }
    return app.inject({ method: 'POST', url: '/api/v2/projects/queue/decisions', headers: user.headers, payload })
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => new Date(`${day}T02:00:00Z`) })
  })
  afterAll(() => app.close())

  beforeEach(async () => {
    await emptyTables(db, 'loads', 'projects', 'project_matches', 'queue_decisions')
    const organisation = await addOrganisation(db)
    ownerEmail = await emailOf(db, organisation)
    await goTo(TODAY)
    colleague = await account(organisation)
    stranger = await account(await addOrganisation(db))
    await publish([
      { id: '1', movementOn: '2026-11-01' },
      { id: '2', movementOn: '2026-11-02', submissionEndsOn: addDays(TODAY, 5) },
      { id: '3', movement: 'draft_published', movementOn: '2026-11-03', discussionEndsOn: addDays(TODAY, 2) },
      { id: '4', movementOn: '2026-11-04', submissionEndsOn: addDays(TODAY, 8) },
      { id: '5', movementOn: '2026-11-05', submissionEndsOn: addDays(TODAY, 7), discussionEndsOn: addDays(TODAY, 3) },
      { id: '6', movementOn: '2026-11-06', submissionEndsOn: addDays(TODAY, -1) },
      { id: '7', movementOn: '2026-11-07', submissionEndsOn: TODAY, status: 'project_cancelled' },
    ])
  })

  test('is empty, not an error, before the first load', async () => {
    const empty = await makeDb()
    const emptyApp = await appOn(empty)
    const { headers } = await signIn(emptyApp, await emailOf(empty, await addOrganisation(empty)), PASSWORD)
    const answer = (await emptyApp.inject({ url: '/api/v2/projects/queue', headers })).json()
    expect(answer).toMatchObject({ load_id: null, data_time: null, decided: [] })
    expect(answer.sections.map(({ total }: { total: number }) => total)).toEqual([0, 0, 0, 0])
    await emptyApp.close()
  })

  test('lists each project once in the first section that fits: new in report order, closing by date', async () => {
    expect(idsOf(await queue())).toEqual({
      new: ['7', '6', '5', '4', '3', '2', '1'],
      updated: [],
      closing: [],
      comment: [],
    })
    await publish([
      { id: '1', movementOn: '2026-11-10' },
      { id: '9', submissionEndsOn: addDays(TODAY, 6) },
    ])
    const answer = await queue()
    expect(answer.load_id).toBe(load)
    expect(idsOf(answer)).toEqual({ new: ['9'], updated: ['1'], closing: ['2', '5'], comment: ['3'] })
    expect(answer.sections.map(({ total }) => total)).toEqual([1, 1, 2, 1])
    expect(answer.sections.map(({ near }) => near)).toEqual([undefined, undefined, 3, 1])
  })

  test('applies filters like the report, and refuses an unreadable one', async () => {
    expect(undecided(await queue('?submission_end_date__range=@0,@7'))).toEqual(['7', '5', '2'])
    expect(undecided(await queue('?project_id__in=3||4&ordering=submission_end_date'))).toEqual(['4', '3'])
    expect(undecided(await queue('?is_archived=true'))).toEqual([])
    const refused = await app.inject({ url: '/api/v2/projects/queue?ordering=name', headers: owner.headers })
    expect(refused.statusCode).toBe(400)
  })

  test('a decision is idempotent and applies to all devices of this user, but to no other user', async () => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await decide(['7', '5', '7'])
      expect(answer.statusCode, answer.body).toBe(200)
      expect(answer.json()).toMatchObject({ load_id: load })
    }
    const ownQueue = await queue()
    expect(ownQueue.decided).toEqual(['7', '5'])
    expect(ownQueue.sections[0]).toMatchObject({ ids: ['7', '5', '6', '4', '3', '2', '1'], total: 7 })
    expect((await queue('', colleague)).decided).toEqual([])
    expect((await queue('', stranger)).decided).toEqual([])
    await decide(['5'], { decided: false })
    await decide(['5'], { decided: false })
    expect((await queue()).decided).toEqual(['7'])
  })

  test('undoing a decision keeps that of another user', async () => {
    await decide(['1'])
    await decide(['1'], { who: colleague })
    await decide(['1'], { who: colleague, decided: false })
    expect((await queue()).decided).toEqual(['1'])
  })

  test('the next load returns only projects that it made new or updated', async () => {
    await decide(['1', '2', '3', '4', '5', '6', '7'])
    await publish([{ id: '1', movementOn: '2026-11-10' }, { id: '9' }])
    expect(undecided(await queue())).toEqual(['9', '1'])
    await decide(['9', '1'])
    await publish([])
    expect(undecided(await queue())).toEqual([])
  })

  test('returns a decided project once its deadline is newly within seven days', async () => {
    await decide(['1', '2', '3', '4', '5', '6', '7'])
    await publish([])
    expect(undecided(await queue())).toEqual([])
    await goTo(addDays(TODAY, 1))
    // Project 3 closes tomorrow, so today is the last working day before it closes.
    expect(undecided(await queue())).toEqual(['4', '3'])
  })

  test('returns a project decided while closing once more, on the last working day before its date', async () => {
    // Bids for project 2 end on Wednesday the 25th, and the user decides about it on Thursday the 19th.
    await publish([])
    await goTo('2026-11-19')
    expect(undecided(await queue('?project_id__in=2'))).toEqual(['2'])
    await publish([{ id: '2', movementOn: '2026-11-10', submissionEndsOn: '2026-11-25' }])
    await decide(['2'])
    await publish([])
    for (const quiet of ['2026-11-19', '2026-11-20', '2026-11-23']) {
      await goTo(quiet)
      expect([quiet, idsOf(await queue('?project_id__in=2')).closing]).toEqual([quiet, []])
    }
    await goTo('2026-11-24')
    expect(undecided(await queue('?project_id__in=2'))).toEqual(['2'])
    await decide(['2'])
    expect(undecided(await queue('?project_id__in=2'))).toEqual([])
    await goTo('2026-11-25')
    expect(undecided(await queue('?project_id__in=2'))).toEqual([])
  })

  test('reminds on the Friday before a weekend, and on the Monday itself after an absence', async () => {
    const monday = '2026-11-23'
    await publish([{ id: '2', movementOn: '2026-11-10', submissionEndsOn: monday }])
    await decide(['2'])
    await publish([])
    await goTo('2026-11-19')
    expect(undecided(await queue('?project_id__in=2'))).toEqual([])
    for (const reminded of ['2026-11-20', monday]) {
      await goTo(reminded)
      expect(undecided(await queue('?project_id__in=2'))).toEqual(['2'])
    }
  })

  test('counts projects hidden during the queue as decided, and omits other hidden ones', async () => {
    const hide = (ids: string[]) =>
      app.inject({
        method: 'PATCH',
        url: '/api/v2/users/me',
        headers: owner.headers,
        payload: { hide_action: { action: 'add', project_ids: ids } },
      })
    await hide(['7', '6'])
    await decide(['7'])
    const answer = await queue()
    expect(answer.decided).toEqual(['7'])
    expect(answer.sections[0]).toMatchObject({ total: 6 })
    expect(undecided(answer)).not.toContain('6')
    expect(undecided(await queue('', colleague))).toContain('6')
  })

  test('R24: ids of another organisation, unknown ids and an unknown load change nothing and answer alike', async () => {
    await db.execute(sql`delete from project_matches where project_id = '3'`)
    await publish([])
    const answers = [await decide(['3']), await decide(['nobody']), await decide(['1'], { of: load + 1000 })]
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    const [row] = await db.query<{ count: number }>(sql`select count(*)::int as count from queue_decisions`)
    expect(row!.count).toBe(0)
  })

  test.each([
    {},
    { load_id: 1, project_ids: [], decided: true },
    { load_id: -1, project_ids: ['1'], decided: true },
    { load_id: 1, project_ids: ["1'"], decided: true },
    { load_id: 1, project_ids: Array.from({ length: 1001 }, (_, i) => String(i)), decided: true },
    { load_id: 1, project_ids: ['1'] },
  ])('refuses an invalid body: %j', async (payload) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v2/projects/queue/decisions/',
      headers: owner.headers,
      payload,
    })
    expect(answer.statusCode).toBe(400)
  })

  test('keeps decisions for thirty days', async () => {
    await decide(['1'])
    await goTo(addDays(TODAY, 31))
    await decide(['2'])
    const rows = await db.query(sql`select project_id from queue_decisions`)
    expect(rows).toEqual([{ project_id: '2' }])
  })

  test('a section larger than one answer lists its first undecided projects, then the rest once decided', async () => {
    await db.execute(sql`
      insert into projects
      select (jsonb_populate_record(p, jsonb_build_object('project_id', 'x' || lpad(n::text, 4, '0')))).*
      from projects p, generate_series(1, 600) n where p.project_id = '1'`)
    const next = await addLoad(db)
    await db.execute(sql`
      update projects set first_load = ${next}::bigint, changed_load = ${next}::bigint, written_load = ${next}::bigint where project_id like 'x%'`)
    await db.transaction((tx) => matchDataLoadProjects(tx, next))
    load = next
    const first = await queue()
    expect(first.sections[0]!.ids).toHaveLength(500)
    expect(first.sections[0]!.total).toBe(600)
    await decide(first.sections[0]!.ids)
    expect(undecided(await queue('?project_change_status__in=new'))).toHaveLength(100)
  })
})
