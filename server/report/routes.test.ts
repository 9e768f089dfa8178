import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ATTACHMENT_COUNTS_PREFERENCE,
  agencyOptionsSchema,
  projectSuggestionsSchema,
  type ReportPageResponse,
  reportFacetsSchema,
  reportPageSchema,
} from '#contract/report/report.ts'
import { REPORT_PARAMS } from '#contract/report/report-params.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngine, roundsOn } from '../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../test/server/http-app.ts'
import { hostileTextArbitrary } from '../../test/strange-text.ts'
import { addPopulation, TODAY } from '../../test/world/report-population.ts'
import { addLoad, addOrganisation, addUser, putProjects, setWords } from '../../test/world/report-world.ts'

const PASSWORD = 'Tamngan#2569'
/** Part of every text of a project that only one organisation matches (R24). */
const CANARY = 'นกขมิ้นเหลืองอ่อน'

const BAD: readonly (readonly [name: string, value: string, reason: string])[] = [
  ['is_archived', 'yes', 'true'],
  ['check_sme', '1', 'true'],
  ['project_name__in', '(กล้อง', 'E_BRACKET'],
  ['project_name__in', 'กล้อง##', 'ตำแหน่งที่ 8'],
  ['project_name__in', 'ก', 'E_SHORT'],
  ['project_name__in', 'ก'.repeat(100_000), 'E_LENGTH'],
  ['project_dept_sub__in', 'กอง|||ช่าง', 'E_OPERATOR'],
  ['project_winner_name__in', '"กขค', 'E_QUOTE'],
  // Each word is searched in four texts, so 13 words exceed the limit on terms.
  ['project_search__in', Array.from({ length: 13 }, (_, at) => `คำที่${at}`).join('||'), 'E_TERMS_EVERYWHERE'],
  ['document_text__in', 'ยา', 'E_SHORT_DOCUMENT'],
  ['document_text__in', 'หลักประกัน##"ย า"', 'E_SHORT_DOCUMENT'],
  ['document_text__in', 'ก', 'E_SHORT_DOCUMENT'],
  ['document_text__in', Array.from({ length: 13 }, (_, at) => `คำที่${at}`).join('||'), 'E_TERMS_DOCUMENT'],
  ['project_id__in', "1' or '1'='1", 'เลขที่โครงการ'],
  ['project_status__in', 'finished', 'ไม่รู้จัก'],
  ['project_change_status__in', '<<', 'ไม่รู้จัก'],
  ['project_province__in', 'กรุงเทพ', 'ไม่รู้จัก'],
  ['project_movement__in', Array.from({ length: 201 }, (_, i) => `m${i}`).join('||'), '200'],
  ['project_budget__range', '5', 'ช่วงจำนวนเงิน'],
  ['project_budget__range', '10,5', 'ช่วงจำนวนเงิน'],
  ['project_budget__range', '-1,5', 'ช่วงจำนวนเงิน'],
  ['project_budget__range', '1e3,', 'ช่วงจำนวนเงิน'],
  ['submission_end_date__range', '2026-02-30,', 'ช่วงวันที่'],
  ['submission_end_date__range', '2569-01-01,', 'ช่วงวันที่'],
  ['submission_end_date__range', '@7', 'ช่วงวันที่'],
  ['ordering', 'name', 'เรียงตาม'],
  ['ordering', 'project_budget; drop table projects', 'เรียงตาม'],
  ['page', '0', 'จำนวนเต็ม'],
  ['page', '100001', 'จำนวนเต็ม'],
  ['page_size', '1000', 'จำนวนเต็ม'],
]

