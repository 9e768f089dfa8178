import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import { parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { parseFilterCriteria, toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { findReportProjectIds } from '#server/report/report-lists.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { presentReportRow } from '#server/report/report-rows.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { loadSavedFilterCounts } from './saved-filter-figures.ts'

const ADDRESSES: readonly Record<string, string>[] = [
  {},
  { is_archived: 'true' },
  { project_hidden: 'true' },
  { project_name__in: 'กล้อง' },
  { project_name__in: '"กล้อง วงจรปิด"||CCTV', is_archived: 'true' },
  { submission_end_date__range: '@0,@7' },
  { project_label__in: 'l1||none' },
  { project_bookmark: 'true', project_budget__range: '100000,' },
  { project_label__in: 'deleted' },
  { project_change_status__in: '<<new' },
]

onEachEngine('saved filter counts and report ids', (makeDb) => {
  let db: OpenDb
  let scope: ReportScope

  const searchOf = (address: Record<string, string>): ReportSearch => parseReportSearch(address).search
  const everyRow = async (search: ReportSearch) => {
    const { rows, total } = await loadReportPage(db, { ...search, page_size: 100 }, scope)
    const more = total > 100 ? (await loadReportPage(db, { ...search, page_size: 100, page: 2 }, scope)).rows : []
    return [...rows, ...more].map(presentReportRow)
  }
  const save = (id: string, data: unknown) =>
    db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data) values (${scope.userId}::int, ${id}, ${id}, ${JSON.stringify(data)}::jsonb)`)

  beforeAll(async () => {
    db = await makeDb()
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects)
    scope = { organisationId, userId, today: TODAY }
  })

  test('returns no counts for a user without saved filters', async () => {
    expect(await loadSavedFilterCounts(db, createReportEngine(db), scope)).toEqual({ counts: {} })
  })

  test('counts the rows and the new rows of each saved filter like its report', async () => {
    for (const [i, address] of ADDRESSES.entries()) await save(`f${i}`, toFilterCriteria(searchOf(address)))
    const { counts } = await loadSavedFilterCounts(db, createReportEngine(db), scope)
    expect(Object.keys(counts)).toHaveLength(ADDRESSES.length)
    for (const [i, address] of ADDRESSES.entries()) {
      const rows = await everyRow(parseFilterCriteria(toFilterCriteria(searchOf(address))).search)
      const fresh = rows.filter((row) => row.change_status === 'new')
      expect([address, counts[`f${i}`]]).toEqual([address, { total: rows.length, new: fresh.length }])
    }
    expect(Object.values(counts).filter(({ total, new: fresh }) => total > 0 && fresh > 0).length).toBeGreaterThan(4)
  })

  test('omits unreadable filters, those of a newer release and those of other users', async () => {
    await save('unreadable', { filter: { provinces: { central: ['กรุงเทพ'] } }, search: [] })
    await save('no-filter', { text: 'x' })
    await save('newer-field', { filter: { ministryOfNextYear: ['x'] }, search: [] })
    await save('newer-chip', { filter: {}, search: [{ key: 'ofNextYear', value: 'x', negation: false }] })
    await save('__proto__', toFilterCriteria({}))
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data)
      select id, 'theirs', 'x', '{"filter":{},"search":[]}' from users where id <> ${scope.userId}::int`)
    const { counts } = await loadSavedFilterCounts(db, createReportEngine(db), scope)
    for (const id of ['unreadable', 'no-filter', 'newer-field', 'newer-chip', 'theirs'])
      expect(Object.hasOwn(counts, id)).toBe(false)
    expect(Object.hasOwn(counts, '__proto__')).toBe(true)
  })

  test.each(ADDRESSES.map((address) => ({ ...address, ordering: '-project_budget' })))(
    'the ids of %o match its pages in order',
    async (address) => {
      const search = searchOf(address as Record<string, string>)
      const ids = (await everyRow(search)).map((row) => row.project_id)
      expect(await findReportProjectIds(createReportEngine(db), search, scope)).toEqual({ ids, total: ids.length })
      expect(
        (await findReportProjectIds(createReportEngine(db), { ...search, page: 2, page_size: 20 }, scope)).ids,
      ).toEqual(ids)
    },
  )

  test('returns at most as many ids as one action allows, with the full total', async () => {
    await db.execute(sql`
      with filters as (
        insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, status, movement, criteria, method, method_type)
        select 'P' || n, 1, 1, false, false, 1, 1, 1, 1, 1 from generate_series(1, 1100) n returning id, project_id
      )
      insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
      select ${scope.organisationId}::int, f.id, 0, 1, f.project_id from filters f`)
    const { ids, total } = await findReportProjectIds(createReportEngine(db), {}, scope)
    expect([ids.length, new Set(ids).size]).toEqual([MAX_PROJECTS_PER_ACTION, MAX_PROJECTS_PER_ACTION])
    expect(total).toBeGreaterThan(1_150)
  })
})
