import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createNextDemoDataLoadStep } from '#sample/sample-days.ts'
import { finishDatabaseSeed, seedRecentDataWhenEmpty } from '#sample/seed-when-empty.ts'
import { hasDemoData } from '#server/catalogue/feed/demo-source.ts'
import { createListFeedSource, createTestFeedRecord } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { importDataFile } from '#server/jobs/intake/import-data-file.ts'
import { replaceBudgetYear } from '#server/market/budget/replace-budget-year.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runInDemoSchema } from '#server/platform/engine/tenant.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { MATRIX } from '../../../test/authorisation-matrix/matrix.ts'
import { runDue } from '../../../test/jobs.ts'
import { readZip } from '../../../test/read-zip.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { setWords } from '../../../test/world/report-world.ts'
import { refreshBudget } from '../intake/refresh-budget.ts'
import { projectMatchJob } from '../match-job.ts'
import { runNightlyLoad } from './nightly-load.ts'
import { ensureRealDataAllowed, retireDemoData, runDemoDataRetirement } from './retire-demo-data.ts'
import { runDataLoad, withDataLoadLease } from './run-load.ts'

const TODAY = '2026-11-21'
const now = () => new Date(`${TODAY}T05:00:00Z`)

/**
 * Two data sets, each with a marker in all of its texts. A company that occurs in both has the same tax id and name
 * there.
 */
const SAMPLE = { mark: 'ลิงแสม', source: 'sample', projects: ['68118000001', '68118000002'], tin: '0105500000011' }
const REAL = { mark: 'ช้างป่า', source: 'cgd', projects: ['68117000001', '68117000002'], tin: '0105500000029' }
type World = typeof SAMPLE
const BOTH = 'บริษัท สองโลก จำกัด'

function recordsOf({ mark, projects, tin }: World): FeedRecord[] {
  return projects.map((projectId, at) =>
    createTestFeedRecord({
      projectId,
      name: `ซื้อกล้องวงจรปิดพร้อมติดตั้งสำหรับอาคารสำนักงาน ${mark}`,
      deptName: `เทศบาลตำบล${mark}`,
      deptSubName: `กองช่าง${mark}`,
      budgetSatang: 1_200_000,
      estimateSatang: 1_100_000,
      methodType: 'buy',
      contracts: [
        {
          contractNo: '1',
          winnerName: `บริษัท ${mark} จำกัด`,
          winnerTin: tin,
          amountSatang: 1_000_000,
          signedOn: '2026-07-01',
          endsOn: '2027-01-01',
        },
      ],
      bidders: [
        { name: `บริษัท ${mark} จำกัด`, tin, priceSatang: 1_000_000, isWinner: true },
        { name: BOTH, tin: '0105500000037', priceSatang: 1_050_000 + at, isWinner: false },
      ],
    }),
  )
}

/** Each walk calls every read route; 23 s for the longest beside one other process. */
const WALK_MS = 120_000
const SHOWING = [
  'budgets',
  'companies',
  'company-comparison',
  'company-files',
  'company-suggestions',
  'company-winners',
  'contract-ends',
  'departments',
  'projects',
  'pursuits',
  'users',
  'who-wins',
]

