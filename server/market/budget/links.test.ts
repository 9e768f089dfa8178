import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type BudgetDetail,
  type BudgetPageResponse,
  budgetDetailSchema,
  budgetPageSchema,
} from '#contract/market/budget.ts'
import { refreshBudget } from '#server/jobs/intake/refresh-budget.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  addBudgetOrganisation,
  BUDGET_PASSWORD,
  putBudget,
  putBudgetProjects,
} from '../../../test/world/budget-world.ts'
import { setWords } from '../../../test/world/report-world.ts'
import { recountBudgetYear } from './budget-summary-queries.ts'

const CAMERA = 'กล้องโทรทัศน์วงจรปิด ชนิดเครือข่าย จำนวน 20 ตัว โรงพยาบาลบางไผ่'
const ROAD = 'ก่อสร้างถนนคอนกรีตเสริมเหล็ก บ้านหนองบัว หมู่ที่ 4 ตำบลดอนแก้ว'
const DEPT = { dept: 'กรมตัวอย่าง', unit: 'โรงพยาบาลบางไผ่', deptProvince: 12, province: 12 }
const camera = (input: object = {}) => ({
  ...DEPT,
  id: '70000000001',
  name: `ประกวดราคาซื้อ${CAMERA} ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)`,
  budget: 100_000_000,
  movement: 'invited',
  invitedOn: '2026-11-02',
  ...input,
})

