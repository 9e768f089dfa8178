import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_DATA_LOAD_COLUMNS_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isBudgetInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import { getSemanticSearchHits, reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  joinFilterConditions,
  organisationMatchCondition,
  type ReportFilterCondition,
  removeSemanticSearchCondition,
  reportSearchCondition,
  unhiddenMatchCondition,
} from '#server/report/filter/report-filters.ts'
import {
  announcedInDataLoadsCondition,
  changedSinceLastVisitCondition,
  createDataLoadConditionFn,
  nearDeadlineKindSql,
  PROJECT_CHANGE_STATUS_NUMBER_SQL,
} from '#server/report/match-sql.ts'
import type {
  FilterToRelax,
  ReportEngine,
  ReportIdList,
  ReportIdOptions,
  ReportIds,
  ReportRowFileDetail,
  ReportScope,
  StoredReportPage,
} from '#server/report/report-queries.ts'
import { isReportTabEmpty } from '#server/report/report-rows.ts'
import {
  type PackedReportRows,
  reportOrderSql,
  reportPageColumnsSql,
  reportRowsSql,
  toStoredReportRows,
} from '#server/report/report-rows-sql.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'
import { loadAgencyUnitCounts, loadFacets } from './facet-queries.ts'
import { loadMorningFigures, loadMorningQueue } from './morning-queue-queries.ts'

/**
 * Loads one page with totals and tab counters in one statement, so that everything belongs to one snapshot even while a
 * load is being published. Restricted to `scope.organisationId`.
 */
export async function loadReportPage(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
  files: ReportRowFileDetail = 'listed',
): Promise<StoredReportPage> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const { organisationId } = scope
  const hits = getSemanticSearchHits(search, scope.deep)
  const conditions = buildReportFilterConditions(search, scope)
  const order = reportOrderSql(search, scope)
  const rowOrder = reportOrderSql(search.ordering === undefined ? {} : { ordering: search.ordering }, scope)
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  // The counters and the page cover the same rows, except in the view of hidden projects and in semantic searches.
  const isSeparate = search.project_hidden || hits !== undefined
  const plan = (isSeparate ? planSeparateSearch : planOnePass)(search, conditions, scope)
  const page = sql`${plan.passing} order by ${order} limit ${size}::int offset ${((search.page ?? 1) - 1) * size}::bigint`
  const rowsToLoad = sql`
    select m.project_id, m.words_id, m.changed_load, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, row_number() over (order by ${rowOrder}) as place
    from (${page}) page join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = page.project_id`
  const [result] = await db.query<Omit<StoredReportPage, 'rows'> & { parts: PackedReportRows }>(sql`
    ${plan.prepared}
    select totals.*, ${reportPageColumnsSql(organisationId)}, (${hiddenByUser(search, scope)}) as hidden_by_user,
      ${reportRowsSql(organisationId, rowsToLoad, { files })} as parts
    from organisations o
    cross join (${plan.totals}) totals
    where o.id = ${organisationId}::int`)
  if (!result) throw new Error(`no organisation ${organisationId}`)
  const { parts, ...pageData } = result
  const { fit } = scope
  const rows = toStoredReportRows(parts, files).map((row) => ({
    ...row,
    deep: hits?.get(row.project_id) ?? null,
    fit: fit?.explain(row.project_id),
  }))
  // Rows arrive newest first and the sort is stable, so rows with equal scores stay newest first.
  if (hits && search.ordering === undefined) rows.sort((a, b) => b.deep!.score - a.deep!.score)
  return { ...pageData, rows, fit: fit?.evidence }
}

const hiddenByUser = (search: ReportSearch, scope: ReportScope) => sql`
  select count(*) from hidden_projects h
  cross join lateral (
    select from report_matches m where m.project_id = h.project_id and ${organisationMatchCondition(scope, search)} offset 0
  ) found
  where h.user_id = ${scope.userId}::int`

type PagePlan = { readonly prepared: Sql; readonly passing: Sql; readonly totals: Sql }

/**
 * Counters of the tabs, which ignore the filters. Only the number of projects new since the visit is counted within the
 * filters.
 */
