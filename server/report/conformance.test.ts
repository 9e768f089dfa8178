import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import { formatAgencyUnit, formatDistinctAgencyName } from '#contract/catalogue/agency-name.ts'
import {
  BID_STATES,
  CLOSING_SOON_DAYS,
  getBidState,
  getNearDeadlineKind,
  NEAR_DEADLINE_KINDS,
  type NearDeadlineKind,
} from '#contract/catalogue/bid-state.ts'
import { CONTRACT_END_PRESET_DAYS } from '#contract/catalogue/contract-end.ts'
import { isDoubtfulBudget } from '#contract/catalogue/data-issue.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import { decideEligibility } from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT, REPORT_DATE_PRESETS, type ReportRow } from '#contract/report/report.ts'
import {
  formatReportSearch,
  getActiveReportFilters,
  REPORT_FACET_NAMES,
  REPORT_PARAMS,
  type ReportFacetNames,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { saveQualifications } from '#server/account/qualification/queries.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { measureQualificationCoverage } from '#server/report/eligibility/measure-qualification-coverage.ts'
import { compileReportMatcher, REPORT_FILTER_SET } from '#server/report/filter/report-filters.ts'
import { rankByFit } from '#server/report/fit/rank-by-fit.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import { loadFilterToRelax } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine, onEachEngineInTurn, roundsOn } from '../../test/server/databases.ts'
import { parseSearch, searchArbitrary } from '../../test/world/any-search.ts'
import { REPORT_CASES } from '../../test/world/report-cases.ts'
import { addPopulation, TODAY } from '../../test/world/report-population.ts'
import { openReportMemory } from './report-engine.ts'
import { loadReportFilterContext } from './report-filter-context-for-tests.ts'
import { findReportAgencies, findReportFacets } from './report-lists.ts'
import type { ReportFilterContext, ReportScope } from './report-queries.ts'
import { presentReportRow } from './report-rows.ts'

const read = parseSearch
const namesOfKind = (kind: 'money' | 'dates') =>
  REPORT_PARAMS.filter((param) => param.kind === kind)
    .map(({ name }) => name)
    .sort()
const PACKAGE = { north: ['เชียงใหม่'], central: ['สมุทรปราการ'] }
/** A bidder for whom projects differ by budget, kind of work and days. */
const BIDDER: Qualifications = {
  ...EMPTY_QUALIFICATIONS,
  bidder_kind: 'company',
  net_worth: -1,
  credit_line: 25_000.13,
  credit_letter_on: addDays(TODAY, -88),
  has_anti_corruption_policy: true,
  classes: [{ branch: 'งานก่อสร้างทาง', grade: 5 }],
}
const WEEK_END = addDays(TODAY, CLOSING_SOON_DAYS)

// SQL runs on every engine, because results may differ. Memory runs on one engine per run, because other tests run the
// statements that load it on every engine.
for (const by of ['SQL', 'memory'] as const)
  (by === 'SQL' ? onEachEngine : onEachEngineInTurn)(`the report by ${by} and in plain code`, (makeDb) => {
    let db: OpenDb
    let memory: ReturnType<typeof openReportMemory> | undefined
    let scope: ReportScope
    let rows: ReportRow[]
    let context: ReportFilterContext

    /** Runs a query and asserts that the expected source (memory or SQL) answered it. */
    const checkedAnswer = async <T>(query: (reports: ReportEngine) => Promise<T>) => {
      const before = memory?.stats().answered.memory
      const answer = await query(createReportEngine(db, memory))
      if (before !== undefined) expect(memory!.stats().answered.memory - before).toBe(1)
      return answer
    }
    const pageOf = (search: ReportSearch) => checkedAnswer((reports) => reports.page(search, scope))

    const everyRow = async (search: ReportSearch) => {
      const presented: ReportRow[] = []
      for (let page = 1; ; page += 1) {
        const { stored } = await pageOf({ ...search, page, page_size: 100 })
        presented.push(...stored.rows.map(presentReportRow))
        if (page * 100 >= stored.total) return { stored, found: presented }
      }
    }
    afterAll(() => memory?.close())

    const expected = (search: ReportSearch) => rows.filter((row) => compileReportMatcher(search)(row, context))

    beforeAll(async () => {
      db = await makeDb()
      const { organisationId, userId, loads } = await addPopulation(db, matchDataLoadProjects)
      // The filter applies the package of today, which may differ from the one that the projects were matched with.
      await db.execute(
        sql`update organisations set areas_with_provinces = ${JSON.stringify(PACKAGE)}::jsonb where id = ${organisationId}::int`,
      )
      await saveQualifications(db, organisationId, BIDDER)
      if (by === 'memory') {
        memory = openReportMemory(db, { megabytes: 64 })
        await memory.load([organisationId])
      }
      scope = {
        organisationId,
        userId,
        today: TODAY,
        visit: { endedAt: '2026-11-20T02:00:00.000Z', loads: loads.slice(1) },
      }
      const tabs: ReportSearch[] = [{}, { is_archived: true }]
      rows = []
      for (const tab of tabs)
        rows.push(...(await everyRow(tab)).found, ...(await everyRow({ ...tab, project_hidden: true })).found)
      context = await loadReportFilterContext(db, scope, rows, { packageProvinces: new Set([50, 11]), bidder: BIDDER })
    })

    test('counted files match the listed files', async () => {
      const [first, second] = rows.filter((row) => !row.is_archived && !context.hidden.has(row.project_id))
      await db.execute(sql`
        insert into attachments (project_id, url, name, step, first_load)
        select ${first!.project_id}::text, 'https://process5.gprocurement.go.th/' || n, 'ไฟล์', 'invited', (select min(id) from loads) from generate_series(1, 2) n`)
      const search = read({ project_id__in: `${first!.project_id}||${second!.project_id}` })
      const rowsWith = (files: 'listed' | 'counted') =>
        checkedAnswer(async (reports) => {
          const { stored } = await reports.page(search, scope, files)
          return new Map(stored.rows.map((row) => [row.project_id, presentReportRow(row)]))
        })
      const [listed, counted] = [await rowsWith('listed'), await rowsWith('counted')]
      const summaries = [...counted].map(([id, { attachment_summary: summary }]) => [id, summary?.count])
      expect(summaries).toEqual([...listed].map(([id, { attachments }]) => [id, attachments?.length]))
      expect(counted.get(first!.project_id)!.attachment_summary).toEqual({
        count: 2,
        egp: 'https://process5.gprocurement.go.th/2',
      })
      expect(counted.get(second!.project_id)!.attachment_summary).toEqual({ count: 0, egp: null })
    })

    test('the population covers every filter', () => {
      expect(rows).toHaveLength(160)
      expect(new Set(rows.map((row) => row.project_id)).size).toBe(160)
      expect(context.hidden.size).toBeGreaterThan(10)
      for (const status of ['new', 'updated', 'no_change'])
        expect(rows.some((row) => row.change_status === status)).toBe(true)
      const stages = new Set(rows.map((row) => row.pursuit?.stage ?? 'none'))
      expect(stages).toEqual(new Set(['won', 'screened', 'pricing', 'gone', 'none']))
      expect(new Set(rows.map((row) => row.pursuit?.owner ?? null))).toEqual(new Set([scope.userId, null]))
      expect(rows.filter((row) => row.pursuit?.stage === null && row.pursuit.notes > 0).length).toBeGreaterThan(5)
      for (const { code } of BID_STATES)
        expect(rows.filter((row) => getBidState(row, TODAY) === code).length, code).toBeGreaterThan(8)
      for (const { code } of ELIGIBILITY_VERDICTS)
        expect(
          rows.filter((row) => decideEligibility(row, BIDDER, TODAY).verdict === code).length,
          code,
        ).toBeGreaterThan(8)
      for (const kind of NEAR_DEADLINE_KINDS)
        expect(rows.filter((row) => getNearDeadlineKind(row, TODAY, WEEK_END) === kind).length, kind).toBeGreaterThan(1)
      const inDoubt = rows.filter(({ doubts = [] }) => doubts.some(isDoubtfulBudget))
      expect(new Set(inDoubt.map(({ budget }) => budget === null)).size).toBe(2)
      expect(rows.some((row) => row.budget === null) && rows.some((row) => row.project_province === null)).toBe(true)
    })

    const agrees = async (flat: Record<string, string>) => {
      const search = read(flat)
      const { stored, found: presented } = await everyRow(search)
      const expectedRows = expected(search)
      expect(presented).toHaveLength(expectedRows.length)
      expect(new Set(presented.map((row) => row.project_id))).toEqual(
        new Set(expectedRows.map((row) => row.project_id)),
      )
      expect(stored.total).toBe(expectedRows.length)
      const budgets = expectedRows.reduce((sum, row) => sum + BigInt(Math.round((row.budget ?? 0) * 100)), 0n)
      expect(BigInt(stored.total_budget_satang)).toBe(budgets)
      const inDoubt = expectedRows.filter(({ budget, doubts = [] }) => budget === null && doubts.some(isDoubtfulBudget))
      expect(stored.amounts_in_doubt).toBe(inDoubt.length)
      // Counters ignore filters and exclude hidden projects; only since_visit is counted within the filters.
      const isArchived = getArchivedScope(search) ?? null
      const tab = rows.filter((row) => isArchived === null || row.is_archived === isArchived)
      const visible = tab.filter((row) => !context.hidden.has(row.project_id))
      expect([stored.all, stored.hidden_by_user]).toEqual([visible.length, tab.length - visible.length])
      expect([stored.new, stored.updated]).toEqual(
        ['new', 'updated'].map((status) => visible.filter((row) => row.change_status === status).length),
      )
      const isDue = (kind: NearDeadlineKind) =>
        visible.filter((row) => getNearDeadlineKind(row, TODAY, WEEK_END) === kind).length
      expect([stored.submission_7d, stored.discussion_7d]).toEqual([isDue('closing'), isDue('comment')])
      expect(stored.since_visit).toBe(expectedRows.filter((row) => context.sinceVisit.has(row.project_id)).length)
    }

    test.each(REPORT_CASES.map((flat) => ({ title: new URLSearchParams(flat).toString(), flat })))(
      'agree on $title',
      ({ flat }) => agrees(flat),
    )

    test('some cases find rows and some find none', () => {
      const sizes = REPORT_CASES.map((flat) => expected(read(flat)).length)
      expect(sizes.filter((size) => size > 0).length).toBeGreaterThan(45)
      expect(sizes.filter((size) => size === 0).length).toBeGreaterThan(1)
    })

    test('agree on any search', async () => {
      await fc.assert(fc.asyncProperty(searchArbitrary, agrees), { numRuns: roundsOn(db, 150) })
    }, 300_000)

    test('the coverage of the qualifications counts the open projects of the report', async () => {
      const open = expected(read({ project_bidding__in: 'open' }))
      const decided = open.filter((row) => decideEligibility(row, BIDDER, TODAY).verdict !== 'unknown')
      const coverage = await checkedAnswer((reports) => measureQualificationCoverage(db, reports, scope))
      expect([coverage.open, coverage.decided]).toEqual([open.length, decided.length])
      expect(decided.length).toBeGreaterThan(0)
      expect(coverage.answers.bidder_kind.decided).toBeGreaterThan(0)
    })

    const countWith = (search: ReportSearch, name: string, text: string) =>
      expected(read({ ...without(search, name), [name]: text })).length
    const without = (search: ReportSearch, name: string) => {
      const flat = formatReportSearch(search)
      delete flat[name]
      return flat
    }

    const facetsAgree = async (flat: Record<string, string>) => {
      const search = read(flat)
      const facets = await checkedAnswer((reports) => findReportFacets(reports, search, scope))
      const values: { readonly [Name in ReportFacetNames['options']]: readonly string[] } = {
        project_change_status__in: ['new', 'updated', 'no_change'],
        project_bidding__in: BID_STATES.map((state) => state.code),
        project_status__in: [...new Set(rows.map((row) => row.status))],
        project_movement__in: [...new Set(rows.map((row) => row.movement))],
        project_method__in: [...new Set(rows.map((row) => row.method))],
        project_method_type__in: [...new Set(rows.map((row) => row.method_type))],
        project_criteria_for_consideration: [...new Set(rows.map((row) => row.criteria))],
        project_province__in: [...new Set(rows.flatMap((row) => row.project_province ?? []))],
        project_province_dept_sub__in: [...new Set(rows.flatMap((row) => row.dept_province ?? []))],
        check_sme: ['true'],
        project_package_province: ['true'],
        project_eligibility__in: ELIGIBILITY_VERDICTS.map(({ code }) => code),
        project_bookmark: ['true'],
        project_hidden: ['true'],
        project_label__in: ['l1', 'l2', 'l3', 'none'],
        team_label__in: ['t1', 't2', 't3', 'none'],
        pursuit_stage__in: ['won', 'screened', 'pricing', 'gone', 'none'],
        pursuit_owner__in: [String(scope.userId), 'none'],
        pursuit_has_notes: ['true'],
        ends_within: CONTRACT_END_PRESET_DAYS.map(String),
      }
      expect(new Set(Object.keys(facets.options))).toEqual(new Set(Object.keys(values)))
      for (const name of REPORT_FACET_NAMES.options) {
        const counted = values[name]
          .map((value) => ({ value, count: countWith(search, name, value) }))
          .filter(({ count }) => count > 0)
        const byValue = (a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1)
        expect([...facets.options[name]!].sort(byValue), name).toEqual(counted.sort(byValue))
      }
      expect(Object.keys(facets.money).sort()).toEqual(namesOfKind('money'))
      expect(Object.keys(facets.dates).sort()).toEqual(namesOfKind('dates'))
      for (const name of REPORT_FACET_NAMES.money) {
        const { bins } = facets.money[name]!
        const counted = [0, ...MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT].map((from, bin) => {
          const above = bin === 0 ? 0 : Math.round(from * 100 + 1) / 100
          return countWith(search, name, `${above},${MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT[bin] ?? ''}`)
        })
        expect(bins, name).toEqual(counted)
      }
      for (const kind of NEAR_DEADLINE_KINDS) {
        // `due` ignores the filters for bid state and for the date, but one at a time: rows that fail both are not
        // counted.
        const within = [
          search,
          ...REPORT_FILTER_SET.deadlineFilters[kind].map((name) => read(without(search, name))),
        ].flatMap(expected)
        const due = new Set(within.filter((row) => getNearDeadlineKind(row, TODAY, WEEK_END) === kind))
        expect(facets.due![kind], kind).toBe(due.size)
      }
      for (const name of REPORT_FACET_NAMES.dates) {
        const presets = facets.dates[name]
        const counted = REPORT_DATE_PRESETS.map(({ value }) => ({ value, count: countWith(search, name, value) }))
        expect(presets, name).toEqual(counted.filter(({ count }) => count > 0))
      }
    }

    test.each([
      { ai_deep_search__in: 'กล้องวงจรปิด' },
      { ai_deep_search__in: 'กล้องวงจรปิด||ยางรถยนต์' },
      { ai_deep_search__in: 'กล้องวงจรปิด||ยางรถยนต์', ai_deep_from: '60' },
      { ai_deep_search__in: 'ยา||ถนน', is_archived: 'true' },
      { ai_deep_search__in: 'ยา||ถนน', ordering: 'project_budget' },
      { ai_deep_search__in: 'ซ่อม||ก่อสร้าง||ปรับปรุง', project_hidden: 'true' },
    ] as Record<string, string>[])(
      'memory orders what %o finds by meaning like SQL, with the same scores',
      async (flat) => {
        for (const page of [1, 2, 3]) {
          const search = { ...read(flat), page, page_size: 7 }
          const bySql = await createReportEngine(db).page(search, scope)
          const { stored } = await pageOf(search)
          const scores = ({ rows }: typeof stored) => rows.map(({ project_id, deep }) => ({ project_id, deep }))
          expect(scores(stored)).toEqual(scores(bySql.stored))
          if (page === 1 && !search.project_hidden)
            expect(stored.rows.filter(({ deep }) => deep).length).toBeGreaterThan(0)
        }
      },
    )

    describe('facet counts equal the result of applying each option', () => {
      test.each([
        {},
        { is_archived: 'true' },
        { project_status__in: 'in_progress', check_sme: 'true' },
        { project_label__in: 'l1', project_bookmark: 'true' },
        { project_hidden: 'true', project_label__in: 'l1||none' },
        { pursuit_stage__in: 'screened||none', pursuit_owner__in: '<<none', check_sme: 'true' },
        { pursuit_has_notes: 'true', project_hidden: 'true' },
        { team_label__in: 't1||none', project_label__in: 'l1' },
        { project_package_province: 'true', project_agency__in: '<<กรุงเทพมหานคร' },
        { ends_within: '60' },
        { ends_within: '180', is_archived: 'true' },
      ])('for %o', (flat) => facetsAgree(flat as Record<string, string>))
      test('for any search', async () => {
        await fc.assert(fc.asyncProperty(searchArbitrary, facetsAgree), { numRuns: roundsOn(db, 15) })
      }, 300_000)
    })

    describe('agencies of a search', () => {
      const valuesOf = ({ dept_name: name, dept_sub_name: unit, dept_province: province }: ReportRow) => {
        const agency = formatDistinctAgencyName(name, province)
        return unit === '' || unit === name ? [agency] : [agency, formatAgencyUnit(agency, unit)]
      }
      const agenciesAgree = async (flat: Record<string, string>, text: string) => {
        const search = read(flat)
        const { total, results } = await checkedAnswer((reports) => findReportAgencies(reports, search, scope, text))
        const words = text.split(' ').filter(Boolean)
        const values = [...new Set(rows.flatMap(valuesOf))].filter((value) =>
          words.length === 0 ? !value.includes('›') : words.every((word) => value.includes(word)),
        )
        const counted = (options: readonly string[]) =>
          options
            .map((value) => ({ value, count: countWith(search, 'project_agency__in', value) }))
            .filter(({ count }) => count > 0)
        const selected = (search.project_agency__in?.values ?? []).filter((value) => !values.includes(value))
        const byValue = (a: { value: string }, b: { value: string }) => (a.value < b.value ? -1 : 1)
        expect(total).toBe(counted(values).length)
        expect([...results].sort(byValue)).toEqual(counted([...values, ...selected]).sort(byValue))
        const counts = results.slice(0, total).map(({ count }) => count)
        expect(counts).toEqual(counts.toSorted((a, b) => b - a))
      }
      test.each([
        [{}, ''],
        [{}, 'เทศบาล'],
        [{ is_archived: 'true' }, 'ABC เชียงใหม่'],
        [{}, 'นครราชสีมา กองช่าง'],
        [{}, 'ไม่มีหน่วยงานนี้'],
        [{ project_agency__in: 'เทศบาลเมือง ABC||เทศบาลเมือง ABC › กองช่าง' }, ''],
        [{ project_agency__in: '<<กรุงเทพมหานคร', project_hidden: 'true' }, 'กรม'],
      ] as [Record<string, string>, string][])('for %o and the text "%s"', agenciesAgree)
      test('for any search', async () => {
        await fc.assert(fc.asyncProperty(searchArbitrary, fc.constantFrom('', 'ABC', 'กอง', 'ตัวอย่าง'), agenciesAgree), {
          numRuns: roundsOn(db, 40),
        })
      }, 300_000)
    })

    const NOTHING: readonly Record<string, string>[] = [
      { project_movement__in: 'ไม่เคยมี' },
      { project_name__in: 'ไม่มีคำนี้' },
      { project_winner_name__in: 'ไม่มีคำนี้' },
      { project_search__in: 'ไม่มีคำนี้' },
      { document_text__in: 'ลับของคนอื่น' },
      { project_name__in: 'ยางรถยนต์<<ยาง', project_dept_sub__in: 'กองช่าง' },
      { project_name__in: 'ยางรถยนต์', project_status__in: 'in_progress', project_id__in: '1' },
    ]

    test('filter_to_relax names the filter whose removal brings back most rows', async () => {
      let seen = 0
      await fc.assert(
        fc.asyncProperty(searchArbitrary, fc.constantFrom(...NOTHING), async (flat, nothing) => {
          const search = read({ ...flat, ...nothing, project_budget__range: '100000,' })
          const regained = getActiveReportFilters(search).map((name) => expected(read(without(search, name))).length)
          const best = Math.max(...regained)
          const filterToRelax = memory
            ? (await pageOf(search)).filterToRelax
            : await loadFilterToRelax(db, search, scope)
          expect(filterToRelax?.total ?? 0).toBe(best)
          if (filterToRelax) {
            seen += 1
            expect(expected(read(without(search, filterToRelax.parameter)))).toHaveLength(best)
          }
        }),
        { numRuns: 60 },
      )
      expect(seen).toBeGreaterThan(10)
    })

    const SORTED = {
      project_budget: (row) => row.budget,
      project_estimate_budget: (row) => row.estimate_budget,
      project_winner_budget: (row) => row.winner_budget,
      draft_published_date: (row) => row.draft_published_date,
      draft_discussion_end_date: (row) => row.draft_discussion_end_date,
      bidding_invite_date: (row) => row.bidding_invite_date,
      submission_end_date: (row) => row.submission_end_date,
      // Stages sort in board order; a deleted stage has no position.
      pursuit_stage: (row) => {
        const position = ['won', 'screened', 'pricing'].indexOf(row.pursuit?.stage ?? '')
        return position === -1 ? null : position
      },
      pursuit_notes: (row) => row.pursuit?.notes || null,
    } satisfies Record<string, (row: ReportRow) => string | number | null>

    test.each([undefined, ...Object.keys(SORTED).flatMap((field) => [field, `-${field}`])])(
      'sorts by %s with unknown values last and ids as tie-breaker',
      async (ordering) => {
        const field = ordering?.replace('-', '') as keyof typeof SORTED | undefined
        const sortedBy = field ? SORTED[field] : (row: ReportRow) => row.movement_date
        const direction = ordering === undefined || ordering.startsWith('-') ? -1 : 1
        const expectedRows = expected({}).sort((a, b) => {
          const [x, y] = [sortedBy(a), sortedBy(b)]
          if (x !== y) return x === null ? 1 : y === null ? -1 : x < y ? -direction : direction
          return a.project_id < b.project_id ? -1 : 1
        })
        const { found: presented } = await everyRow(ordering === undefined ? {} : { ordering })
        expect(presented.map((row) => row.project_id)).toEqual(expectedRows.map((row) => row.project_id))
      },
    )

    test('orders what can be acted on by fit with reasons, and everything else newest first', async () => {
      // Before `rankByFit`, which would cache the projects that the database selects.
      const { stored, found } = await everyRow({ ordering: FIT_ORDERING })
      const { scores, evidence } = await rankByFit(db, scope)
      const newest = expected({}).sort(
        (a, b) =>
          (b.movement_date ?? '').localeCompare(a.movement_date ?? '') || (a.project_id < b.project_id ? -1 : 1),
      )
      const actionable = newest.filter((row) => ['open', 'upcoming'].includes(getBidState(row, TODAY)))
      const ordered = actionable.sort((a, b) => scores!.get(b.project_id)! - scores!.get(a.project_id)!)
      const ids = ordered.map((row) => row.project_id)
      expect(found.map((row) => row.project_id)).toEqual([
        ...ids,
        ...newest.flatMap((row) => (ids.includes(row.project_id) ? [] : [row.project_id])),
      ])
      expect(found.map(({ fit }) => fit !== undefined)).toEqual(found.map((_, index) => index < ids.length))
      expect(found.flatMap(({ fit }) => fit?.score ?? [])).toEqual(ids.map((id) => Math.round(scores!.get(id)! / 100)))
      expect(found[0]!.fit!.reasons.length).toBeGreaterThan(0)
      expect(stored.fit).toEqual(evidence)
      expect(evidence.starred + evidence.won + evidence.bid).toBeGreaterThan(5)
    })
  })
