import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { morningQueueSchema } from '#contract/report/morning-queue.ts'
import { type ReportPageResponse, reportPageSchema } from '#contract/report/report.ts'
import { saveQualifications } from '#server/account/qualification/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { putCompanies, putProjectFacts } from '../../../test/comparison-facts.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import type { SignedIn } from '../../../test/server/http-app.ts'
import { type ComparisonApp, comparisonApp } from '../../../test/world/comparison-world.ts'
import { addLoad, addUser, putProjects } from '../../../test/world/report-world.ts'
import { rankByFit } from './rank-by-fit.ts'

const FIRM_TIN = '0105550000015'
const CAMERA = '69020000001'
const ROAD = '69020000002'
const LIGHT = '69020000003'
const DRAFT = '69020000004'

onEachEngineInTurn('the order by fit', (makeDb) => {
  let db: OpenDb
  let on: ComparisonApp
  let user: SignedIn
  let organisationId: number
  let userId: number

  beforeAll(async () => {
    db = await makeDb()
    on = await comparisonApp(db)
    const ids = await putCompanies(db, [{ name: 'บริษัท กล้องดี จำกัด', taxId: FIRM_TIN }])
    const load = await putProjectFacts(
      db,
      ids,
      [1, 2, 3].map((index) => ({
        id: `6901000000${index}`,
        name: `ซื้อกล้องวงจรปิด จุดที่ ${index}`,
        dept: 'กรมชลประทาน',
        province: 50,
        coverage: 2 as const,
        decided: `2026-0${index + 1}-10`,
        parts: [{ company: FIRM_TIN, bid: 900_000, value: 900_000, won: true }],
      })),
    )
    await putProjects(db, load, [
      { id: ROAD, name: 'จ้างก่อสร้างถนน', province: 90, movementOn: '2026-11-19', submissionEndsOn: '2026-11-25' },
      {
        id: LIGHT,
        name: 'จ้างซ่อมไฟส่องสว่าง',
        province: 50,
        movementOn: '2026-11-18',
        submissionEndsOn: '2026-12-09',
      },
      {
        id: CAMERA,
        name: 'ซื้อกล้องวงจรปิดพร้อมติดตั้ง',
        dept: 'กรมชลประทาน',
        unit: 'กรมชลประทาน',
        province: 50,
        movementOn: '2026-11-10',
        submissionEndsOn: '2026-12-08',
      },
      { id: DRAFT, name: 'ซื้อกล้องวงจรปิดโรงเรียน', movement: 'draft_published', province: 50, movementOn: '2026-11-12' },
    ])
  })
  afterAll(() => on.app.close())

  beforeEach(async () => {
    user = await on.member(['กล้อง', 'ถนน', 'ไฟ'])
    const [row] = await db.query<{ id: number; organisation_id: number }>(
      sql`select id, organisation_id from users order by id desc limit 1`,
    )
    userId = row!.id
    organisationId = row!.organisation_id
    const [{ load } = { load: 0 }] = await db.query<{ load: number }>(sql`select max(id) as load from loads`)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  const pageOf = async (query: string): Promise<ReportPageResponse> => {
    const answer = await on.app.inject({ url: `/api/v2/projects?${query}`, headers: user.headers })
    expect(answer.statusCode, answer.body).toBe(200)
    return reportPageSchema.parse(answer.json())
  }
  const idsOf = ({ results }: ReportPageResponse) => results.map(({ project_id }) => project_id)
  const mark = (table: 'bookmarks' | 'hidden_projects', ...ids: readonly string[]) =>
    Promise.all(
      ids.map((id) =>
        db.execute(
          table === 'bookmarks'
            ? sql`insert into bookmarks (user_id, project_id) values (${userId}::int, ${id})`
            : sql`insert into hidden_projects (user_id, project_id) values (${userId}::int, ${id})`,
        ),
      ),
    )

  test('learns from the wins of the company, and orders what is open or upcoming before everything else', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    const page = await pageOf('ordering=fit')
    expect(page.fit).toMatchObject({ won: 3, bid: 0, starred: 0, has_company: true, is_ready: true, scored: 4 })
    expect(idsOf(page).slice(0, 2)).toEqual([CAMERA, DRAFT])
    expect(idsOf(page).slice(4)).toEqual(['69010000001', '69010000002', '69010000003'])
    const [camera] = page.results
    expect(camera!.fit!.reasons).toContainEqual({
      kind: 'agency',
      agency: 'กรมชลประทาน',
      counts: { won: 3, bid: 0, starred: 0 },
    })
    expect(page.results.map(({ fit }) => fit !== undefined)).toEqual([true, true, true, true, false, false, false])
    expect((await pageOf('')).fit).toBeUndefined()
  })

  test('hides nothing', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    expect(idsOf(await pageOf('ordering=fit')).toSorted()).toEqual(idsOf(await pageOf('')).toSorted())
  })

  test('orders the morning queue', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    const answer = await on.app.inject({ url: '/api/v2/projects/queue?ordering=fit', headers: user.headers })
    const { sections } = morningQueueSchema.parse(answer.json())
    expect(sections[0]!.ids.slice(0, 2)).toEqual([CAMERA, DRAFT])
  })

  test('without enough evidence states what there is and orders by deadline', async () => {
    await mark('bookmarks', CAMERA, LIGHT)
    const page = await pageOf('ordering=fit')
    expect(page.fit).toMatchObject({ won: 0, starred: 2, has_company: false, is_ready: false, scored: 0 })
    expect(idsOf(page).slice(0, 3)).toEqual([ROAD, CAMERA, LIGHT])
    expect(page.results.every(({ fit }) => fit === undefined)).toBe(true)
  })

  test('a new star changes the order at once, and a colleague cannot infer it', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    const before = await pageOf('ordering=fit')
    await mark('bookmarks', ROAD)
    const after = await pageOf('ordering=fit')
    const scoreOf = (page: ReportPageResponse) => page.results.find(({ project_id }) => project_id === ROAD)!.fit!.score
    expect(scoreOf(after)).toBeGreaterThan(scoreOf(before))
    const colleague = { organisationId, userId: await addUser(db, organisationId), today: '2026-11-21' }
    const { evidence, scores } = await rankByFit(db, colleague)
    expect(evidence).toEqual(before.fit)
    expect(Math.round(scores!.get(ROAD)! / 100)).toBe(scoreOf(before))
  })

  test('projects of an older version in memory do not replace those of the database', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    const scope = { organisationId, userId, today: '2026-11-21' }
    const older = await rankByFit(db, scope, { version: 'older', find: () => [ROAD] })
    expect(older.evidence.scored).toBe(1)
    expect((await rankByFit(db, scope)).evidence.scored).toBe(4)
  })

  test('what the user hid lowers similar projects', async () => {
    await saveQualifications(db, organisationId, { tax_id: FIRM_TIN })
    const lightOf = (page: ReportPageResponse) =>
      page.results.find(({ project_id }) => project_id === LIGHT)!.fit!.score
    const before = lightOf(await pageOf('ordering=fit'))
    await mark('hidden_projects', LIGHT)
    const page = await pageOf('ordering=fit&project_hidden=true')
    expect(lightOf(page)).toBeLessThan(before)
    expect(page.fit).toMatchObject({ hidden: 1 })
  })

  test('wins at a local government do not count for one of the same name in another province', async () => {
    const body = (id: string, deptProvince: number | null, input: object = {}) => ({
      id,
      name: 'จ้างซ่อมไฟส่องสว่าง',
      dept: 'องค์การบริหารส่วนตำบลดู่',
      unit: 'องค์การบริหารส่วนตำบลดู่',
      deptProvince,
      province: null,
      budget: null,
      movementOn: '2026-11-18',
      submissionEndsOn: '2026-12-09',
      ...input,
    })
    // Only one body has this name, so a project without a province is that body's.
    const single = { dept: 'องค์การบริหารส่วนตำบลเดียว', unit: 'องค์การบริหารส่วนตำบลเดียว' }
    const load = await addLoad(db)
    const stars = ['69020000011', '69020000012', '69020000013', '69020000014']
    await putProjects(db, load, [
      ...stars.map((id, at) => body(id, 55, { submissionEndsOn: '2026-11-01', ...(at > 1 ? single : {}) })),
      body('69020000021', 55),
      body('69020000022', 32),
      body('69020000023', null, single),
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await mark('bookmarks', ...stars)
    const { explain } = await rankByFit(db, { organisationId, userId, today: '2026-11-21' })
    const agenciesOf = (id: string) =>
      explain(id)!.reasons.flatMap((reason) => (reason.kind === 'agency' ? [reason.agency] : []))
    expect(agenciesOf('69020000021')).toEqual(['องค์การบริหารส่วนตำบลดู่ จ.น่าน'])
    expect(agenciesOf('69020000022')).toEqual([])
    expect(agenciesOf('69020000023')).toEqual(['องค์การบริหารส่วนตำบลเดียว'])
  })

  test('only the order itself is valid, not its reverse', async () => {
    const answer = await on.app.inject({ url: '/api/v2/projects?ordering=-fit', headers: user.headers })
    expect(answer.statusCode).toBe(400)
  })
})
