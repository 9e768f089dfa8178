import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getActiveReportFilters, REPORT_PARAMS, REPORT_VIEW_PARAMS } from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { loadFilterToRelax } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../test/server/databases.ts'
import { parseSearch } from '../../test/world/any-search.ts'
import { putDocuments } from '../../test/world/read-documents.ts'
import { addLoad, addOrganisation, addUser, type ProjectInput, putProjects } from '../../test/world/report-world.ts'
import { openReportMemory } from './report-engine.ts'
import { findReportFacets } from './report-lists.ts'
import type { ReportScope } from './report-queries.ts'

const TODAY = '2026-11-21'
const SOON = addDays(TODAY, 5)
const BEFORE = addDays(TODAY, -5)

const MATCHING: Partial<ProjectInput> = {
  name: 'ประกวดราคาซื้อกล้องวงจรปิด',
  ...{ budget: 100_000, estimate: 100_000, winning: 100_000, winner: 'บริษัท ก จำกัด' },
  ...{ draftPublishedOn: BEFORE, discussionEndsOn: BEFORE, invitedOn: BEFORE, winnerAnnouncedOn: BEFORE },
  ...{ submissionEndsOn: SOON, movement: 'winner_announced', isSme: true },
}
const ids = (...numbers: number[]) => numbers.map((number) => String(67_000_000_000 + number))
const ALL = ids(1, 2, 3, 4, 5, 6, 7, 8, 9)
/**
 * The first project passes everything, the last fails two filters, and every other one fails the filter it is named
 * after.
 */
const [WANTED, UNSTARRED, UNLABELLED, UNTEAMED, UNSTAGED, OWNERLESS, UNNOTED, OTHER_BUDGET, TWICE] = ALL

/** All filters at once except semantic search, which only SQL answers. */
const everything = (owner: number) =>
  parseSearch({
    project_bidding__in: 'awarded',
    project_search__in: 'กล้อง',
    project_name__in: 'กล้อง',
    project_id__in: ALL.join('||'),
    project_dept_sub__in: 'กองช่าง',
    project_winner_name__in: 'บริษัท',
    document_text__in: 'หลักประกัน',
    project_change_status__in: 'new||updated||no_change',
    project_eligibility__in: 'unknown',
    project_status__in: 'in_progress',
    project_movement__in: 'winner_announced',
    project_budget__range: '1000,',
    project_estimate_budget__range: '1000,',
    project_winner_budget__range: '1000,',
    project_province__in: 'กรุงเทพมหานคร',
    project_province_dept_sub__in: 'กรุงเทพมหานคร',
    project_package_province: 'true',
    project_agency__in: 'เทศบาลเมืองตัวอย่าง',
    draft_published_date__range: ',@0',
    draft_discussion_end_date__range: ',@0',
    bidding_invite_date__range: ',@0',
    submission_end_date__range: '@0,',
    winner_announce_date__range: ',@0',
    ends_within: '90',
    project_method__in: 'e_bidding',
    project_method_type__in: 'buy',
    project_criteria_for_consideration: 'price',
    check_sme: 'true',
    project_bookmark: 'true',
    project_label__in: 'l1',
    project_hidden: 'true',
    project_since_visit: 'true',
    team_label__in: 't1',
    pursuit_stage__in: 'pricing',
    pursuit_owner__in: String(owner),
    pursuit_has_notes: 'true',
  })

/**
 * The search has more filters than an int has bits, so filters beyond the thirtieth must not be confused with others.
 */
