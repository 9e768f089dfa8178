import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND,
  UNUSUAL_AWARD_PATTERN_CODES,
  type UnusualAwardPatterns,
} from '#contract/market/unusual-award-patterns.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import type { SearchAwardSet, WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import { loadAwardProjectIds, loadFigureProjectIds } from '#server/market/who-wins/load-figure-project-ids.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { withAwards, withPurchaseAwards } from '#server/market/who-wins/with-awards.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openReportMemory } from '#server/report/report-engine.ts'
import { onEachEngine, onEachEngineInTurn } from '../../../../test/server/databases.ts'
import { parseSearch, searchArbitrary } from '../../../../test/world/any-search.ts'
import { inventProjects } from '../../../../test/world/invented-wins.ts'
import { inventOddAwards } from '../../../../test/world/odd-awards.ts'
import { addPopulation, TODAY } from '../../../../test/world/report-population.ts'
import { addLoad } from '../../../../test/world/report-world.ts'
import { putWonProjects } from '../../../../test/world/won-projects.ts'
import { buildUnusualAwardPatternSheets, loadUnusualAwardPatternWorkbookData } from './build-sign-sheets.ts'
import {
  computeReferenceUnusualAwardPatterns,
  loadReferenceUnusualAwardPatternData,
  type ReferenceUnusualAwardPatternData,
  serialiseUnusualAwardPattern,
} from './plain-signs-for-tests.ts'
import { presentUnusualAwardPatterns } from './present-signs.ts'

/** Filters that use the organisation's matches or a user's marks. A search of the whole market rejects them. */
const OURS = /change_status|bookmark|label|hidden|since_visit|deep_search|pursuit_|document_text/
const marketOnly = (flat: Record<string, string>) =>
  Object.fromEntries(Object.entries(flat).filter(([name]) => !OURS.test(name)))
const QUESTIONS: readonly Record<string, string>[] = [
  {},
  { project_dept_sub__in: 'สำนัก' },
  { project_dept_sub__in: 'สำนักสองราย' },
  { project_method__in: 'specific' },
  { project_name__in: 'กล้อง' },
  { project_name__in: 'ไม่มีคำนี้' },
]

