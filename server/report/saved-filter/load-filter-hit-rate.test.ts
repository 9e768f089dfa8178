import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { parseReportSearch } from '#contract/report/report-params.ts'
import { toFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { addMonths } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { presentReportRow } from '#server/report/report-rows.ts'
import { loadReportPage } from '#server/report/sql/sql-report-engine.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { loadFilterHitRate } from './saved-filter-figures.ts'

onEachEngine('recall of saved filters (N18)', (makeDb) => {
  let db: OpenDb
  let scope: ReportScope

  beforeAll(async () => {
    db = await makeDb()
    const { organisationId, userId } = await addPopulation(db, matchDataLoadProjects)
    scope = { organisationId, userId, today: TODAY }
    await db.execute(sql`delete from saved_filters where user_id = ${userId}::int`)
    await db.execute(sql`delete from bookmarks where user_id = ${userId}::int`)
    await db.execute(sql`delete from pursuits where organisation_id = ${organisationId}::int`)
  })
  const save = (id: string, address: Record<string, string>) =>
    db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data)
      values (${scope.userId}::int, ${id}, ${id}, ${JSON.stringify(toFilterCriteria(parseReportSearch(address).search))}::jsonb)`)
  const star = (ids: readonly string[], at = TODAY) =>
    db.execute(sql`
      insert into bookmarks (user_id, project_id, created_at) select ${scope.userId}::int, unnest(${[...ids]}::text[]), ${at}::timestamptz
      on conflict (user_id, project_id) do update set created_at = excluded.created_at`)
  const idsFor = async (address: Record<string, string>) => {
    const ids: string[] = []
    for (const tab of [{}, { is_archived: 'true' }] as Record<string, string>[]) {
      const { search } = parseReportSearch({ ...address, ...tab, page_size: '100' })
      ids.push(...(await loadReportPage(db, search, scope)).rows.map((row) => presentReportRow(row).project_id))
    }
    return ids
  }

  test('reports zero of zero without stars and pursuits', async () => {
    await save('named', { project_name__in: 'กล้อง' })
    const { watch, filters, since } = await loadFilterHitRate(db, scope)
    expect([watch, filters.named, since]).toEqual([
      { seen: 0, n: 0, left_out: [], missed: [] },
      { seen: 0, n: 0, left_out: [], missed: [] },
      addMonths(TODAY, -12),
    ])
  })

  test('counts the starred projects each filter finds in either tab, and names what excluded the rest', async () => {
    const all = await idsFor({})
    expect(all.length).toBeGreaterThan(20)
    await star(all.slice(0, 30))
    await save('both', { project_name__in: 'กล้อง', project_budget__range: '1000000,' })
    await save('moment', {
      project_bookmark: 'true',
      project_status__in: 'in_progress',
      submission_end_date__range: '@0,@7',
    })
    await save('mixed', { project_name__in: 'กล้อง', submission_end_date__range: '@0,@7' })
    const { watch, filters } = await loadFilterHitRate(db, scope)
    const expected = all.slice(0, 30)
    expect([watch.seen, watch.n]).toEqual([expected.length, expected.length])
    const [byName, byBudget] = [
      await idsFor({ project_name__in: 'กล้อง' }),
      await idsFor({ project_budget__range: '1000000,' }),
    ]
    const { seen, n, missed } = filters.both!
    const isSeen = (id: string) => byName.includes(id) && byBudget.includes(id)
    expect([seen, n]).toEqual([expected.filter(isSeen).length, expected.length])
    expect(missed.map(({ project_id }) => project_id).sort()).toEqual(expected.filter((id) => !isSeen(id)).sort())
    for (const { project_id, by } of missed)
      expect(by.toSorted()).toEqual(
        [
          ...(byBudget.includes(project_id) ? [] : ['project_budget__range']),
          ...(byName.includes(project_id) ? [] : ['project_name__in']),
        ].toSorted(),
      )
    // No part of the saved filter `moment` can be evaluated, so this filter is left out rather than counted as zero.
    expect(filters.moment).toBeUndefined()
    expect(filters.mixed).toMatchObject({ left_out: ['submission_end_date__range'] })
    expect(filters.mixed!.seen).toBe(expected.filter((id) => byName.includes(id)).length)
  })

  test('ignores old stars, counts team pursuits, and names the watch-list rule that excluded a project', async () => {
    const [old, pursued, outside] = await idsFor({})
    await db.execute(sql`delete from bookmarks where user_id = ${scope.userId}::int`)
    await star([old!], '2024-01-01')
    await star([outside!])
    await db.execute(sql`
      insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at)
      values (${scope.organisationId}::int, ${pursued!}, 'x', ${TODAY}::timestamptz, ${TODAY}::timestamptz, ${TODAY}::timestamptz)`)
    await db.execute(sql`delete from project_matches where project_id = ${outside!}`)
    const { watch, filters } = await loadFilterHitRate(db, scope)
    expect([watch.seen, watch.n, filters.both!.n]).toEqual([1, 2, 1])
    expect(watch.missed).toEqual([{ project_id: outside, name: expect.any(String), by: [] }])
    await db.execute(sql`delete from keywords where organisation_id = ${scope.organisationId}::int`)
    expect((await loadFilterHitRate(db, scope)).watch.missed).toEqual([
      { project_id: outside, name: expect.any(String), by: [], why: 'ยังไม่มีคำหรือหน่วยงานในรายการติดตาม' },
    ])
  })
})