onEachEngine('every filter at once', (makeDb) => {
  let db: OpenDb
  let memory: ReturnType<typeof openReportMemory>
  let scope: ReportScope

  beforeAll(async () => {
    db = await makeDb()
    const organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const userId = await addUser(db, organisationId)
    const projects = ALL.map((id) => ({ ...MATCHING, id, ...(id === OTHER_BUDGET ? { budget: 1 } : {}) }))
    const publish = async (inputs: readonly Partial<ProjectInput>[]) => {
      const load = await addLoad(db)
      await putProjects(db, load, inputs)
      await db.transaction((tx) => matchDataLoadProjects(tx, load))
      return load
    }
    await publish(projects.map((project) => ({ ...project, movement: 'invited', winnerAnnouncedOn: null })))
    const load = await publish(projects)
    await putDocuments(
      db,
      organisationId,
      ALL.map((projectId) => ({ projectId, pages: ['หลักประกันการเสนอราคา'] })),
    )
    const of = sql`${organisationId}::int`
    const user = sql`${userId}::int`
    const at = sql`'2026-11-20T03:00:00Z'`
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${user}, 'l1', 'l1', 'red')`)
    await db.execute(
      sql`insert into team_labels (organisation_id, id, name, color, created_at) values (${of}, 't1', 't1', 'red', ${at})`,
    )
    const put = async (without: readonly (string | undefined)[], statement: (id: string) => Sql) => {
      for (const id of ALL) if (!without.includes(id)) await db.execute(statement(id))
    }
    await put(
      [],
      (id) =>
        sql`insert into contracts (project_id, contract_no, ends_on) values (${id}, 'ส 1', ${addDays(TODAY, 30)})`,
    )
    await put([], (id) => sql`insert into hidden_projects (user_id, project_id) values (${user}, ${id})`)
    await put([UNSTARRED, TWICE], (id) => sql`insert into bookmarks (user_id, project_id) values (${user}, ${id})`)
    await put(
      [UNLABELLED],
      (id) => sql`insert into label_assignments (user_id, project_id, label_id) values (${user}, ${id}, 'l1')`,
    )
    await put(
      [UNTEAMED, TWICE],
      (id) => sql`insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
        values (${of}, ${id}, 't1', ${at})`,
    )
    await put(
      [],
      (
        id,
      ) => sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, created_at, changed_at)
        values (${of}, ${id}, ${id === UNSTAGED ? 'screened' : 'pricing'}, ${at}, ${id === OWNERLESS ? null : userId}::int, ${at}, ${at})`,
    )
    await put(
      [UNNOTED],
      (id) => sql`insert into pursuit_notes (organisation_id, project_id, id, place, text, created_at)
        values (${of}, ${id}, 'n', 1, 'โน้ต', ${at})`,
    )
    await db.execute(sql`insert into pursuit_boards (organisation_id, version) values (${of}, 1)`)
    scope = { organisationId, userId, today: TODAY, visit: { endedAt: '2026-11-19T00:00:00.000Z', loads: [load] } }
    memory = openReportMemory(db, { megabytes: 64 })
    await memory.load([organisationId])
  })
  afterAll(() => memory.close())

  test('covers every filter of the report', () => {
    const filters = REPORT_PARAMS.map(({ name }) => name).filter(
      (name) => name !== 'is_archived' && !name.startsWith('ai_deep_') && !REPORT_VIEW_PARAMS.includes(name),
    )
    expect(getActiveReportFilters(everything(1))).toEqual(filters)
    expect(filters.length).toBeGreaterThan(32)
  })

  test.each(['SQL', 'memory'] as const)(
    '%s finds the one project that passes all filters, and counts facets beside each',
    async (by) => {
      const search = everything(scope.userId)
      const reports = createReportEngine(db, by === 'memory' ? memory : undefined)
      const { stored } = await reports.page(search, scope)
      expect(stored.rows.map(({ project_id }) => project_id)).toEqual([WANTED])
      const { options, money } = await findReportFacets(reports, search, scope)
      expect(options.team_label__in).toEqual([
        { value: 't1', count: 1 },
        { value: 'none', count: 1 },
      ])
      expect(options.pursuit_stage__in).toEqual([
        { value: 'pricing', count: 1 },
        { value: 'screened', count: 1 },
      ])
      expect(options.pursuit_owner__in).toEqual([
        { value: String(scope.userId), count: 1 },
        { value: 'none', count: 1 },
      ])
      expect(options.project_label__in).toEqual([
        { value: 'l1', count: 1 },
        { value: 'none', count: 1 },
      ])
      expect(options.project_bookmark).toEqual([{ value: 'true', count: 1 }])
      expect(options.pursuit_has_notes).toEqual([{ value: 'true', count: 1 }])
      expect(options.project_status__in).toEqual([{ value: 'in_progress', count: 1 }])
      expect(money.project_budget__range!.bins.reduce((sum, count) => sum + count, 0)).toBe(2)
      if (by === 'memory') expect(memory.stats().answered.sql).toBe(0)
    },
  )

  test.each(['SQL', 'memory'] as const)('%s names the right filter to relax in each case', async (by) => {
    const search = everything(scope.userId)
    // Let `WANTED` fail the filter for notes, because otherwise the id filter would always be the one to relax.
    await db.script(
      `delete from pursuit_notes where project_id = '${WANTED}'; update pursuit_boards set version = version + 1`,
    )
    const relaxed = async (only: readonly (string | undefined)[]) => {
      const narrowed = { ...search, project_id__in: only.map(String) }
      if (by === 'SQL') return (await loadFilterToRelax(db, narrowed, scope))?.parameter
      return (await createReportEngine(db, memory).page(narrowed, scope)).filterToRelax?.parameter
    }
    expect(await relaxed([UNSTARRED])).toBe('project_bookmark')
    expect(await relaxed([UNLABELLED])).toBe('project_label__in')
    expect(await relaxed([UNTEAMED, TWICE])).toBe('team_label__in')
    expect(await relaxed([UNSTAGED])).toBe('pursuit_stage__in')
    expect(await relaxed([OWNERLESS])).toBe('pursuit_owner__in')
    expect(await relaxed([UNNOTED])).toBe('pursuit_has_notes')
    expect(await relaxed([OTHER_BUDGET])).toBe('project_budget__range')
    expect(await relaxed([TWICE])).toBeUndefined()
  })
})