const COUNTERS = sql`count(*) as "all", count(*) filter (where t.change = 1) as new, count(*) filter (where t.change = 2) as updated,
  count(*) filter (where t.due = 'comment') as discussion_7d, count(*) filter (where t.due = 'closing') as submission_7d`

const SORT_COLUMNS = sql`m.movement_on, m.budget_satang, m.estimate_satang, m.winner_satang, m.draft_published_on, m.draft_discussion_ends_on,
  m.bidding_invited_on, m.submission_ends_on`

function planOnePass(search: ReportSearch, conditions: readonly ReportFilterCondition[], scope: ReportScope): PagePlan {
  return {
    prepared: sql`
      with tab as materialized (
        select m.project_id, ${SORT_COLUMNS}, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${nearDeadlineKindSql(scope)} as due,
          ${changedSinceLastVisitCondition(scope)} as since_visit, (${joinFilterConditions(conditions)}) as passes
        from report_matches m where ${unhiddenMatchCondition(scope, search)}
      )`,
    passing: sql`select m.project_id from tab m where m.passes`,
    totals: sql`
      select ${COUNTERS}, count(*) filter (where t.passes) as total, count(*) filter (where t.since_visit and t.passes) as since_visit,
        coalesce(sum(t.budget_satang) filter (where t.passes), 0) as total_budget_satang,
        count(*) filter (where t.passes and ${isBudgetInDoubtSql(sql`t`)}) as amounts_in_doubt
      from tab t`,
  }
}

/**
 * Plan for semantic searches and for the view of hidden projects, where the filters cover other rows than the counters:
 * materialises the matches for total and page.
 */
function planSeparateSearch(
  search: ReportSearch,
  conditions: readonly ReportFilterCondition[],
  scope: ReportScope,
): PagePlan {
  const filters = joinFilterConditions(removeSemanticSearchCondition(conditions))
  return {
    prepared: sql`
      with hits as materialized (
        select m.project_id, ${SORT_COLUMNS}, ${changedSinceLastVisitCondition(scope)} as since_visit${search.ai_deep_search__in ? sql`, m.deep_score` : empty}
        from ${reportMatchesFromClauseSql(search, scope)} where ${reportSearchCondition(scope, search)} and ${filters}
      )`,
    passing: sql`select m.project_id from hits m`,
    totals: sql`
      select c.*, h.*
      from (select ${COUNTERS} from (select ${nearDeadlineKindSql(scope)} as due, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change from report_matches m where ${unhiddenMatchCondition(scope, search)} offset 0) t) c,
        (select count(*) as total, count(*) filter (where since_visit) as since_visit, coalesce(sum(budget_satang), 0) as total_budget_satang,
          count(*) filter (where ${isBudgetInDoubtSql(sql`hits`)}) as amounts_in_doubt from hits) h`,
  }
}

async function loadIds(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  options: ReportIdOptions,
): Promise<ReportIds> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  if (options.limit === 0 || options.among || options.announcedIn)
    return await loadListsInOnePass(db, searches, scope, options)
  const results = await Promise.all(searches.map((search) => loadOrderedIds(db, search, scope, options)))
  const { load = null, dataTime = null } = results[0] ?? {}
  return { lists: results.map(({ list }) => list), load, dataTime }
}

type LoadColumns = Pick<ReportIds, 'load' | 'dataTime'>

