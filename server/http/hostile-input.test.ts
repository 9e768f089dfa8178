import fc from 'fast-check'
import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USAGE_LOG_PARAMS } from '#contract/account/usage-log.ts'
import { BUDGET_PARAMS } from '#contract/market/budget-params.ts'
import { COMPANY_PARAMS } from '#contract/market/company-params.ts'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { hostileTextArbitrary } from '../../test/strange-text.ts'
import { putBudget } from '../../test/world/budget-world.ts'
import { addLoad, setWords } from '../../test/world/report-world.ts'
import { putWonProjects } from '../../test/world/won-projects.ts'

/** Texts with LIKE metacharacters, each with a name that would match if the text were treated as a pattern. */
const SIGNS = [
  ['100%', '100'],
  ['ก_ข', 'กxข'],
  ['ง\\จ', 'งจ'],
] as const
const NAMES = SIGNS.flat().map((text) => `กล้อง ${text} แท้`)

/** The four lists: path, parameter catalogue, parameters that return every row, search parameter, and key of a row. */
const LISTS = [
  {
    path: '/projects',
    params: REPORT_PARAMS,
    all: { page_size: '100' },
    search: 'project_name__in',
    key: 'project_id',
  },
  {
    path: '/companies',
    params: COMPANY_PARAMS,
    all: { page_size: '100' },
    search: 'project_winner_name__in',
    key: 'name',
  },
  { path: '/budgets', params: BUDGET_PARAMS, all: { scope: 'all', page_size: '100' }, search: 'q', key: 'id' },
  {
    path: '/organisations/me/logs',
    params: USAGE_LOG_PARAMS,
    // Filter by type, because the searches of this test are logged after five seconds, including their text.
    all: { page_size: '50', type: 'bookmark' },
    search: 'q',
    key: 'id',
  },
] as const
type List = (typeof LISTS)[number]
type Page = { readonly results: Record<string, unknown>[] }

/** Columns of the underlying tables that no response contains, and other names an attacker might try. */
const UNKNOWN = [
  'organisation_id',
  'user_id',
  'fields',
  'select',
  'include',
  'expand',
  'filter',
  '__proto__',
  'constructor',
  'toString',
]
const HIDDEN_COLUMNS = [
  'password_hash',
  'organisation_id',
  'email',
  'name_search',
  'packed',
  'text_search',
  'id;drop table users',
  '1',
  '',
]