onEachEngine('the sample leaves', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let customer: SignedIn
  let demo: SignedIn
  const seen: Record<string, { customer: readonly string[]; demo: readonly string[] }> = {}

  const load = (world: World, records = recordsOf(world), name = world.source) =>
    withDataLoadLease(db, (lease) =>
      runDataLoad(
        db,
        lease,
        { ...createListFeedSource(records), name: world.source },
        { origin: name, fingerprint: `${name}:1`, today: TODAY },
      ),
    )
  const budget = ({ mark }: World, fiscalYear: number, origin: string) =>
    db.transaction((tx) =>
      replaceBudgetYear(tx, {
        fiscalYear,
        origin,
        read: 1,
        refused: [],
        at: now(),
        rows: [
          {
            sourceId: mark,
            document: `เล่ม ${mark}`,
            page: 1,
            ministry: `กระทรวง${mark}`,
            unit: `เทศบาลตำบล${mark}`,
            plan: `แผนงาน${mark}`,
            output: null,
            project: `โครงการ${mark}`,
            categories: ['งบลงทุน'],
            description: `กล้องวงจรปิดพร้อมติดตั้งสำหรับอาคารสำนักงาน ${mark}`,
            amountSatang: 1_200_000,
            isMultiYear: false,
            isCrossFunction: false,
          },
        ],
      }),
    )
  const itemOf = async ({ mark }: World): Promise<string> => {
    const find = () =>
      db.query<{ id: number }>(sql`select item_id as id from budget_item_texts where source_id = ${mark}`)
    const [item] = [...(await find()), ...(await runInDemoSchema(find))]
    return String(item!.id)
  }

  async function addresses(): Promise<string[]> {
    const urls: string[] = []
    for (const route of Object.keys(MATRIX)) {
      const [method, pattern] = route.split(' ') as [string, string]
      if (method === 'GET' && pattern.startsWith('/api/v2/'))
        for (const world of [SAMPLE, REAL]) urls.push(...(await urlsOf(pattern.slice('/api/v2'.length), world)))
    }
    return [...new Set(urls)].map((address) => `/api/v2${address}`)
  }

  async function urlsOf(pattern: string, world: World): Promise<string[]> {
    const { mark, tin, projects } = world
    const company = `บริษัท ${mark} จำกัด`
    const values: Readonly<Record<string, string>> = {
      id: pattern.startsWith('/budgets') ? await itemOf(world) : projects[0]!,
      projectId: projects[0]!,
      name: company,
      '*': `${company}/projects`,
    }
    const filled = (over: Readonly<Record<string, string>> = {}) =>
      pattern.replace(/:(\w+)|\*/g, (_, name = '*') => encodeURIComponent({ ...values, ...over }[name] ?? mark))
    const path = filled()
    const ways: Record<string, string>[] = []
    if (/^\/projects(\/(facets|ids|suggestions|queue))?$/.test(pattern))
      ways.push({ project_search__in: mark }, { project_name__in: mark })
    if (pattern === '/projects') ways.push({ ai_deep_search__in: 'กล้องวงจรปิด' }, { project_id__in: projects.join() })
    if (/^\/compan(ies|y-files)/.test(pattern))
      ways.push({ scope: 'watch' }, { project_winner_name__in: company }, { name: company, tin })
    if (pattern.startsWith('/company-comparison'))
      ways.push({ project_winner_name__in: company }, { project_winner_name__in: BOTH })
    if (/departments|suggestions/.test(pattern))
      ways.push({ q: mark }, { department: `เทศบาลตำบล${mark}` }, { ministry: '' })
    if (pattern.startsWith('/budgets'))
      ways.push({ year: '2569', scope: 'all' }, { year: '2570', scope: 'all' }, { year: '2570' })
    return [
      path,
      ...(pattern.includes(':name') ? [filled({ name: BOTH })] : []),
      ...ways.map((way) => `${path}?${new URLSearchParams(way)}`),
    ]
  }

  /** Returns the URLs whose responses mention this data set, ignoring texts that the URL itself contains. */
  async function urlsMentioning(user: SignedIn, { mark, projects, tin }: World): Promise<string[]> {
    const mentioning: string[] = []
    for (const url of await addresses()) {
      // Skip the logs: those of other users are out of scope, and a user's own actions stay in them permanently.
      if (url.includes('/organisations/me/logs')) continue
      const answer = await app.inject({ url, headers: user.headers })
      expect([url, answer.statusCode < 500]).toEqual([url, true])
      const decodedUrl = decodeURIComponent(url)
      const text = [mark, tin, ...projects].filter((word) => !decodedUrl.includes(word))
      const body = /spreadsheetml/.test(String(answer.headers['content-type']))
        ? [...readZip(answer.rawPayload).values()].join('\n')
        : answer.body
      if (text.some((word) => body.includes(word))) mentioning.push(url)
    }
    return mentioning
  }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    await db.script(`update organisations set is_access_budget_year = true, allow_access_budget_year = '2569,2570', is_company_compare = true,
      is_access_company_comparison = true,
      customer_config = customer_config || '{"report_start_date": null, "start_date_report": null, "end_date_report": null, "min_project_budget": "0", "max_project_budget": "0", "search_by_name": true}'
      where code in ('demo', 'tharamek')`)
    for (const { id } of await db.query<{ id: number }>(
      sql`select id from organisations where code in ('demo', 'tharamek')`,
    )) {
      await setWords(db, id, { include: ['กล้อง'] })
    }
    await load(SAMPLE)
    // Loading both simulates an installation of an older version, which did not require removing the demo data first.
    await load(REAL)
    await budget(SAMPLE, 2570, 'sample 2570')
    await budget(REAL, 2569, 'act 2569')
    await refreshBudget(db, { now })
    app = await appOn(db, { now })
    customer = await signIn(app, 'manager@tharamek.example')
    demo = await enterDemo(app)
    const mark = (user: SignedIn, body: object) =>
      app.inject({ method: 'PATCH', url: '/api/v2/users/me', headers: user.headers, payload: body })
    for (const user of [customer, demo]) {
      expect(
        (await mark(user, { bookmark_action: { action: 'add', project_id: SAMPLE.projects[0] } })).statusCode,
      ).toBe(200)
    }
    const filterData = { filter: {}, search: [{ key: 'project_name__in', value: 'กล้อง', negation: false }] }
    await mark(customer, { filter_action: { action: 'add', filter_id: 'ours', filterName: 'กล้องของเรา', filterData } })
    seen.before = { customer: await urlsMentioning(customer, SAMPLE), demo: await urlsMentioning(demo, SAMPLE) }
    // Requests every URL of the product twice, while other tests run.
  }, 300_000)
  afterAll(() => app.close())

  test('refuses real data and names the retire command; nothing is deleted without confirmation', async () => {
    const command = /npm run admin -- retire-sample --confirm/
    await expect(ensureRealDataAllowed(db, false)).rejects.toThrow(command)
    const unconfirmed = runDemoDataRetirement(db, { do: 'retire-sample', confirmed: false, closeAccounts: false }, [])
    await expect(unconfirmed).rejects.toThrow(command)
    await expect(unconfirmed).rejects.toThrow(/^2 projects and 1 budget items of the demo data would be removed/)
    await expect(unconfirmed).rejects.toThrow('2 real projects, the watch lists')
    await db.execute(sql`insert into intake_agencies (code, name, name_key) values ('1', 'กรมหนึ่ง', 'กรมหนึ่ง')`)
    const on = { command: 'on', source: 'egp-rss', changes: { contact: 'ops@tamngan.example' } } as const
    await expect(runIntake(db, on, now())).rejects.toThrow(command)
    await expect(
      importDataFile(db, { file: 'there-is-none.csv', retireSample: true }, { dataDir: '/nowhere' }),
    ).rejects.toThrow(/there-is-none/)
    expect(await hasDemoData(db)).toBe(true)
  })

  test(
    'customers see no demo data at any address',
    async () => {
      seen.real = { customer: await urlsMentioning(customer, REAL), demo: [] }
      expect(await retireDemoData(db)).toContain('2 projects')
      await load(REAL, [{ ...recordsOf(REAL)[0]!, budgetSatang: 1_300_000 }], 'cgd-2')
      await refreshBudget(db, { now })
      // The first request after a load still gets the previous list of departments, so its response is ignored.
      await app.inject({ url: '/api/v2/departments', headers: customer.headers })
      expect(await urlsMentioning(customer, SAMPLE)).toEqual([])
      // The absence of demo data proves something only where demo data was shown before.
      const routes = new Set(seen.before!.customer.map((url) => url.split(/[/?]/)[3]))
      expect([...routes].sort()).toEqual(SHOWING.sort())
    },
    WALK_MS,
  )

  test(
    'the demo sees all demo data and no real data at any address',
    async () => {
      expect(await urlsMentioning(demo, REAL)).toEqual([])
      // Before the retirement, the demo could open a real project and compared it with projects of the demo data.
      const expected = seen.before!.demo.filter((url) => !url.includes(`/projects/${REAL.projects[0]}/`))
      expect(await urlsMentioning(demo, SAMPLE)).toEqual(expected)
    },
    WALK_MS,
  )

  test(
    'real data is still shown where it was',
    async () => {
      const now = new Set(await urlsMentioning(customer, REAL))
      const isOfSample = (url: string) =>
        [...SAMPLE.projects, SAMPLE.mark].some((word) => decodeURIComponent(url).includes(word))
      expect(seen.real!.customer.filter((url) => !now.has(url) && !isOfSample(url))).toEqual([])
    },
    WALK_MS,
  )

  test('counts of a company with demo and real data include only one of them', async () => {
    const bids = async (user: SignedIn) => {
      const answer = await app.inject({
        url: `/api/v2/companies?project_winner_name__in=${encodeURIComponent(BOTH)}`,
        headers: user.headers,
      })
      return (answer.json() as { results: { bids: unknown; name: string }[] }).results.map(({ bids }) => bids)
    }
    const inDetail = async (user: SignedIn) => {
      const answer = await app.inject({
        url: `/api/v2/companies/${encodeURIComponent(BOTH)}/projects?kind=bids`,
        headers: user.headers,
      })
      return (answer.json() as { total: number }).total
    }
    expect([await bids(customer), await bids(demo)]).toEqual([
      [expect.objectContaining({ bids: 2 })],
      [expect.objectContaining({ bids: 2 })],
    ])
    expect([await inDetail(customer), await inDetail(demo)]).toEqual([2, 2])
  })

  test('keeps accounts, watch lists and saved filters; deletes marks on demo projects except by the demo', async () => {
    const me = async (user: SignedIn) => (await app.inject({ url: '/api/v2/users/me', headers: user.headers })).json()
    const [demoAccount, customerAccount] = [await me(demo), await me(customer)]
    expect([
      customerAccount.project_bookmark.length,
      demoAccount.project_bookmark.includes(SAMPLE.projects[0]),
    ]).toEqual([0, true])
    expect(
      customerAccount.project_save_filter_profile.map(({ filterName }: { filterName: string }) => filterName),
    ).toContain('กล้องของเรา')
    expect(
      (
        await db.query(
          sql`select from keywords k join organisations o on o.id = k.organisation_id where o.code = 'tharamek'`,
        )
      ).length,
    ).toBe(1)
  })

  test('rematches the demo among its own projects, and no night or restart restores the demo data', async () => {
    const [{ id }] = (await db.query<{ id: number }>(sql`select id from organisations where code = 'demo'`)) as [
      { id: number },
    ]
    const matches = async () =>
      (
        await db.query<{ id: string }>(
          sql`select project_id as id from project_matches where organisation_id = ${id}::int order by 1`,
        )
      ).map((row) => row.id)
    expect(await matches()).toEqual(SAMPLE.projects)
    await db.transaction(async (tx) => {
      await enqueueProjectMatchJob(tx, id, { all: true }, now())
    })
    await runDue(projectMatchJob, { db, now: now() })
    expect(await matches()).toEqual(SAMPLE.projects)
    await runNightlyLoad(db, { now: () => new Date('2026-11-22T20:00:00Z'), nextDemoStep: createNextDemoDataLoadStep })
    const terminal = { log: () => undefined, error: () => undefined } as never
    await seedRecentDataWhenEmpty(db, terminal)
    await finishDatabaseSeed(db, {})
    expect([await hasDemoData(db), await db.query(sql`select from projects where source = 'sample'`)]).toEqual([
      false,
      [],
    ])
    expect(await db.query(sql`select from budget_years where fiscal_year = 2570`)).toEqual([])
    await expect(ensureRealDataAllowed(db, false)).resolves.toBeUndefined()
    // Simulates a restored backup: the demo must not open if it would show real data or nothing.
    await db.script('drop schema public_sample cascade')
    await expect(enterDemo(app)).rejects.toThrow(/404|400|refkey/)
  })
})