onEachEngine('GET /projects', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let owner: SignedIn
  let stranger: SignedIn
  let newcomer: SignedIn
  let everyId: Set<string>

  const account = async (userId: number) => {
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${userId}::int returning email`)
    return signIn(app, user!.email, PASSWORD)
  }
  const get = (query: string, caller: SignedIn | undefined = owner, route = '') =>
    app.inject({ url: `/api/v2/projects${route}${query}`, headers: caller.headers })
  const page = async (query: string, caller: SignedIn = owner): Promise<ReportPageResponse> => {
    const answer = await get(query, caller)
    expect(answer.statusCode, answer.body).toBe(200)
    return reportPageSchema.parse(answer.json())
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => new Date(`${TODAY}T03:00:00Z`) })
    const { userId, organisationId } = await addPopulation(db, matchDataLoadProjects, { count: 130 })
    const strangers = await addOrganisation(db, { words: { include: [CANARY] } })
    const strangerId = await addUser(db, strangers)
    await setWords(db, organisationId, { include: ['<<ไม่มีคำนี้แน่นอน'], exclude: [CANARY] })
    const load = await addLoad(db)
    const canary = `${CANARY}-99`
    await putProjects(db, load, [
      {
        id: '99',
        name: canary,
        dept: canary,
        unit: canary,
        winner: canary,
        movement: canary,
        method: canary,
        deptProvince: 95,
        province: 95,
      },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    await db.execute(
      sql`insert into attachments (project_id, url, name, step, first_load) values ('99', ${`https://example.org/${canary}`}, ${canary}, ${canary}, ${load}::bigint)`,
    )
    owner = await account(userId)
    stranger = await account(strangerId)
    newcomer = await account(await addUser(db, await addOrganisation(db, { words: {} })))
    everyId = new Set<string>()
    for (const tab of ['', '&is_archived=true', '&project_hidden=true', '&project_hidden=true&is_archived=true']) {
      for (const n of [1, 2])
        for (const row of (await page(`?page_size=100&page=${n}${tab}`)).results) everyId.add(row.project_id)
    }
  })
  afterAll(() => app.close())

  test.each(['', '/', '/facets', '/facets/', '/agencies'])('%s without a session is 401', async (route) => {
    expect((await app.inject({ url: `/api/v2/projects${route}` })).statusCode).toBe(401)
  })

  test('the next links lead through every row once, and the previous links back', async () => {
    const seen: string[] = []
    let answer = await page('/?page_size=20&ordering=-project_budget')
    expect(answer.links.previous).toBeNull()
    for (;;) {
      seen.push(...answer.results.map((row) => row.project_id))
      const { next } = answer.links
      if (next === null) break
      expect(next).toMatch(/^\/api\/v2\/projects\/\?ordering=-project_budget&page=\d+&page_size=20$/)
      answer = await page(next.slice('/api/v2/projects'.length))
    }
    expect(seen).toHaveLength(answer.total_project)
    expect(new Set(seen).size).toBe(answer.total_project)
    expect(answer.links.previous).toContain(`page=${answer.page - 1}`)
  })

  test('suggestions are the first five across tabs, active first, each with its tab', async () => {
    const suggestions = async (query: string, caller: SignedIn = owner) => {
      const answer = await get(query, caller, '/suggestions')
      expect(answer.statusCode, answer.body).toBe(200)
      return projectSuggestionsSchema.parse(answer.json()).results
    }
    expect(await suggestions('')).toEqual([])
    const tabs = new Set<string>()
    for (const [query, tab] of [
      ['', 'active'],
      ['&is_archived=true', 'archived'],
      ['&project_hidden=true', 'hidden'],
      ['&project_hidden=true&is_archived=true', 'archived hidden'],
    ]) {
      for (const row of (await page(`?page_size=20${query}`)).results.slice(0, 3)) {
        const [suggestion] = await suggestions(`?project_search__in=${encodeURIComponent(`"${row.project_id}"`)}`)
        expect(suggestion).toEqual({
          project_id: row.project_id,
          name: row.name,
          dept_sub_name: row.dept_sub_name,
          budget: row.budget,
          is_archived: tab!.includes('archived'),
          is_hidden: tab!.includes('hidden'),
        })
        tabs.add(tab!)
      }
    }
    expect(tabs).toEqual(new Set(['active', 'archived', 'hidden', 'archived hidden']))
    const several = await suggestions(`?project_search__in=${encodeURIComponent([...everyId].slice(0, 9).join('||'))}`)
    expect(several).toHaveLength(5)
    expect(several.map((row) => row.is_archived)).toEqual(several.map((row) => row.is_archived).sort())
    expect(await suggestions(`?project_search__in=${encodeURIComponent(CANARY)}`)).toEqual([])
    expect(await suggestions(`?project_search__in=${encodeURIComponent(CANARY)}`, stranger)).toHaveLength(1)
    expect((await get('?project_search__in=(', owner, '/suggestions')).statusCode).toBe(400)
  })

  test('a page past the end is empty, keeps the total and links to the last page', async () => {
    const answer = await page('?page=900')
    expect(answer).toMatchObject({ results: [], page: 900 })
    expect(answer.total_project).toBeGreaterThan(50)
    expect(answer.links).toEqual({
      next: null,
      previous: `/api/v2/projects?page=${Math.ceil(answer.total_project / 50)}`,
    })
  })

  test('only updated rows carry their changes', async () => {
    // The canary load is now the latest load, so changes of the two loads before no longer count.
    const { results, counts } = await page('?page_size=100')
    expect(counts).toMatchObject({ new: 0, updated: 0, hidden: 1 })
    expect(results.every((row) => row.changes.length === 0)).toBe(true)
  })

  test('ignores an unknown parameter and returns its name', async () => {
    const answer = await page('?colour=red&project_nam__in=x&constructor=y')
    expect(answer.ignored_parameters).toEqual(['colour', 'constructor', 'project_nam__in'])
    expect(answer.total_project).toBe((await page('')).total_project)
  })

  test('lists files, or only counts them when the caller prefers that', async () => {
    const url = 'https://process5.gprocurement.go.th/new'
    const [{ id } = { id: '' }] = await db.query<{ id: string }>(sql`
      insert into attachments (project_id, url, name, step, published_on, first_load)
      select '99', ${url}, 'ประกาศ.pdf', 'invited', '2026-11-20', first_load from attachments where project_id = '99' returning project_id as id`)
    const fetchRow = async (prefer?: string) => {
      const headers = { ...stranger.headers, ...(prefer === undefined ? {} : { prefer }) }
      const answer = await app.inject({ url: '/api/v2/projects', headers })
      const rows = reportPageSchema.parse(answer.json()).results
      return { row: rows.find((row) => row.project_id === id)!, applied: answer.headers['preference-applied'] }
    }
    const listed = await fetchRow()
    expect(listed.applied).toBeUndefined()
    expect(listed.row.attachments?.map((file) => file.url)).toEqual([`https://example.org/${CANARY}-99`, url])
    const { attachments: files, ...rowWithoutFiles } = listed.row
    for (const prefer of [ATTACHMENT_COUNTS_PREFERENCE, `respond-async, ${ATTACHMENT_COUNTS_PREFERENCE}`]) {
      const counted = await fetchRow(prefer)
      expect(counted.applied).toBe(ATTACHMENT_COUNTS_PREFERENCE)
      expect(counted.row).toEqual({ ...rowWithoutFiles, attachment_summary: { count: files!.length, egp: url } })
    }
    await db.execute(sql`delete from attachments where url = ${url}`)
  })

  test.each(BAD)('refuses %s=%.40s and names the parameter', async (name, value, reason) => {
    for (const route of ['', '/facets']) {
      const answer = await get(`?${new URLSearchParams({ [name]: value })}`, owner, route)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()[name][0]).toContain(reason)
    }
  })

  test.each(['page=1&page=2', 'project_name__in=ab&project_name__in=cd', 'colour=1&colour=2'])(
    'refuses a repeated parameter: %s',
    async (query) => {
      const answer = await get(`?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()[query.split('=')[0]!]).toEqual(['ระบุค่าได้เพียงครั้งเดียว'])
    },
  )

  test.each(['%%', '__', '\\\\\\\\', '%ก%', '_า_'])('treats the sign %s literally', async (word) => {
    expect((await page(`?${new URLSearchParams({ project_name__in: word })}`)).total_project).toBe(0)
  })

  test('any text in any parameter answers 200 with report rows or 400, and facets answer alike', async () => {
    const names = REPORT_PARAMS.map(({ name }) => name)
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...names), hostileTextArbitrary, { minKeys: 1, maxKeys: 3 }),
        async (flat) => {
          const query = `?${new URLSearchParams(flat)}`
          const answer = await get(query)
          expect([200, 400], `${query} ${answer.body}`).toContain(answer.statusCode)
          expect((await get(query, owner, '/facets')).statusCode).toBe(answer.statusCode)
          if (answer.statusCode === 200)
            for (const row of answer.json().results) expect(everyId).toContain(row.project_id)
        },
      ),
      { numRuns: roundsOn(db, 150) },
    )
  }, 60_000)

  describe('isolation of organisations', () => {
    test('shows the canary to its own organisation only', async () => {
      expect((await get('', stranger)).body).toContain(CANARY)
      expect((await get('', stranger, '/facets')).body).toContain(CANARY)
      for (const query of [
        '?page_size=100',
        '?page_size=100&page=2',
        '?is_archived=true',
        `?${new URLSearchParams({ project_id__in: '99' })}`,
      ]) {
        expect((await get(query)).body).not.toContain(CANARY)
        expect((await get(query, owner, '/facets')).body).not.toContain(CANARY)
      }
    })

    test('searches the agencies of the own report only', async () => {
      const agencies = async (query: Record<string, string>, caller: SignedIn) => {
        const answer = await get(`?${new URLSearchParams(query)}`, caller, '/agencies')
        return agencyOptionsSchema.parse(answer.json())
      }
      const canary = { value: `${CANARY}-99`, count: 1 }
      expect(await agencies({ q: CANARY }, stranger)).toEqual({ total: 1, results: [canary] })
      for (const query of [{}, { q: CANARY }, { project_agency__in: canary.value }])
        expect((await agencies(query, owner)).results).not.toContainEqual(canary)
      expect((await agencies({}, owner)).total).toBeGreaterThan(3)
      expect((await get('?q=a&q=b', owner, '/agencies')).statusCode).toBe(400)
      expect((await get(`?q=${'ก'.repeat(201)}`, owner, '/agencies')).statusCode).toBe(400)
    })

    test("another organisation's project answers like a missing one", async () => {
      const strip = (body: string) => body.replaceAll(/project_id__in=\d+/g, '')
      expect(strip((await get('?project_id__in=99')).body)).toBe(strip((await get('?project_id__in=11')).body))
    })
  })

  describe('reasons for an empty report', () => {
    test('filters that exclude everything: returns the filter to relax', async () => {
      const answer = await page(
        `?${new URLSearchParams({ project_movement__in: 'ไม่เคยมี', project_budget__range: '0,' })}`,
      )
      const wide = await page('?project_budget__range=0,')
      expect(answer.filter_to_relax).toEqual({ parameter: 'project_movement__in', total: wide.total_project })
    })

    test('an organisation without rules', async () => {
      expect(await page('', newcomer)).toMatchObject({
        total_project: 0,
        filter_to_relax: null,
        rules: { has_rules: false, last_match_date: null },
        counts: { all: 0 },
      })
    })

    test('matches outside the report window: returns the newest match date', async () => {
      const organisation = await addOrganisation(db, {
        words: { include: ['ถนน'] },
        config: { start_date_report: '2026-11-01', end_date_report: '2026-11-30' },
      })
      const load = await addLoad(db)
      await putProjects(db, load, [
        { id: '201', name: 'ซ่อมถนน', movementOn: '2026-10-01' },
        { id: '202', name: 'ซ่อมถนน', movementOn: '2026-10-05' },
      ])
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      expect(await page('', await account(await addUser(db, organisation)))).toMatchObject({
        total_project: 0,
        report_window: { start: '2026-11-01', end: '2026-11-30' },
        rules: { has_rules: true, last_match_date: '2026-10-05' },
      })
    })
  })

  test('facets match their schema and the organisation’s money limits', async () => {
    const facets = reportFacetsSchema.parse((await get('', owner, '/facets/')).json())
    expect(facets.money.project_budget__range!.max).toBe(10_000_000_000)
    expect(facets.money.project_winner_budget__range!.max).toBe(12_500_000_000)
  })
})