onOneEngine('hostile input to lists and settings', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let user: SignedIn
  let ownIds: { organisationId: number; userId: number }
  let otherIds: { organisationId: number; userId: number }

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    ownIds = await userOf('manager@tharamek.example')
    otherIds = await userOf('manager@noensai.example')
    await setWords(db, ownIds.organisationId, { include: ['กล้อง'] })
    const load = await addLoad(db)
    const projects = NAMES.map((name, at) => ({
      id: `6711100000${at}`,
      name,
      year: 2569,
      contracts: [{ name: `บริษัท ${name}`, tin: `010550000000${at}`, amount: 100, signedOn: '2026-10-01' }],
    }))
    await putWonProjects(db, load, projects)
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await updateCompanyFacts(db)
    await putBudget(
      db,
      2570,
      NAMES.map((description, at) => ({ description, sourceId: String(at) })),
    )
    for (const description of NAMES)
      await recordUsageEvents(db, [{ ...ownIds, at: new Date('2026-11-20T00:00:00Z'), type: 'bookmark', description }])
    app = await appOn(db, { now: () => new Date('2026-11-21T03:00:00Z') })
    user = await signIn(app, 'manager@tharamek.example')
  })
  afterAll(() => app.close())

  async function userOf(email: string): Promise<{ organisationId: number; userId: number }> {
    const [user] = await db.query<{ organisationId: number; userId: number }>(sql`
      select organisation_id as "organisationId", id as "userId" from users where email_key = ${email}`)
    return user!
  }

  const get = (path: string, query: string | Record<string, string> = '') =>
    app.inject({ url: `/api/v2${path}?${new URLSearchParams(query)}`, headers: user.headers })
  const rowsOf = async ({ path, all }: List) => (await get(path, { ...all })).json<Page>().results
  const keysOf = (page: object) => new Set(Object.keys(page))
  const beyond = (page: object, expectedKeys: ReadonlySet<string>) =>
    Object.keys(page).filter((key) => !expectedKeys.has(key))

  test.each(LISTS)(
    'R27: $path ignores or refuses unknown, repeated and array parameters and adds no fields',
    async (list) => {
      const fullPage = (await get(list.path, { ...list.all })).json<Page>()
      const rowKeys = keysOf(fullPage.results[0]!)
      expect(fullPage.results.length).toBeGreaterThanOrEqual(NAMES.length)
      const names = list.params.map(({ name }) => name)
      const queries = [
        ...names.flatMap((name) => [
          `${name}=1&${name}=2`,
          `${name}[]=1`,
          `${name}[a]=1`,
          `${name}.a=1`,
          `${name}=[1]`,
          `${name}={"a":1}`,
        ]),
        ...UNKNOWN.map((name) => `${name}=1`),
        ...HIDDEN_COLUMNS.flatMap((column) => [`ordering=${column}`, `ordering=-${column}`]),
      ]
      const wrong: string[] = []
      for (const query of queries) {
        const answer = await app.inject({ url: `/api/v2${list.path}?${encodeURI(query)}`, headers: user.headers })
        const mayBe = query.startsWith('year') ? [200, 400, 403] : [200, 400]
        if (!mayBe.includes(answer.statusCode)) wrong.push(`${query}: ${answer.statusCode}`)
        if (answer.statusCode !== 200) continue
        const page = answer.json<Page>()
        const extra = [...beyond(page, keysOf(fullPage)), ...page.results.flatMap((row) => [...beyond(row, rowKeys)])]
        if (extra.length > 0) wrong.push(`${query}: ${extra}`)
      }
      expect(wrong).toEqual([])
    },
    120_000,
  )

  test.each(LISTS)('the largest page number of $path returns no rows or 400', async (list) => {
    const answer = await get(list.path, { ...list.all, page: '2147483647' })
    expect([200, 400], answer.body).toContain(answer.statusCode)
    if (answer.statusCode === 200) expect(answer.json<Page>().results).toEqual([])
  })

  test.each(LISTS)('R29: % _ and \\ are literal in the search of $path', async (list) => {
    for (const [sign] of SIGNS) {
      const escaped = list.path === '/projects' || list.path === '/budgets' ? sign.replaceAll('\\', '\\\\') : sign
      const rows = (await get(list.path, { ...list.all, [list.search]: escaped })).json<Page>().results
      const texts = rows.map((row) => String(row.name ?? row.project_name ?? row.description))
      expect([sign, texts.length, texts[0]]).toEqual([sign, 1, expect.stringContaining(sign)])
    }
  })

  test.each(LISTS)(
    'R29: any text in any parameter of $path returns a subset of its rows or a refusal',
    async (list) => {
      const existingKeys = new Set((await rowsOf(list)).map((row) => row[list.key]))
      const names = list.params.map(({ name }) => name)
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.constantFrom(...names), hostileTextArbitrary, { minKeys: 1, maxKeys: 3 }),
          async (flat) => {
            const answer = await get(list.path, { ...list.all, ...flat })
            expect(flat.year === undefined ? [200, 400] : [200, 400, 403], answer.body).toContain(answer.statusCode)
            // Each read is logged, so the list of logs alone grows while it is read.
            if (answer.statusCode === 200 && list.path !== '/organisations/me/logs')
              for (const row of answer.json<Page>().results) expect(existingKeys).toContain(row[list.key])
          },
        ),
        { numRuns: 60 },
      )
    },
    60_000,
  )

  const rowOf = async (table: 'users' | 'organisations', id: number) => {
    const [row] = await db.query<{ row: Record<string, unknown> }>(sql`
      select to_jsonb(t) - 'last_seen_at' - 'previous_visit_at' as row from ${raw(table)} t where id = ${id}::int`)
    return row!.row
  }
  const VALUES = [true, 999_999, 'super_user', { limit_include_by_name: 999_999, maxLabels: 999_999 }]
  const EXTRA_FIELDS = [
    'id',
    'user_id',
    'organisation',
    'label_metadata',
    'max_labels',
    'maxLabels',
    'features',
    'is_demo',
    'password',
    'package',
    'limits',
    'flags',
    'is_watchlist_completed',
    'register_status',
    'customer_use_package',
    'areasWithProvinces',
    'areasFilterReport',
    '__proto__',
    'constructor',
  ]

  test.each([
    [
      'users',
      '/users/me',
      { project_bookmark: [] },
      [
        'first_name',
        'last_name',
        'is_send_report_email',
        'is_noti_e_bidding',
        'is_send_coverage_email',
        'customize_report_table',
      ],
    ],
    ['organisations', '/organisations/me', { search_by_name: true }, []],
  ] as const)(
    'R26: columns of %s outside the contract cannot be written, alone or with a valid change',
    async (table, path, change, open) => {
      const id = table === 'users' ? ownIds.userId : ownIds.organisationId
      const patch = async (payload: string) =>
        app.inject({
          method: 'PATCH',
          url: `/api/v2${path}`,
          headers: { ...user.headers, 'content-type': 'application/json' },
          payload,
        })
      expect((await patch(JSON.stringify(change))).statusCode).toBe(200)
      const before = await rowOf(table, id)
      const otherRow = await rowOf(table, table === 'users' ? otherIds.userId : otherIds.organisationId)
      const fields = [...Object.keys(before), ...EXTRA_FIELDS].filter(
        (name) => !(open as readonly string[]).includes(name),
      )
      const wrong: string[] = []
      for (const field of new Set(fields)) {
        for (const value of VALUES) {
          for (const validChange of value === true ? [{}, change] : [change]) {
            // Build the JSON as text, so that `__proto__` is an ordinary field.
            const payload = `${JSON.stringify(validChange).slice(0, -1)}${Object.keys(validChange).length > 0 ? ',' : ''}${JSON.stringify(field)}:${JSON.stringify(value)}}`
            const { statusCode } = await patch(payload)
            if (statusCode !== 200 && statusCode !== 400) wrong.push(`${payload}: ${statusCode}`)
          }
        }
      }
      expect(wrong).toEqual([])
      expect(await rowOf(table, id)).toEqual(before)
      expect(await rowOf(table, table === 'users' ? otherIds.userId : otherIds.organisationId)).toEqual(otherRow)
    },
    120_000,
  )

  test('R26: extra fields can set neither the state or owner of a word nor the owner of a label', async () => {
    await db.script(`update organisations set is_watchlist_completed = false`)
    const over = {
      organisation_id: otherIds.organisationId,
      user_id: otherIds.userId,
      created_by: otherIds.userId,
      max_labels: 99,
    }
    const word = { word: 'โดรน', approved: false, ...over }
    const post = await app.inject({
      method: 'POST',
      url: '/api/v2/organisations/me',
      headers: user.headers,
      payload: { include_keywords: [word] },
    })
    const action = { action: 'create_label', label_id: 'l', label_name: 'ป้าย', label_color: 'sky', ...over }
    const patch = await app.inject({
      method: 'PATCH',
      url: '/api/v2/users/me',
      headers: user.headers,
      payload: { label_action: action },
    })
    expect([post.statusCode, patch.statusCode]).toEqual([200, 200])
    const [keyword] = await db.query(
      sql`select organisation_id, approved, created_by from keywords where word = ${word.word}`,
    )
    expect(keyword).toEqual({ organisation_id: ownIds.organisationId, approved: true, created_by: ownIds.userId })
    expect(await db.query(sql`select user_id from labels`)).toEqual([{ user_id: ownIds.userId }])
  })
})
