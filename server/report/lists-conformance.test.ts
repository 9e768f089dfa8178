import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EMPTY_QUALIFICATIONS } from '#contract/account/qualification.ts'
import {
  CLOSING_SOON_DAYS,
  getBidState,
  getNearDeadlineKind,
  NEAR_DEADLINE_KINDS,
} from '#contract/catalogue/bid-state.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import {
  getMorningFigures,
  MAX_MORNING_QUEUE_SECTION_SIZE,
  MORNING_QUEUE_KINDS,
} from '#contract/report/morning-queue.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { findExportList } from '#server/report/export/export-list.ts'
import { compileReportMatcher } from '#server/report/filter/report-filters.ts'
import { rankByFit } from '#server/report/fit/rank-by-fit.ts'
import { findWeekFigures, getWeekClosingSearch } from '#server/report/morning-queue/week-figures.ts'
import { onEachEngine, onEachEngineInTurn, roundsOn } from '../../test/server/databases.ts'
import { parseSearch, searchArbitrary } from '../../test/world/any-search.ts'
import { addPopulation, TODAY } from '../../test/world/report-population.ts'
import { createReportEngine, openReportMemory, type ReportMemory } from './report-engine.ts'
import { loadReportFilterContext } from './report-filter-context-for-tests.ts'
import { findProjectsPassingSearches, findReportProjectIds, findReportSuggestions } from './report-lists.ts'
import type { ReportEngine, ReportFilterContext, ReportScope } from './report-queries.ts'
import { presentReportRow } from './report-rows.ts'

/** 09:00 in Bangkok. */
const NOW = new Date(`${TODAY}T02:00:00Z`)

const anyOrder = fc.constantFrom(
  undefined,
  'project_budget',
  '-submission_end_date',
  '-project_winner_budget',
  '-pursuit_notes',
  FIT_ORDERING,
)
const anyAddress = fc
  .tuple(searchArbitrary, anyOrder)
  .map(([flat, ordering]) => (ordering === undefined ? flat : { ...flat, ordering }))
const SORTED: Record<string, (row: ReportRow) => string | number | null> = {
  project_budget: (row) => row.budget,
  '-submission_end_date': (row) => row.submission_end_date,
  '-project_winner_budget': (row) => row.winner_budget,
  '-pursuit_notes': (row) => row.pursuit?.notes || null,
}
/** Compares rows in report order: unknown values last in both directions, ties by id. */
const inOrder = (ordering: string | undefined) => (a: ReportRow, b: ReportRow) => {
  const sortedBy = ordering === undefined ? (row: ReportRow) => row.movement_date : SORTED[ordering]!
  const [x, y] = [sortedBy(a), sortedBy(b)]
  if (x !== y) return x === null ? 1 : y === null ? -1 : x < y === (ordering === 'project_budget') ? -1 : 1
  return a.project_id < b.project_id ? -1 : 1
}
/** Scores first, the best first; the other rows and equal scores are newest first. */
const inFitOrder = (scores: ReadonlyMap<string, number>) => (a: ReportRow, b: ReportRow) =>
  (scores.get(b.project_id) ?? -1) - (scores.get(a.project_id) ?? -1) || inOrder(undefined)(a, b)
const TABS: readonly ReportSearch[] = [{}, { is_archived: true }]
const HIDDEN: readonly ReportSearch[] = [{}, { project_hidden: true }]

/**
 * All other report queries agree with the report pages, or with the same filters in plain code, both by SQL and from
 * memory; `conformance.test.ts` checks the pages against plain code.
 */
