import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { userSchema } from '#contract/account/user.ts'
import { colleagueProjectViewsSchema } from '#contract/report/project-views.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const ONE = '67110000001'
const TWO = '67110000002'

onEachEngineInTurn('who looked at what', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn
  let stranger: SignedIn
  let now = new Date('2026-11-21T03:00:00Z')
  const pass = (minutes: number) => {
    now = new Date(now.getTime() + minutes * 60_000)
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: ONE, name: 'ซื้อกล้องวงจรปิด' },
      { id: TWO, name: 'ซื้อกล้องวงจรปิดพร้อมติดตั้ง' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => now })
  })
  beforeEach(async () => {
    await db.script('delete from project_views; update users set shares_looks_since = null, is_disabled = false')
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
    stranger = await signIn(app, 'manager@noensai.example')
  })
  afterAll(() => app.close())

  const call = (method: 'GET' | 'PATCH', path: string, caller: SignedIn, body?: object) =>
    app.inject({ method, url: `/api/v2${path}`, headers: caller.headers, ...(body ? { payload: body } : {}) })
  const share = async (caller: SignedIn, shares_looks: boolean) => {
    const answer = await call('PATCH', '/users/me', caller, { shares_looks })
    expect(answer.statusCode).toBe(200)
    expect(userSchema.parse(answer.json()).shares_looks).toBe(shares_looks)
    pass(1)
  }
  const openProject = async (caller: SignedIn, id = ONE) => {
    expect((await call('GET', `/projects/${id}`, caller)).statusCode).toBe(200)
    pass(1)
  }
  const seen = async (caller: SignedIn) => {
    const answer = await call('GET', `/project-looks?ids=${ONE},${TWO}`, caller)
    return colleagueProjectViewsSchema.parse(answer.json()).looks.map(({ project_id, name }) => `${project_id} ${name}`)
  }
  const inDatabase = async (caller: SignedIn) => {
    const { id } = userSchema.parse((await call('GET', '/users/me', caller)).json())
    const [user] = await db.query<{ organisation_id: number }>(
      sql`select organisation_id from users where id = ${id}::int`,
    )
    const tenant = { organisationId: user!.organisation_id, userId: Number(id) }
    const [row] = await runAsTenant(tenant, () =>
      db.query<{ count: number }>(sql`select count(*)::int as count from project_views where user_id <> ${id}::int`),
    )
    return row!.count
  }

  test('R25: users see each other’s views only after both have agreed', async () => {
    await openProject(seller)
    await openProject(boss)
    expect([await seen(boss), await seen(seller)]).toEqual([[], []])
    await share(seller, true)
    await openProject(seller)
    // Users who do not share their views do not see the views of those who do, and the other way round.
    await openProject(boss, TWO)
    expect([await seen(boss), await seen(seller)]).toEqual([[], []])
    expect([await inDatabase(boss), await inDatabase(seller)]).toEqual([0, 0])
    await share(boss, true)
    expect(await seen(boss)).toEqual([expect.stringContaining(ONE)])
    // Views from before the user started to share them stay private.
    expect(await seen(seller)).toEqual([])
    expect(await inDatabase(seller)).toBe(0)
    await openProject(boss, TWO)
    expect(await seen(seller)).toHaveLength(1)
    expect([await inDatabase(boss), await inDatabase(seller)]).toEqual([1, 1])
  })

  test('withdrawing hides both sides at once; agreeing again starts from then', async () => {
    await share(boss, true)
    await share(seller, true)
    await openProject(seller)
    await openProject(boss)
    expect([(await seen(boss)).length, (await seen(seller)).length]).toEqual([1, 1])
    await share(seller, true)
    expect(await seen(boss)).toHaveLength(1)
    await share(seller, false)
    expect([await seen(boss), await seen(seller)]).toEqual([[], []])
    expect([await inDatabase(boss), await inDatabase(seller)]).toEqual([0, 0])
    await share(seller, true)
    expect(await seen(boss)).toEqual([])
    expect(await seen(seller)).toHaveLength(1)
    await openProject(seller)
    expect(await seen(boss)).toHaveLength(1)
  })

  test('never includes other organisations or closed accounts', async () => {
    await share(boss, true)
    await share(seller, true)
    await share(stranger, true)
    await openProject(seller)
    await db.script(
      `insert into project_views select id, '${ONE}', '2026-12-01' from users where email_key = 'manager@noensai.example'`,
    )
    expect(await seen(stranger)).toEqual([])
    expect(await inDatabase(stranger)).toBe(0)
    expect(await seen(boss)).toHaveLength(1)
    expect(await inDatabase(boss)).toBe(1)
    await db.script(`update users set is_disabled = true where email_key = 'sales@tharamek.example'`)
    expect(await seen(boss)).toEqual([])
  })

  test('refuses an invalid list of project ids', async () => {
    const answer = await call('GET', '/project-looks?ids=x,,y', boss)
    expect(answer.statusCode).toBe(400)
  })
})
