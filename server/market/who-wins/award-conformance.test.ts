import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { OWN_PROJECT_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import { COMPANY_RANKINGS } from '#contract/report/report-view.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createReportEngine, openReportMemory } from '#server/report/report-engine.ts'
import { findReportProjectIds } from '#server/report/report-lists.ts'
import { onEachEngine, onEachEngineInTurn, roundsOn } from '../../../test/server/databases.ts'
import { parseSearch, searchArbitrary } from '../../../test/world/any-search.ts'
import { inventProjects } from '../../../test/world/invented-wins.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'
import { putWonProjects } from '../../../test/world/won-projects.ts'
import type { WhoWinsScope } from './award-set.ts'
import { loadFigureProjectIds } from './load-figure-project-ids.ts'
import { computeReferenceFigures, loadReferenceAwards } from './plain-awards-for-tests.ts'
import { presentWhoWins } from './present-who-wins.ts'
import { loadWonProjects } from './queries.ts'
import { withAwards } from './with-awards.ts'

/** A search of the whole market rejects the filters by the organisation's own data. */
const MARKET_ONLY = (flat: Record<string, string>) =>
  Object.fromEntries(Object.entries(flat).filter(([name]) => !(OWN_PROJECT_PARAMS as readonly string[]).includes(name)))
const WIN_SEARCHES: readonly Record<string, string>[] = [
  {},
  { project_name__in: 'กล้อง' },
  { project_winner_name__in: '"ทดลอง 1"' },
  { project_province__in: 'กรุงเทพมหานคร||เชียงใหม่' },
  { is_archived: 'true' },
  { project_hidden: 'true' },
  { project_name__in: 'ไม่มีคำนี้' },
]
const anyQuestion = fc.oneof(fc.constantFrom(...WIN_SEARCHES), searchArbitrary)

for (const by of ['SQL', 'memory'] as const)
  (by === 'SQL' ? onEachEngine : onEachEngineInTurn)(`who wins by ${by}`, (makeDb) => {
    let db: OpenDb
    let scope: WhoWinsScope
    let memory: AwardCache | undefined
    let plain: Awaited<ReturnType<typeof loadReferenceAwards>>
    let starred: Set<string>

    beforeAll(async () => {
      db = await makeDb()
      const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects)
      const load = await addLoad(db)
      await putWonProjects(db, load, inventProjects(3))
      await db.execute(sql`update projects set is_archived = true where project_id like '69%7'`)
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      await db.execute(sql`
        insert into bookmarks (user_id, project_id) select ${userId}::int, p.project_id from projects p where p.project_id like '69%5'`)
      await updateCompanyFacts(db)
      scope = { organisationId, userId, today: TODAY, visit: undefined, isMarket: false }
      plain = await loadReferenceAwards(db)
      const rows = await db.query<{ id: string }>(
        sql`select project_id as id from bookmarks where user_id = ${userId}::int`,
      )
      starred = new Set(rows.map(({ id }) => id))
      if (by === 'memory') {
        const report = openReportMemory(db, { megabytes: 64 })
        memory = new AwardCache(
          db,
          { report, companies: new CompanyFactCache(db, { megabytes: 64 }) },
          { megabytes: 64 },
        )
        await memory.load(organisationId, scope)
      }
    })
    afterAll(() => memory?.stop())

    /** Runs a query and asserts that the expected source (memory or SQL) answered it. */
    async function checkedAnswer<T>(
      search: ReportSearch,
      isMarket: boolean,
      query: Parameters<typeof withAwards<T>>[3],
    ): Promise<T> {
      const before = memory?.answered
      const answer = await withAwards({ db, memory }, search, { ...scope, isMarket }, query)
      if (memory && !search.ai_deep_search__in)
        expect(memory.answered).toEqual({ ...before, memory: before!.memory + 1 })
      return answer
    }

    async function foundBy(search: ReportSearch): Promise<Set<string>> {
      const tabs = search.is_archived ? [search] : [search, { ...search, is_archived: true as const }]
      const ids = new Set<string>()
      for (const tab of tabs)
        for (const id of (await findReportProjectIds(createReportEngine(db), tab, scope)).ids) ids.add(id)
      return ids
    }

    function agree(answer: Omit<WhoWins, 'ignored_parameters'>, projectIds: ReadonlySet<string>) {
      const expected = computeReferenceFigures(plain, projectIds)
      const byKey = <T extends { key: string | number }>(rows: T[]) => rows.sort((a, b) => (a.key < b.key ? -1 : 1))
      expect(answer.projects).toBe(projectIds.size)
      expect({
        decided: answer.decided,
        won: answer.won,
        value: answer.figures.value,
        bidders: answer.figures.bidders.mean,
        discount: answer.figures.discount,
        againstBudget: answer.figures.against_budget,
        agencies: byKey(answer.agencies.results.map(({ name, n, value }) => ({ key: name, n, value }))),
        years: byKey(answer.years.map(({ year, n, value }) => ({ key: year, n, value }))),
        methods: byKey(answer.methods.map(({ method, n, value }) => ({ key: method, n, value }))),
        provinces: byKey(
          answer.provinces.map(({ province, n, value }) => ({
            key: province === null ? 0 : findProvinceByName(province)!.code,
            n,
            value,
          })),
        ),
        months: byKey(answer.months.map(({ month, n, value }) => ({ key: month, n, value }))),
        bins: answer.discount_bins.map(({ count }) => count),
        bands: answer.bands.map(({ n, lower, median, upper }) => ({ n, lower, median, upper })),
      }).toEqual({ ...expected, companies: undefined })
      expect(answer.companies.total).toBe(expected.companies.length)
      expect(answer.companies.is_ranked).toBe(expected.won >= 5)
      if (expected.won < 5) expect(answer.companies.results).toEqual([])
      else {
        expect(
          byKey(
            answer.companies.results.map((row) => ({
              key: row.id,
              wins: row.wins,
              value: row.value,
              n: row.discount.n,
              median: row.discount.median,
              first: row.first_win_date,
              last: row.last_win_date,
              bids: row.bids?.bids ?? 0,
            })),
          ),
        ).toEqual(expected.companies)
        for (const { id, met } of answer.companies.results)
          expect(met).toBe(
            plain.facts.filter(
              ({ company, project }) => company === id && projectIds.has(project) && starred.has(project),
            ).length,
          )
      }
      return expected.won
    }

    test('figures of our projects equal plain arithmetic over the report', async () => {
      let maxWon = 0
      await fc.assert(
        fc.asyncProperty(anyQuestion, fc.constantFrom(...COMPANY_RANKINGS), async (flat, { code: rank }) => {
          const search = parseSearch(flat)
          const answer = await checkedAnswer(search, false, (awards) => presentWhoWins(db, awards, { rank, scope }))
          maxWon = Math.max(maxWon, agree(answer, await foundBy(search)))
        }),
        { numRuns: roundsOn(db, 30), examples: [[{}, COMPANY_RANKINGS[0]]] },
      )
      expect(maxWon).toBeGreaterThan(100)
    }, 300_000)

    test('figures of the whole market cover every project, followed or not', async () => {
      const market = { ...scope, isMarket: true }
      // The watch list of this organisation matches every project, and hidden projects affect only its report, so its
      // visible and hidden projects together are the whole market.
      await fc.assert(
        fc.asyncProperty(anyQuestion, async (flat) => {
          const search = parseSearch(MARKET_ONLY(flat))
          const answer = await checkedAnswer(search, true, (awards) =>
            presentWhoWins(db, awards, { rank: 'wins', scope: market }),
          )
          const visibleIds = await foundBy(search)
          for (const id of await foundBy({ ...search, project_hidden: true })) visibleIds.add(id)
          agree(answer, visibleIds)
          expect(answer.scope.universe).toBe('all')
        }),
        { numRuns: roundsOn(db, 30), examples: [[{}], [{ project_winner_name__in: 'ABC' }]] },
      )
    }, 300_000)

    test('each figure opens as many rows as it counts', async () => {
      const opened = (rows: string) =>
        checkedAnswer({}, false, (awards) => loadFigureProjectIds(db, awards, rows, 1_000))
      const answer = await checkedAnswer({}, false, (awards) => presentWhoWins(db, awards, { rank: 'discount', scope }))
      const figures: (readonly [string, number])[] = [
        ['found', answer.projects],
        ['decided', answer.decided],
        ['won', answer.won],
        ['priced', answer.figures.discount.n],
        ['against_budget', answer.figures.against_budget],
        ['bidders', answer.figures.bidders.n],
        ...answer.companies.results.map(({ id, wins }) => [`company:${id}`, wins] as const),
        ...answer.agencies.results.map(({ name, n }) => [`agency:${name}`, n] as const),
        ...answer.years.map(({ year, n }) => [`year:${year}`, n] as const),
        ...answer.months.map(({ month, n }) => [`month:${month}`, n] as const),
        ...answer.methods.map(({ method, n }) => [`method:${method}`, n] as const),
        ...answer.provinces.map(({ province, n }) => [`province:${province ?? ''}`, n] as const),
        ...answer.discount_bins.map(({ from, count }) => [`discount:${from ?? 'below'}`, count] as const),
        ...answer.bands.map(({ from, to, n }) => [`band:${from ?? ''}-${to ?? ''}`, n] as const),
      ]
      expect(figures.length).toBeGreaterThan(60)
      for (const [rows, n] of figures) {
        const figureIds = await opened(rows)
        expect([rows, figureIds?.total, figureIds?.ids.length]).toEqual([rows, n, Math.min(n, 1_000)])
      }
      expect(await opened('unknown')).toBeUndefined()
      expect(await opened('band:1-2')).toBeUndefined()
      const first = await opened('won')
      const rows = await loadWonProjects(db, first!.ids.slice(0, 20), scope.organisationId)
      expect(rows.map(({ project_id }) => project_id)).toEqual(first!.ids.slice(0, 20))
      expect(rows.every(({ companies, is_decided }) => companies !== null && is_decided)).toBe(true)
    })

    test('sorts companies as requested, those with few discounts last', async () => {
      const ranked = async (rank: 'value' | 'wins' | 'discount') =>
        (await checkedAnswer({}, false, (awards) => presentWhoWins(db, awards, { rank, scope }))).companies.results
      const descending = (values: readonly (number | null)[]) =>
        expect(values).toEqual(values.toSorted((a, b) => (b ?? -2) - (a ?? -2)))
      descending((await ranked('value')).map(({ value }) => value))
      descending((await ranked('wins')).map(({ wins }) => wins))
      descending((await ranked('discount')).map(({ discount }) => discount.median))
    })

    // Last, because it adds a project.
    test.runIf(by === 'memory')('counts a project that arrived while all awards were selected', async () => {
      const report = openReportMemory(db, { megabytes: 64 })
      let afterFlagging = async () => {}
      const rows: typeof report.rows = async (search, rowScope) => {
        const selected = await report.rows(search, rowScope)
        if (!selected) return undefined
        const flagRows = async () => {
          const flagged = await selected.flagRows()
          await afterFlagging()
          return flagged
        }
        return { ...selected, flagRows }
      }
      const companies = new CompanyFactCache(db, { megabytes: 64 })
      const cache = new AwardCache(db, { report: { ...report, rows }, companies }, { megabytes: 64 })
      await cache.load(scope.organisationId, scope)
      afterFlagging = async () => {
        afterFlagging = async () => {}
        await db.transaction(async (tx) => putProjects(tx, await addLoad(tx), [{ id: '67999999999' }]))
        await report.load()
      }
      const market = { ...scope, isMarket: true }
      const during = await cache.awardsOf({}, market)
      expect(during!.isCurrent()).toBe(false)
      const after = await cache.awardsOf({}, market)
      expect([after!.isCurrent(), after!.awards.found]).toEqual([true, during!.awards.found + 1])
      await cache.stop()
      await report.close()
    })
  })