async function loadListsInOnePass(
  db: Db,
  searches: readonly ReportSearch[],
  scope: ReportScope,
  { limit, among, announcedIn, ...timeout }: ReportIdOptions,
): Promise<ReportIds> {
  const columns = searches.map((_, i) => raw(`passes_${i}`))
  const passes = searches.map(
    (search, i) =>
      sql`(${reportSearchCondition(scope, search)} and ${joinFilterConditions(buildReportFilterConditions(search, scope))}) as ${columns[i]!}`,
  )
  const order = among ? sql`t.place` : sql`t.movement_on desc nulls last, t.project_id`
  const listSql = (isListed: Sql) => {
    const ids = sql`(array_agg(t.project_id order by ${order}) filter (where ${isListed}))[1:${among?.length ?? limit}::int]`
    return sql`json_build_object('total', count(*) filter (where ${isListed}), 'new', count(*) filter (where ${isListed} and t.change = 1),
      'archived', count(*) filter (where ${isListed} and t.is_archived), 'ids', ${limit === 0 ? sql`'[]'::json` : sql`to_json(coalesce(${ids}, '{}'))`})`
  }
  const [row] = await db.query<LoadColumns & { lists: ReportIdList[] }>(
    sql`
    select ${LATEST_DATA_LOAD_COLUMNS_SQL}, json_build_array(${join([...columns, sql`(${join(columns, ' or ')})`].map((isListed) => listSql(sql`${isListed}`)))}) as lists
    from (
      select m.project_id, m.movement_on, m.is_archived, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${among ? sql`w.place` : sql`0 as place`}, ${join(passes)}
      from report_matches m ${among ? sql`join unnest(${[...among]}::text[]) with ordinality w (id, place) on w.id = m.project_id` : empty}
      where m.organisation_id = ${scope.organisationId}::int and ${announcedIn ? announcedInDataLoadsCondition(createDataLoadConditionFn(announcedIn)) : sql`true`}
      offset 0 -- keeps each condition evaluated once a row
    ) t`,
    timeout,
  )
  const { lists, load, dataTime } = row!
  return { lists: lists.slice(0, -1), ...(announcedIn && { together: lists.at(-1)! }), load, dataTime }
}

async function loadOrderedIds(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
  { limit, ...timeout }: ReportIdOptions,
): Promise<LoadColumns & { readonly list: ReportIdList }> {
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  // Ids are sent as one string: parsing an array of 200,000 would block the event loop for 100 ms.
  const [found] = await db.query<LoadColumns & Omit<ReportIdList, 'ids'> & { ids: string | null }>(
    sql`
    with hits as materialized (
      select m.project_id, m.is_archived, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, row_number() over (order by ${reportOrderSql(search, scope)}) as place
      from ${reportMatchesFromClauseSql(search, scope)} where ${reportSearchCondition(scope, search)} and ${filters}
    )
    select ${LATEST_DATA_LOAD_COLUMNS_SQL}, count(*) as total, count(*) filter (where h.change = 1) as new, count(*) filter (where h.is_archived) as archived,
      string_agg(h.project_id, chr(10) order by h.place) filter (where h.place <= ${limit}::int) as ids
    from hits h`,
    timeout,
  )
  const { load, dataTime, ids, ...counts } = found!
  return { load, dataTime, list: { ...counts, ids: ids === null ? [] : ids.split('\n') } }
}

/**
 * For an empty result, returns the filter whose removal restores most rows: the one that most rows fail as their only
 * condition. Undefined if no single filter helps.
 */
export async function loadFilterToRelax(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
): Promise<FilterToRelax | undefined> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const conditions = buildReportFilterConditions(search, scope)
  if (conditions.length === 0) return undefined
  const [best] = await db.query<{ mask: number; total: number }>(sql`
    select f.mask, count(*) as total
    from (
      select ${failedFilterConditionsMaskSql(conditions)} as mask from report_matches m where ${reportSearchCondition(scope, search)} offset 0
    ) f
    where f.mask > 0 and f.mask & (f.mask - 1) = 0
    group by f.mask order by total desc, f.mask limit 1`)
  return best && { parameter: conditions[Math.log2(best.mask)]!.name, total: best.total }
}

export const createSqlReportEngine = (db: Db): ReportEngine => ({
  page: async (search, scope, files) => {
    const stored = await loadReportPage(db, search, scope, files)
    const isRelaxed = stored.total === 0 && !isReportTabEmpty(stored)
    return { stored, filterToRelax: isRelaxed ? await loadFilterToRelax(db, search, scope) : undefined }
  },
  facets: (search, scope) => loadFacets(db, search, scope),
  agencies: (search, scope, without) => loadAgencyUnitCounts(db, search, scope, without),
  ids: (searches, scope, options) => loadIds(db, searches, scope, options),
  queue: (search, scope) => loadMorningQueue(db, search, scope),
  figures: (searches, scope) => loadMorningFigures(db, searches, scope),
})