onEachEngineInTurn('items, words and projects', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let ownerAccount: { organisationId: number; userId: number; email: string }
  let owner: SignedIn
  let stranger: SignedIn
  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await emptyTables(
      db,
      'organisations',
      'departments',
      'loads',
      'projects',
      'project_matches',
      'budget_items',
      'budget_totals',
      'budget_loads',
      'budget_years',
    )
    ownerAccount = await addBudgetOrganisation(db, {}, { words: { include: ['กล้อง'], exclude: ['ซ่อม'] } })
    owner = await signIn(app, ownerAccount.email, BUDGET_PASSWORD)
    const strangerAccount = await addBudgetOrganisation(db, {}, { words: { include: ['ถนน'] } })
    stranger = await signIn(app, strangerAccount.email, BUDGET_PASSWORD)
    await putBudget(db, 2570, [
      { sourceId: '1', description: CAMERA },
      { sourceId: '2', description: ROAD, amountSatang: 500_000_000 },
      { sourceId: '3', description: 'ซ่อมกล้องถ่ายภาพใต้น้ำ' },
    ])
  })

  const list = async (query = '', user = owner): Promise<BudgetPageResponse> => {
    const answer = await app.inject({ url: encodeURI(`/api/v2/budgets?year=2570${query}`), headers: user.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return budgetPageSchema.parse(answer.json())
  }
  const itemOf = async (sourceId: string, user = owner) =>
    (await list('&scope=all', user)).results.find(({ item_id }) => item_id === sourceId)!
  const detail = async (sourceId: string, user = owner): Promise<BudgetDetail> => {
    const { id } = await itemOf(sourceId, user)
    const answer = await app.inject({ url: `/api/v2/budgets/${id}`, headers: user.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return budgetDetailSchema.parse(answer.json())
  }
  const decide = async (sourceId: string, projectId: string, decision: string | null, user = owner) => {
    const { id } = await itemOf(sourceId)
    const url = `/api/v2/budgets/${id}/links/${projectId}`
    return app.inject({ method: 'POST', url, headers: user.headers, payload: { decision } })
  }
  const ids = ({ results }: BudgetPageResponse) => results.map(({ item_id }) => item_id).sort()

  test('list words match items as they match projects; an exclusion removes its item and is named', async () => {
    await refreshBudget(db)
    expect(ids(await list())).toEqual(['1'])
    expect(ids(await list('', stranger))).toEqual(['2'])
    expect(await itemOf('3')).toMatchObject({ matched_words: ['กล้อง'], excluded_by: 'ซ่อม' })
    expect(await itemOf('1', stranger)).toMatchObject({ matched_words: [], excluded_by: null })
  })

  test('a listed department matches items of its unit, subject to switches and approvals', async () => {
    await setWords(db, ownerAccount.organisationId, { deptsub_include: ['กรมตัวอย่าง'], include: ['?ถนน'] })
    await db.execute(
      sql`update organisations set rules_version = rules_version + 1 where id = ${ownerAccount.organisationId}::int`,
    )
    await refreshBudget(db)
    expect(ids(await list())).toEqual(['1', '2', '3'])
    await db.execute(sql`
      update organisations set rules_version = rules_version + 1, customer_config = customer_config || '{"search_by_deptsub": false}'
      where id = ${ownerAccount.organisationId}::int`)
    await refreshBudget(db)
    expect(ids(await list())).toEqual([])
  })

  test('matches follow words and items, and an unchanged year is not matched again', async () => {
    await refreshBudget(db)
    const run = () =>
      db.query(
        sql`select fiscal_year, rules_version, load_id, matched_at from budget_match_runs order by organisation_id`,
      )
    const first = await run()
    await refreshBudget(db)
    expect(await run()).toEqual(first)
    await putBudget(db, 2570, [{ sourceId: '9', description: 'กล้องส่องทางไกล' }])
    await refreshBudget(db)
    expect(ids(await list())).toEqual(['9'])
  })

  test('links a project of the same unit, name, amount and year as certain, and sets the state of the item', async () => {
    await putBudgetProjects(db, 2570, [
      camera(),
      { ...DEPT, id: '70000000002', name: 'ซื้อเตียงผู้ป่วย', budget: 100_000_000 },
    ])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'invited', links: 1, guesses: 0 })
    const { links } = await detail('1')
    expect(links).toMatchObject([{ project_id: '70000000001', state: 'invited', decision: null, in_report: false }])
    expect(links[0]!.confidence).toBeGreaterThan(0.9)
    expect(links[0]!.reasons).toContain('วงเงินเท่ากัน')
  })

  test('the same goods for another hospital, department or year give no certain link', async () => {
    const elsewhere = CAMERA.replace('บางไผ่', 'ดอนหวาย')
    await putBudgetProjects(db, 2570, [
      camera({ id: '1', name: `ซื้อ${elsewhere}`, unit: 'โรงพยาบาลดอนหวาย' }),
      camera({ id: '2', dept: 'กรมอื่น', unit: 'กองคลัง' }),
    ])
    await putBudgetProjects(db, 2568, [camera({ id: '4' })])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'none', links: 0 })
  })

  const TOWN = 'เทศบาลเมืองดู่'
  const ofTown = (id: string, deptProvince: number | null, input: object = {}) =>
    camera({ id, dept: TOWN, unit: TOWN, deptProvince, province: null, ...input })

  test('an item that states its province is not linked to a body of the same name in another one', async () => {
    await putBudget(db, 2570, [{ sourceId: '1', unit: TOWN, description: `${CAMERA} จังหวัดน่าน` }])
    await putBudgetProjects(db, 2570, [ofTown('1', 55), ofTown('2', 32)])
    await refreshBudget(db)
    expect((await detail('1')).links.map(({ project_id }) => project_id)).toEqual(['1'])
    expect(await itemOf('1')).toMatchObject({ state: 'invited', links: 1 })
  })

  test('a link turns into a guess when a body of the same name buys in another province', async () => {
    await putBudget(db, 2570, [{ sourceId: '1', unit: TOWN, description: CAMERA }])
    await putBudgetProjects(db, 2570, [ofTown('1', 55)])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'invited', links: 1, guesses: 0 })
    await putBudgetProjects(db, 2570, [ofTown('2', 32, { name: 'ซื้อเตียงผู้ป่วย' })])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'none', links: 0, guesses: 1 })
    expect((await detail('1')).links[0]!.reasons).toContain('หน่วยงานชื่อเดียวกัน')
  })

  test('a department is one buyer in every province', async () => {
    await putBudgetProjects(db, 2570, [camera({ id: '1', deptProvince: 55 }), camera({ id: '2', deptProvince: 32 })])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'invited', links: 2, guesses: 0 })
  })

  test('links follow the changes of a load, and an interrupted run ends with the same result', async () => {
    await putBudgetProjects(db, 2570, [camera()])
    await refreshBudget(db)
    await putBudgetProjects(db, 2570, [
      camera({
        status: 'contract_created',
        movement: 'contract_created',
        winner: 'บริษัท ก จำกัด',
        winning: 90_000_000,
        estimate: 95_000_000,
      }),
    ])
    await expect(refreshBudget(db, { signal: AbortSignal.abort() })).rejects.toThrow()
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'awarded', links: 1 })
    await putBudgetProjects(db, 2570, [camera({ name: 'ซื้อยารักษาโรค', status: 'in_progress' })])
    await refreshBudget(db)
    expect(await itemOf('1')).toMatchObject({ state: 'none', links: 0 })
    expect((await detail('1')).links).toEqual([])
  })

  test('incremental links equal links rebuilt from scratch', async () => {
    const storedLinks = () =>
      db.query(sql`
        select t.source_id, l.project_id, l.confidence, l.state as link_state, i.state, i.links, i.guesses
        from budget_items i join budget_item_texts t on t.item_id = i.id left join budget_links l on l.item_id = i.id order by 1, 2`)
    await refreshBudget(db)
    await putBudgetProjects(db, 2570, [camera(), camera({ id: '5', name: `ซื้อ${CAMERA}`, budget: 60_000_000 })])
    await refreshBudget(db)
    await putBudget(db, 2570, [
      { sourceId: '1', description: CAMERA, amountSatang: 61_000_000 },
      { sourceId: '2', description: ROAD },
    ])
    await putBudgetProjects(db, 2570, [
      { ...DEPT, id: '6', name: `จ้าง${ROAD}`, unit: 'กองช่าง', status: 'project_cancelled' },
    ])
    await refreshBudget(db)
    const before = await storedLinks()
    const totals = () =>
      db.query(
        sql`select * from budget_totals where n <> 0 order by fiscal_year, ministry, unit, plan, project, category, state`,
      )
    const counted = await db.query(sql`
      select fiscal_year, ministry, unit, plan, project, category, state, count(*)::int as n, count(amount_satang)::int as known,
        coalesce(sum(amount_satang), 0)::bigint as satang
      from budget_items group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`)
    expect(await totals()).toEqual(counted)
    await db.script('delete from budget_links')
    await db.script('update budget_items set state = 0, links = 0, guesses = 0')
    await db.transaction((tx) => recountBudgetYear(tx, 2570))
    await db.script('update budget_loads set is_linked = false')
    await refreshBudget(db)
    expect(await storedLinks()).toEqual(before)
    expect(await totals()).toEqual(counted)
    expect(before).toContainEqual(expect.objectContaining({ source_id: '2', state: 1 }))
  })

  test('rejected never counts, confirmed always counts, null resets; each writes one audit row', async () => {
    await putBudgetProjects(db, 2570, [
      camera(),
      camera({ id: '5', name: `ซื้อ${CAMERA}`, budget: 30_000_000, invitedOn: null, movement: 'draft_published' }),
    ])
    await refreshBudget(db)
    const links = (await detail('1')).links.map(({ project_id, confidence }) => [project_id, confidence] as const)
    const guess = links.find(([, confidence]) => confidence < 0.7)![0]
    expect((await decide('1', '70000000001', 'rejected')).json()).toMatchObject({ item: { state: 'none', links: 0 } })
    const confirmed = await decide('1', guess, 'confirmed')
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    expect(confirmed.json()).toMatchObject({ item: { state: 'draft', links: 1, guesses: 0 } })
    expect(confirmed.json().links[0]).toMatchObject({ project_id: guess, decision: 'confirmed', decided_by: 'มานี' })
    await decide('1', guess, 'confirmed')
    expect((await decide('1', '70000000001', null)).json()).toMatchObject({ item: { state: 'invited', links: 2 } })
    const trail = await db.query<{ detail: { decision: string | null } }>(
      sql`select detail from audit_events where kind = 'budget_link_decided' order by id`,
    )
    expect(trail.map(({ detail }) => detail.decision)).toEqual(['rejected', 'confirmed', null])
  })

  test('the demo reads links and cannot decide', async () => {
    await putBudgetProjects(db, 2570, [camera()])
    await refreshBudget(db)
    await db.execute(sql`update sessions set is_demo = true where user_id = ${ownerAccount.userId}::int`)
    expect((await detail('1')).links).toHaveLength(1)
    const answer = await decide('1', '70000000001', 'rejected')
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'demo_read_only'])
    expect(await itemOf('1')).toMatchObject({ state: 'invited', links: 1 })
  })

  test('decisions and words of one organisation change no byte for another', async () => {
    await putBudgetProjects(db, 2570, [camera()])
    await refreshBudget(db)
    const { id } = await itemOf('1')
    const urls = [`/budgets/${id}`, '/budgets?scope=all', '/budgets/summary?scope=all', '/budgets']
    const answers = async () =>
      Promise.all(urls.map(async (url) => (await app.inject({ url: `/api/v2${url}`, headers: stranger.headers })).body))
    const before = await answers()
    await decide('1', '70000000001', 'rejected')
    expect(await answers()).toEqual(before)
    // Without evidence, the link is visible only to the organisation that made the decision.
    await putBudgetProjects(db, 2570, [camera({ name: 'ซื้อยารักษาโรค' })])
    await refreshBudget(db)
    expect((await detail('1')).links).toMatchObject([{ decision: 'rejected', confidence: 0 }])
    expect((await detail('1', stranger)).links).toEqual([])
    expect((await decide('1', '70000000001', 'confirmed', stranger)).statusCode).toBe(404)
  })

  test('decisions survive a new file of the year; an unknown project or item is 404', async () => {
    await putBudgetProjects(db, 2570, [camera()])
    await refreshBudget(db)
    await decide('1', '70000000001', 'rejected')
    await putBudget(db, 2570, [{ sourceId: 'x', description: CAMERA, amountSatang: 99_000_000 }])
    await refreshBudget(db)
    expect(await itemOf('x')).toMatchObject({ state: 'none', links: 0 })
    const { id } = await itemOf('x')
    for (const url of [`/budgets/${id}/links/nobody`, '/budgets/999999/links/70000000001', '/budgets/x/links/1']) {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v2${url}`,
        headers: owner.headers,
        payload: { decision: 'confirmed' },
      })
      expect(answer.statusCode).toBe(404)
    }
  })

  test('lists the same item in other years, even when paid over several', async () => {
    await putBudget(db, 2569, [
      { sourceId: '8', description: `${CAMERA} วงเงินทั้งสิ้น 5,000,000 บาท ปี 2569 ตั้งงบประมาณ 1,000,000 บาท` },
    ])
    expect((await detail('1')).other_years).toMatchObject([{ fiscal_year: 2569, amount: 1_000_000 }])
  })
})
