import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createListFeedSource, createTestFeedRecord } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { retireDemoData } from '#server/jobs/load/retire-demo-data.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runInDemoSchema } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { setConfig, setWords } from '../../../test/world/report-world.ts'

const TODAY = '2026-11-21'
const [MADE_UP, REAL, REAL_TOO] = ['68110000001', '68110000002', '68110000003']
const CANARY = 'ของจริง'
const SHARED = 'บริษัท สองแหล่ง จำกัด'
const REAL_WINNER = `บริษัท ${CANARY} จำกัด`

const decided = (projectId: string, name: string, winnerName: string): FeedRecord =>
  createTestFeedRecord({
    projectId,
    name: `ซื้อกล้องวงจรปิดพร้อมติดตั้งสำหรับอาคารสำนักงานและลานจอดรถ ${name}`,
    estimateSatang: 1_100_000,
    methodType: 'buy',
    contracts: [{ contractNo: '1', winnerName, amountSatang: 1_000_000, signedOn: '2026-07-01' }],
    bidders: [
      { name: winnerName, priceSatang: 1_000_000, isWinner: true },
      { name: SHARED, priceSatang: 1_050_000, isWinner: winnerName === SHARED },
    ].filter((bidder, index, all) => all.findIndex(({ name: otherName }) => otherName === bidder.name) === index),
  })

onEachEngineInTurn('the demo shows only the demo data, whatever is loaded after its retirement', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let demo: SignedIn
  let customer: SignedIn
  const demoId = async () =>
    (await db.query<{ id: number }>(sql`select id from organisations where code = 'demo'`))[0]!.id

  const load = (name: string, records: readonly FeedRecord[]) =>
    withDataLoadLease(db, (lease) => {
      const source: FeedSource = { ...createListFeedSource(records), name }
      return runDataLoad(db, lease, source, { origin: name, fingerprint: `${name}:1`, today: TODAY })
    })
  const get = async (user: SignedIn, url: string) => {
    const answer = await app.inject({ url: `/api/v2${url}`, headers: user.headers })
    return { status: answer.statusCode, body: answer.body }
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    for (const { id } of await db.query<{ id: number }>(
      sql`select id from organisations where code in ('demo', 'tharamek')`,
    )) {
      await setWords(db, id, { include: ['กล้อง'] })
      await setConfig(db, id, {})
    }
    await load('sample', [decided(MADE_UP, 'ตัวอย่าง', SHARED)])
    await retireDemoData(db)
    await load('cgd', [decided(REAL, CANARY, REAL_WINNER), decided(REAL_TOO, CANARY, SHARED)])
    app = await appOn(db, { now: () => new Date(`${TODAY}T05:00:00Z`) })
    demo = await enterDemo(app)
    customer = await signIn(app, 'manager@tharamek.example')
  })
  afterAll(() => app.close())

  const name = encodeURIComponent
  test.each([
    ['the report', '/projects'],
    ['its search', `/projects?project_name__in=${name(CANARY)}`],
    ['a project by its address', `/projects/${REAL}`],
    ['runs of the same purchase', `/projects/${MADE_UP}/linked`, `/projects/${REAL}/linked`],
    ['why a project is missing', `/projects/${REAL}/why`],
    ['the companies', '/companies'],
    ['a company of both', `/companies/${name(SHARED)}/projects`],
    ['a company by its address', `/companies/${name(REAL_WINNER)}`],
    ['names of companies', `/company-suggestions?q=${name(CANARY)}`],
    ['those who won lately', '/company-winners'],
    ['those likely to bid', `/company-comparison/likely/${MADE_UP}`, `/company-comparison/likely/${REAL}`],
    ['a comparison', `/company-comparison?project_winner_name__in=${name(SHARED)}`],
  ])('%s shows no real data', async (_what, url, customerUrl = url) => {
    // The response may echo names from the request URL.
    const foreignNames = (body: string) =>
      [CANARY, REAL, REAL_TOO].filter((canary) => !url.includes(canary) && body.includes(canary))
    const [demoAnswer, customerAnswer] = [await get(demo, url), await get(customer, customerUrl)]
    // A customer must see the data, otherwise its absence in the demo proves nothing.
    expect([customerAnswer.status, foreignNames(customerAnswer.body).length > 0]).toEqual([200, true])
    if (demoAnswer.status === 404) expect(demoAnswer.body).toBe((await get(demo, '/projects/68119999999')).body)
    else expect([demoAnswer.status, foreignNames(demoAnswer.body)]).toEqual([200, []])
  })

  test('figures count demo data only', async () => {
    const figure = async (user: SignedIn, url: string, read: (body: never) => unknown) =>
      read(JSON.parse((await get(user, url)).body) as never)
    const wins = (body: { results: { name: string; wins: number }[] }) =>
      body.results.find((company) => company.name === SHARED)?.wins
    const total = (body: { total_project?: number; total?: number }) => body.total_project ?? body.total
    for (const [url, read, ofDemo, ofCustomer] of [
      ['/companies', wins, 1, 1],
      ['/companies', total, 1, 2],
      [`/company-suggestions?q=${name('สองแหล่ง')}`, wins, 1, 1],
    ] as const) {
      expect(await figure(demo, url, read)).toBe(ofDemo)
      expect(await figure(customer, url, read)).toBe(ofCustomer)
    }
    const stats = async (user: SignedIn) => {
      const payload = { add: { include: ['วงจรปิด'] } }
      const answer = await app.inject({
        method: 'POST',
        url: '/api/v2/organisations/me/keywords/preview',
        headers: user.headers,
        payload,
      })
      return (answer.json() as { after_samples: unknown[] }).after_samples.length
    }
    expect([await stats(demo), await stats(customer)]).toEqual([1, 2])
  })

  test('changing the lists, rematching everything and the next load add no real project', async () => {
    const matched = async () =>
      (
        await db.query<{ id: string }>(sql`
        select project_id as id from project_matches where organisation_id = ${await demoId()}::int`)
      ).map(({ id }) => id)
    expect(await matched()).toEqual([MADE_UP])
    await db.execute(sql`delete from project_matches where organisation_id = ${await demoId()}::int`)
    const match = async (changes: Parameters<typeof rematchProjectsAfterRuleChange>[2]) =>
      runInDemoSchema(async () => rematchProjectsAfterRuleChange(db, await demoId(), changes))
    await match({ expressions: ['กล้อง'] })
    expect(await matched()).toEqual([MADE_UP])
    await match({ projects: [REAL] })
    await match({ all: true })
    await load('cgd2', [{ ...decided(REAL, CANARY, REAL_WINNER), budgetSatang: 900_000 }])
    expect(await matched()).toEqual([MADE_UP])
  })
})