// SQL runs on every engine, because results may differ. Memory runs on one engine per run, because other tests run the
// statements that load it on every engine.
for (const by of ['SQL', 'memory'] as const)
  (by === 'SQL' ? onEachEngine : onEachEngineInTurn)(`ids, counts, queue, exports and mails by ${by}`, (makeDb) => {
    let db: OpenDb
    let memory: ReportMemory | undefined
    let reports: ReportEngine
    let scope: ReportScope
    let everything: ReportRow[]
    let context: ReportFilterContext
    let fitScores: ReadonlyMap<string, number>
    let latest: number
    let decisions: Map<string, { load: number; day: string }>

    beforeAll(async () => {
      db = await makeDb()
      const { organisationId, userId, loads } = await addPopulation(db, matchDataLoadProjects)
      latest = loads.at(-1)!
      // The previous visit ended between the two loads.
      const seen = '2026-11-20T02:00:00.000Z'
      await db.execute(
        sql`update users set previous_visit_at = ${seen}, last_seen_at = ${NOW.toISOString()} where id = ${userId}::int`,
      )
      await db.execute(sql`update loads set published_at = '2026-11-19T02:00:00Z' where id = ${loads[0]!}::bigint`)
      await db.execute(sql`update loads set published_at = '2026-11-21T01:00:00Z' where id = ${latest}::bigint`)
      scope = { organisationId, userId, today: TODAY, visit: { endedAt: seen, loads: loads.slice(1) } }
      memory = by === 'memory' ? openReportMemory(db, { megabytes: 64 }) : undefined
      reports = createReportEngine(db, memory)
      fitScores = (await rankByFit(db, scope)).scores!
      everything = []
      for (const archived of TABS)
        for (const hidden of HIDDEN) everything.push(...(await rowsOf({ ...archived, ...hidden })))
      const packageProvinces = new Set(PROVINCES.map(({ code }) => code))
      context = await loadReportFilterContext(db, scope, everything, { packageProvinces, bidder: EMPTY_QUALIFICATIONS })
      decisions = new Map()
      for (const [i, { project_id }] of everything.entries()) {
        if (i % 3 !== 0) continue
        const decision = { load: loads[i % loads.length]!, day: addDays(TODAY, -(i % 11)) }
        decisions.set(project_id, decision)
        await db.execute(sql`
          insert into queue_decisions (user_id, project_id, load_id, decided_on)
          values (${userId}::int, ${project_id}, ${decision.load}::bigint, ${decision.day}::date)`)
      }
      await memory?.load([organisationId])
    })
    afterAll(() => memory?.close())

    async function rowsOf(search: ReportSearch): Promise<ReportRow[]> {
      const rows: ReportRow[] = []
      for (let page = 1; ; page += 1) {
        const { stored } = await createReportEngine(db).page({ ...search, page, page_size: 100 }, scope)
        rows.push(...stored.rows.map(presentReportRow))
        if (page * 100 >= stored.total) return rows
      }
    }

    /** Returns the rows of a search in any order, by plain code: a tenth of the time of `rowsOf`. */
    const filterRows = (search: ReportSearch) => {
      const matches = compileReportMatcher(search)
      return everything.filter((row) => matches(row, context))
    }

    /** Runs a query and asserts that the expected source (memory or SQL) answered it. */
    async function checkedAnswer<T>(query: () => Promise<T>): Promise<T> {
      const before = memory?.stats().answered
      const answer = await query()
      const after = memory?.stats().answered
      if (before && after) expect(after).toEqual({ ...before, memory: before.memory + 1 })
      return answer
    }

    test('ids and exports match the pages in order and number', async () => {
      await fc.assert(
        fc.asyncProperty(anyAddress, fc.constantFrom(3, 200_000), async (flat, limit) => {
          const search = parseSearch(flat)
          const ids = (await rowsOf(search)).map((row) => row.project_id)
          expect(filterRows(search).map((row) => row.project_id)).toEqual(expect.arrayContaining(ids))
          expect(filterRows(search)).toHaveLength(ids.length)
          expect(await checkedAnswer(() => findReportProjectIds(reports, search, scope))).toEqual({
            ids,
            total: ids.length,
          })
          const list = await checkedAnswer(() =>
            findExportList(db, reports, formatReportSearch(search), { ...scope, at: NOW }, limit),
          )
          expect({ ...list, dataTime: new Date(list.dataTime!).toISOString() }).toEqual({
            ids: ids.slice(0, limit),
            found: ids.length,
            load: latest,
            dataTime: '2026-11-21T01:00:00.000Z',
          })
        }),
        { numRuns: roundsOn(db, 60) },
      )
    }, 300_000)

    test('suggestions are the first rows of both tabs, including hidden ones', async () => {
      let hidden = 0
      for (const expression of ['จ้าง', 'ซื้อ', 'ถนน<<ก่อสร้าง', 'ไม่มีโครงการชื่อนี้', 'โครงการ']) {
        const parts = TABS.flatMap((tab) =>
          HIDDEN.map((hiddenFilter) => ({ ...tab, ...hiddenFilter, project_search__in: expression })),
        )
        const rows = (await Promise.all(parts.map(rowsOf))).flat()
        rows.sort((a, b) => Number(a.is_archived) - Number(b.is_archived) || inOrder(undefined)(a, b))
        const suggested = await checkedAnswer(() => findReportSuggestions(db, reports, expression, scope))
        expect(suggested.map((suggestion) => suggestion.project_id)).toEqual(
          rows.slice(0, 5).map((row) => row.project_id),
        )
        hidden += suggested.filter((suggestion) => suggestion.is_hidden).length
      }
      expect(hidden).toBeGreaterThan(0)
    }, 120_000)

    test('counts several searches at once, and finds for given projects the searches that match', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(searchArbitrary, { maxLength: 5 }), fc.nat(7), async (flats, every) => {
          const searches = flats.map(parseSearch)
          const rowLists = searches.map(filterRows)
          const counts = rowLists.map((rows) => ({
            total: rows.length,
            new: rows.filter((row) => row.change_status === 'new').length,
            archived: rows.filter((row) => row.is_archived).length,
            ids: undefined,
          }))
          const bySql = memory?.stats().answered.sql
          const { lists } = await reports.ids(searches, scope, { limit: 0 })
          expect(lists.map((list) => ({ ...list, ids: undefined }))).toEqual(counts)
          const given = everything.map((row) => row.project_id).filter((_, i) => i % (every + 1) === 0)
          given.reverse().push('D-1', '99999999999', given[0]!)
          const passing = await findProjectsPassingSearches(reports, searches, scope, given)
          expect(memory?.stats().answered.sql).toBe(bySql)
          for (const [i, rows] of rowLists.entries()) {
            const ids = new Set(rows.map((row) => row.project_id))
            expect(passing[i]).toEqual(given.filter((id) => ids.has(id)))
          }
        }),
        { numRuns: roundsOn(db, 40) },
      )
    }, 300_000)

    test('finds the announced projects of several searches, counted once together', async () => {
      let announcedCount = 0
      await fc.assert(
        fc.asyncProperty(
          fc.array(searchArbitrary, { minLength: 1, maxLength: 4 }),
          fc.constantFrom(2, 10_000),
          async (flats, limit) => {
            const searches = flats.map(parseSearch)
            const announcedRows = (search: ReportSearch) =>
              filterRows(search)
                .filter((row) => row.change_status === 'new')
                .sort(inOrder(undefined))
            const rowLists = searches.map(announcedRows)
            const together = [...new Map(rowLists.flat().map((row) => [row.project_id, row])).values()]
            const listOf = (rows: readonly ReportRow[]) => ({
              ids: rows.slice(0, limit).map((row) => row.project_id),
              total: rows.length,
              new: rows.length,
              archived: rows.filter((row) => row.is_archived).length,
            })
            const announced = await checkedAnswer(() => reports.ids(searches, scope, { limit, announcedIn: [latest] }))
            expect(announced.lists).toEqual(rowLists.map(listOf))
            expect(announced.together).toEqual(listOf(together.sort(inOrder(undefined))))
            announcedCount += together.length
          },
        ),
        { numRuns: roundsOn(db, 40) },
      )
      expect(announcedCount).toBeGreaterThan(0)
    }, 300_000)

    function queueOf(search: ReportSearch) {
      const visible = filterRows(search)
      const hidden = search.project_hidden ? [] : filterRows({ ...search, project_hidden: true })
      const isLatest = (id: string) => decisions.get(id)?.load === latest
      const listed = search.project_hidden ? visible.filter((row) => isLatest(row.project_id)) : visible
      const rows = [...listed, ...hidden.filter((row) => isLatest(row.project_id))]
      rows.sort(search.ordering === FIT_ORDERING ? inFitOrder(fitScores) : inOrder(search.ordering))
      const dueOf = (row: ReportRow) => getNearDeadlineKind(row, TODAY, addDays(TODAY, CLOSING_SOON_DAYS))
      const dayOf = (row: ReportRow) =>
        (dueOf(row) === 'closing' ? row.submission_end_date : row.draft_discussion_end_date) ?? ''
      const kindOf = (row: ReportRow) =>
        row.change_status === 'no_change' ? dueOf(row) : row.change_status === 'new' ? 'new' : 'updated'
      const sections = MORNING_QUEUE_KINDS.map((kind) => {
        const sectionRows = rows.filter((row) => kindOf(row) === kind)
        if (kind === 'closing' || kind === 'comment')
          sectionRows.sort((a, b) => (dayOf(a) === dayOf(b) ? 0 : dayOf(a) < dayOf(b) ? -1 : 1))
        return sectionRows.map((row) => row.project_id)
      })
      const near = NEAR_DEADLINE_KINDS.map((kind) =>
        search.project_hidden ? 0 : visible.filter((row) => dueOf(row) === kind).length,
      )
      return { sections, near }
    }
    test('the morning queue contains new, updated and closing projects, decided or not', async () => {
      let seen = 0
      await fc.assert(
        fc.asyncProperty(anyAddress, async (flat) => {
          const search = parseSearch(flat)
          const { sections: expectedSections, near } = queueOf(search)
          const queue = await checkedAnswer(() => reports.queue(search, scope))
          expect([queue.load_id, new Date(queue.data_time!).toISOString()]).toEqual([
            latest,
            '2026-11-21T01:00:00.000Z',
          ])
          expect(queue.near).toEqual(near)
          for (const [kind, ids] of expectedSections.entries()) {
            const [decided, undecided] = [queue.decided[kind]!, queue.undecided[kind]!]
            const listedIds = new Set([...decided, ...undecided])
            // Projects missing from the queue were decided in an earlier load while their deadline was already near.
            const left = ids.filter((id) => !listedIds.has(id))
            if (kind < 2) expect(left).toEqual([])
            else for (const id of left) expect(decisions.get(id)!.load).toBeLessThan(latest)
            if (search.ai_deep_search__in === undefined) {
              expect(decided).toEqual(ids.filter((id) => decided.includes(id)))
              expect(undecided).toEqual(ids.filter((id) => undecided.includes(id)))
            }
            expect(listedIds.size + left.length).toBe(ids.length)
            expect(queue.totals[kind]).toBe(listedIds.size)
            expect(listedIds.size).toBeLessThanOrEqual(MAX_MORNING_QUEUE_SECTION_SIZE)
            for (const id of decided) expect(decisions.has(id)).toBe(true)
            seen += decided.length
          }
          if (memory) expect(queue).toEqual(await createReportEngine(db).queue(search, scope))
          const sections = MORNING_QUEUE_KINDS.map((kind, i) => {
            const due = (NEAR_DEADLINE_KINDS as readonly string[]).indexOf(kind)
            return { kind, ids: [], total: queue.totals[i]!, ...(due !== -1 && { near: queue.near[due]! }) }
          })
          const figures = getMorningFigures({ sections })
          expect(await reports.figures([search], scope)).toEqual(figures)
        }),
        { numRuns: roundsOn(db, 60), examples: [[{}]] },
      )
      expect(seen).toBeGreaterThan(roundsOn(db, 60) / 3)
    }, 300_000)

    test('the figures of several searches count each project once', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(searchArbitrary, { minLength: 2, maxLength: 3 }), async (flats) => {
          const searches = flats.map(parseSearch)
          const queues = searches.map(queueOf)
          const countOf = (kind: 0 | 1) => new Set(queues.flatMap(({ sections }) => sections[kind]!)).size
          const figures = await reports.figures(searches, scope)
          if (memory) expect(figures).toEqual(await createReportEngine(db).figures(searches, scope))
          expect([figures.new, figures.updated]).toEqual([countOf(0), countOf(1)])
          const near = [figures.closing, figures.comment]
          for (const [i, count] of near.entries()) {
            const counts = queues.map((queue) => queue.near[i]!)
            expect(count).toBeGreaterThanOrEqual(Math.max(...counts))
            expect(count).toBeLessThanOrEqual(counts.reduce((sum, other) => sum + other, 0))
          }
        }),
        { numRuns: roundsOn(db, 20) },
      )
    }, 300_000)

    test('the figures of the week match the rows', async () => {
      const { organisationId } = scope
      await db.execute(sql`
        update pursuits set decision = 'bid' where organisation_id = ${organisationId}::int and project_id in (
          select project_id from projects where submission_ends_on >= ${TODAY}::date)`)
      const bids = await db.query<{ id: string }>(sql`
        select project_id as id from pursuits where organisation_id = ${organisationId}::int and decision = 'bid'`)
      const figures = await findWeekFigures(db, reports, scope, NOW)
      const rows = await rowsOf({})
      const monday = '2026-11-16'
      expect(getWeekClosingSearch(TODAY).submission_end_date__range).toEqual({ from: monday, to: '2026-11-22' })
      const closing = rows.filter(
        (row) =>
          getBidState(row, TODAY) === 'open' &&
          row.submission_end_date !== null &&
          row.submission_end_date >= monday &&
          row.submission_end_date <= '2026-11-22',
      )
      expect(figures.closing).toBe(closing.length)
      expect(figures.bidding).toBe(closing.filter((row) => bids.some(({ id }) => id === row.project_id)).length)
      // Both loads are of this week, so all projects without a result are new in it.
      // The queue also counts the projects that were hidden while going through it.
      const hidden = await rowsOf({ project_hidden: true })
      const counted = [...rows, ...hidden.filter((row) => decisions.get(row.project_id)?.load === latest)]
      expect(figures.isNew).toBe(counted.filter((row) => getBidState(row, TODAY) !== 'awarded').length)
      if (memory) expect(figures).toEqual(await findWeekFigures(db, createReportEngine(db), scope, NOW))
    })
  })
