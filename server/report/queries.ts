import sql, { empty, type Sql } from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report/report-params.ts'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isBudgetInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import { nearDeadlineKindSql } from './bid-state-sql.ts'
import { changedSinceLastVisitCondition, PROJECT_CHANGE_STATUS_NUMBER_SQL } from './change-status-sql.ts'
import { getSemanticSearchHits, reportMatchesFromClauseSql } from './deep/semantic-search-hits.ts'
import { presentReportRow } from './present-report-page.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  organisationMatchCondition,
  type ReportFilterCondition,
  removeSemanticSearchCondition,
  reportSearchCondition,
  unhiddenMatchCondition,
} from './report-filter-sql.ts'
import { type ReportRowFileDetail, reportOrderSql, reportRowsSql, type StoredReportPage } from './report-rows-sql.ts'
import type { ReportScope } from './report-scope.ts'
import { type PackedReportRows, toStoredReportRows } from './stored-report-rows.ts'
import { resolveReportSearchScope } from './with-resolved-searches.ts'

export async function loadReportRow(db: Db, projectId: string, organisationId: number): Promise<ReportRow | undefined> {
  return (await loadReportRowsById(db, organisationId, [projectId])).get(projectId)
}

export async function loadReportRowsById(
  db: Db,
  organisationId: number,
  projectIds: readonly string[],
): Promise<Map<string, ReportRow>> {
  const rowsToLoad = sql`
    select m.project_id, m.words_id, m.changed_load, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, m.project_id as place from report_matches m
    where m.organisation_id = ${organisationId}::int and m.project_id = any (${[...projectIds]}::text[])`
  // Single-row lookups are frequent, so reuse a prepared plan; for batches, let the planner see the array size.
  const options = projectIds.length === 1 ? { name: 'report_row' } : undefined
  const [result] = await db.query<{ parts: PackedReportRows }>(
    sql`select ${reportRowsSql(organisationId, rowsToLoad)} as parts`,
    options,
  )
  return new Map(toStoredReportRows(result!.parts).map((row) => [row.project_id, presentReportRow(row)]))
}

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
    select totals.*, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = ${organisationId}::int and ${inLatestDataLoadsCondition(sql`e.load_id`)}) as hidden,
      (${hiddenByUser(search, scope)}) as hidden_by_user,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = ${organisationId}::int and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      (select b.version from pursuit_boards b where b.organisation_id = ${organisationId}::int) as pursuit_version,
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