for (const by of ['SQL', 'memory'] as const)
  (by === 'SQL' ? onEachEngine : onEachEngineInTurn)(`unusual award patterns by ${by}`, (makeDb) => {
    let db: OpenDb
    let scope: WhoWinsScope
    let memory: AwardCache | undefined
    let plain: ReferenceUnusualAwardPatternData

    beforeAll(async () => {
      db = await makeDb()
      const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects)
      const load = await addLoad(db)
      await putWonProjects(db, load, [...inventProjects(3), ...inventOddAwards()])
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      await updateCompanyFacts(db)
      scope = { organisationId, userId, today: TODAY, visit: undefined, isMarket: true }
      plain = await loadReferenceUnusualAwardPatternData(db)
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
      query: (awards: SearchAwardSet) => Promise<T>,
      isMarket = true,
    ): Promise<T> {
      const before = memory?.answered
      const answer = await withAwards({ db, memory }, search, { ...scope, isMarket }, query)
      if (memory && !search.ai_deep_search__in)
        expect(memory.answered).toEqual({ ...before, memory: before!.memory + 1 })
      return answer
    }

    function agree(answer: Omit<UnusualAwardPatterns, 'ignored_parameters'>, projectIds: ReadonlySet<string>): void {
      const expected = computeReferenceUnusualAwardPatterns(plain, projectIds)
      expect(answer.kinds.map(({ sign }) => sign)).toEqual(UNUSUAL_AWARD_PATTERN_CODES)
      expect(answer.total).toBe(UNUSUAL_AWARD_PATTERN_CODES.reduce((sum, sign) => sum + expected[sign].lines.length, 0))
      for (const { sign, projects, groups, total, results } of answer.kinds) {
        const { lines, ...counts } = expected[sign]
        expect({ sign, projects, groups, total }).toEqual({ sign, ...counts, total: lines.length })
        expect(results).toHaveLength(Math.min(total, MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND))
        const presented = results.map((fact) => sorted(serialiseUnusualAwardPattern(fact)))
        expect(lines.map(sorted)).toEqual(expect.arrayContaining(presented))
        expect(new Set(presented).size).toBe(presented.length)
      }
    }
    const sorted = (line: string) => Object.entries(JSON.parse(line)).sort(([a], [b]) => (a < b ? -1 : 1))

    test('each equals plain arithmetic over the projects of the search', async () => {
      const totals = { most: 0, none: 0 }
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.constantFrom(...QUESTIONS), searchArbitrary), async (flat) => {
          const search = parseSearch(marketOnly(flat))
          const [answer, projectIds] = await checkedAnswer(search, async (awards) => [
            await presentUnusualAwardPatterns(db, awards),
            new Set([...awards.matchedOrders()].map(awards.idOfOrder)),
          ])
          agree(answer, projectIds)
          totals.most = Math.max(totals.most, answer.total)
          if (answer.total === 0) totals.none += 1
        }),
        { numRuns: 15, examples: QUESTIONS.map((flat) => [flat]) },
      )
      expect(totals.most).toBeGreaterThanOrEqual(UNUSUAL_AWARD_PATTERN_CODES.length)
      expect(totals.none).toBeGreaterThan(0)
    }, 300_000)

    test('each kind is found where it occurs, without naming natural persons', async () => {
      const search = parseSearch({ project_dept_sub__in: 'สำนัก' })
      const { kinds } = await checkedAnswer(search, (awards) => presentUnusualAwardPatterns(db, awards))
      const agencies = Object.fromEntries(kinds.map(({ sign, results }) => [sign, results.map(({ agency }) => agency)]))
      expect(agencies).toMatchObject({
        buyer_share: expect.arrayContaining(['สำนักส่วนแบ่ง']),
        two_winners: expect.arrayContaining(['สำนักสองราย']),
        same_two: [null],
        one_bidder: ['สำนักยื่นรายเดียว'],
        low_discount: ['สำนักชิดราคากลาง'],
        above_reference: ['สำนักเกินราคากลาง'],
        below_threshold: expect.arrayContaining(['สำนักใต้เส้น', 'สำนักไร้หน่วย']),
      })
      const of = (sign: string, agency: string | null) =>
        kinds.find((kind) => kind.sign === sign)!.results.find((fact) => fact.agency === agency)!
      // The share is 61 of 85 million. Cancelled projects are in neither sum, unknown prices are not added, and other
      // years do not count.
      expect(of('buyer_share', 'สำนักส่วนแบ่ง')).toMatchObject({ count: 8, n: 13, value: 61_000_000, whole: 85_000_000 })
      // The two companies won eleven of twelve projects: one that both won counts once, one that a natural person won
      // does not count.
      expect(of('two_winners', 'สำนักสองราย')).toMatchObject({ count: 11, n: 12 })
      expect(of('same_two', null)).toMatchObject({ count: 8, n: 9 })
      expect(of('one_bidder', 'สำนักยื่นรายเดียว')).toMatchObject({ count: 8, n: 14 })
      expect(of('low_discount', 'สำนักชิดราคากลาง')).toMatchObject({ count: 12, n: 13 })
      expect(of('above_reference', 'สำนักเกินราคากลาง')).toMatchObject({ count: 6, n: 13 })
      expect(of('below_threshold', 'สำนักใต้เส้น')).toMatchObject({
        unit: 'กองคลัง',
        month: '2025-03',
        count: 6,
        n: 7,
        beside: 1,
        winners: 2,
        of_one: 5,
        value: 2_860_000,
      })
      expect(of('below_threshold', 'สำนักไร้หน่วย')).toMatchObject({ unit: null, count: 5, n: 5, of_one: 5 })
      expect(JSON.stringify(kinds)).not.toContain('ใจดี')
    })

    test('agencies with one name are distinguished by province, and a unit named like its agency is not repeated', async () => {
      const search = parseSearch({ project_dept_sub__in: 'เทศบาลตำบลใต้เส้น' })
      const { kinds } = await checkedAnswer(search, (awards) => presentUnusualAwardPatterns(db, awards))
      const { groups, results } = kinds.find(({ sign }) => sign === 'below_threshold')!
      expect(groups).toBe(2)
      expect(results.map(({ agency, unit, province, count, n }) => ({ agency, unit, province, count, n }))).toEqual([
        { agency: 'เทศบาลตำบลใต้เส้น จ.ขอนแก่น', unit: null, province: null, count: 6, n: 6 },
        { agency: 'เทศบาลตำบลใต้เส้น (ไม่ทราบจังหวัด)', unit: 'กองคลัง', province: null, count: 5, n: 5 },
      ])
    })

    test('the purchases of an agency have the signs and rows of its projects', async () => {
      const units = await db.query<{ id: number }>(sql`select d.id from departments d where d.name = 'สำนักส่วนแบ่ง'`)
      const purchases = { units: units.map(({ id }) => id) }
      const [answer, rows] = await withPurchaseAwards({ db, memory }, purchases, scope, async (awarded) => {
        const signs = await presentUnusualAwardPatterns(db, awarded)
        const [fact] = signs.kinds[0]!.results
        return [signs, await loadAwardProjectIds(db, awarded, fact!.rows, 10)] as const
      })
      const agencySpending = plain.spending.filter(({ agency }) => agency === 'สำนักส่วนแบ่ง')
      agree(answer, new Set(agencySpending.map(({ project }) => project)))
      expect(answer.kinds[0]).toMatchObject({ sign: 'buyer_share', total: 1, results: [{ count: 8, n: 13 }] })
      expect(rows?.total).toBe(8)
    })

    test('every figure opens as many projects as it counts, for our projects and the market', async () => {
      for (const isMarket of [true, false]) {
        const figures = await checkedAnswer(
          {},
          async (awards) => {
            const { kinds } = await presentUnusualAwardPatterns(db, awards)
            const named = kinds.flatMap(({ results }) =>
              results.flatMap((fact): [string, number][] => [
                [fact.rows, fact.count],
                [fact.n_rows, fact.n],
                ...(fact.beside_rows === null ? [] : [[fact.beside_rows, fact.beside!] as [string, number]]),
                ...(fact.one_rows === null ? [] : [[fact.one_rows, fact.of_one!] as [string, number]]),
              ]),
            )
            return await Promise.all(
              named.map(async ([rows, n]) => ({
                rows,
                n,
                opened: (await loadFigureProjectIds(db, awards, rows, 1_000))?.total,
              })),
            )
          },
          isMarket,
        )
        expect(figures.length).toBeGreaterThan(14)
        for (const { rows, n, opened } of figures) expect([rows, opened]).toEqual([rows, n])
      }
      for (const unknown of [
        'buyer_share:x',
        'agency_year:2568',
        'met:1',
        'below_threshold:2025-03',
        'two_winners:1:กรม',
      ])
        expect(await checkedAnswer({}, (awards) => loadFigureProjectIds(db, awards, unknown, 10))).toBeUndefined()
    })

    test('the file has each sign with its projects', async () => {
      const { kinds } = await checkedAnswer({}, (awards) => presentUnusualAwardPatterns(db, awards))
      const fileSigns = await checkedAnswer({}, (awards) => loadUnusualAwardPatternWorkbookData(db, awards))
      expect(fileSigns.signs.map(({ fact, ids, total }) => [fact.rows, ids.length, total])).toEqual(
        kinds.flatMap(({ results }) => results.map(({ rows, count }) => [rows, count, count])),
      )
      const [sheet] = buildUnusualAwardPatternSheets(
        async () => fileSigns,
        async () => [],
      )
      const rows = []
      for await (const page of sheet!.pages) rows.push(...page)
      expect(rows).toHaveLength(fileSigns.signs.length)
      for (const row of rows) expect(row).toHaveLength(sheet!.columns.length)
      const [count] = await db.query<{ n: number }>(sql`select count(*)::int as n from projects`)
      expect(count!.n).toBeGreaterThan(fileSigns.signs.length)
    })
  })
