import sql, { empty, join, type Sql } from 'sql-template-tag'
import {
  getArchivedScope,
  parseSearchExpressionOrThrow,
  resolveDateBoundOrThrow,
} from '#contract/report/report-filter.ts'
import type { DateRange, ListFilter, MoneyRange } from '#contract/report/report-param-kinds.ts'
import {
  getActiveReportFilters,
  NO_LABEL_VALUE,
  REPORT_EXPRESSION_PARAMS,
  type ReportParamName,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import { type SearchColumns, searchSql } from '#server/platform/text/search-sql.ts'
import { bidStateSql, IS_AWARDED_SQL, projectMatchValueIdsSql } from './bid-state-sql.ts'
import { projectsWithContractEndWithinDaysSql } from './contract-ends-sql.ts'
import {
  type DeepSearchResults,
  type DocumentSearchResults,
  documentSearchConditionSql,
  getDeepSearchHits,
} from './deep/deep-search-hits.ts'
import {
  hasPursuitNotesCondition,
  pursuitOwnerCondition,
  pursuitStageCondition,
  teamLabelCondition,
} from './pursuit-sql.ts'

/** End of the user's previous visit (UTC ISO) and the loads published since. */
export type PreviousReportVisit = { readonly endedAt: string; readonly loads: readonly number[] }

export type ReportFilterScope = {
  readonly organisationId: number
  readonly userId: number
  readonly today: string
  readonly visit?: PreviousReportVisit | undefined
  readonly deep?: DeepSearchResults
  readonly documents?: DocumentSearchResults
}

export type DataLoadConditionFn = (load: Sql) => Sql
export const createDataLoadConditionFn =
  (loads: readonly number[]): DataLoadConditionFn =>
  (load) =>
    sql`${load} = any (${[...loads]}::bigint[])`

/** Condition for New (D3): the project was announced in one of these loads and is not awarded. */
export const announcedInDataLoadsCondition = (isOf: DataLoadConditionFn) =>
  sql`(${isOf(sql`m.first_load`)} and not ${IS_AWARDED_SQL})`

export const changedInDataLoadsCondition = (isOf: DataLoadConditionFn) =>
  sql`(${isOf(sql`m.changed_load`)} and m.changed_load <> m.first_load)`

export const PROJECT_CHANGE_STATUS_NUMBER_SQL = sql`case
  when ${announcedInDataLoadsCondition(inLatestDataLoadsCondition)} then 1
  when ${changedInDataLoadsCondition(inLatestDataLoadsCondition)} then 2
  else 3 end`
const CHANGE_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['new', 1],
  ['updated', 2],
  ['no_change', 3],
])

export function projectChangeStatusFromNumber(number: number): 'new' | 'updated' | 'no_change' {
  return number === 1 ? 'new' : number === 2 ? 'updated' : 'no_change'
}

type FilterSql = {
  [N in ReportParamName]:
    | ((value: NonNullable<ReportSearch[N]>, scope: ReportFilterScope, search: ReportSearch) => Sql)
    | 'view'
}

/** A row whose value is unknown is in no list, so it passes a negated filter. */
const isOneOf = (column: Sql, ids: Sql, negated: boolean) =>
  negated ? sql`(${column} = any (${ids})) is not true` : sql`${column} = any (${ids})`

const inValues = (kind: string, column: Sql) => (filter: ListFilter) =>
  isOneOf(column, projectMatchValueIdsSql(kind, filter.values), filter.negated)

const inProvinces = (column: Sql) => (filter: ListFilter) =>
  isOneOf(column, sql`${filter.values.map((name) => findProvinceByName(name)?.code ?? -1)}::smallint[]`, filter.negated)

const between = (column: Sql, from: Sql | null, to: Sql | null) =>
  sql`(${column} is not null${from ? sql` and ${column} >= ${from}` : empty}${to ? sql` and ${column} <= ${to}` : empty})`

const satang = (baht: number | null) => (baht === null ? null : sql`${Math.round(baht * 100)}::bigint`)
const inMoney = (column: Sql) => (range: MoneyRange) => between(column, satang(range.min), satang(range.max))

const inDates =
  (column: Sql) =>
  (range: DateRange, { today }: ReportFilterScope) => {
    const bound = (text: string | null) => (text === null ? null : sql`${resolveDateBoundOrThrow(text, today)}::date`)
    return between(column, bound(range.from), bound(range.to))
  }

const NAME_COLUMNS = {
  compact: sql`t.name_search`,
  // Text with spaces is stored only with the project, because quoted terms are rare.
  spaced: sql`(select p.name_spaced from projects p where p.project_id = m.project_id)`,
  scanned: true,
}
const DEPARTMENT_COLUMNS = { compact: sql`d.dept_search`, spaced: sql`d.dept_spaced`, scanned: true }
const WINNER_COLUMNS = {
  compact: sql`coalesce(t.winner_search, '')`,
  spaced: sql`coalesce(t.winner_spaced, '')`,
  scanned: true,
}

const NUMBER_COLUMNS = { compact: sql`m.project_id`, spaced: sql`m.project_id`, scanned: true }

/**
 * Join for text filters: one lookup per row, only for rows that pass the earlier conditions. `offset 0` prevents the
 * planner from flattening it.
 */
const FROM_TEXTS = sql`project_texts t where t.filters_id = m.filters_id`
const FROM_ALL_TEXTS = sql`project_texts t join department_texts d on d.department_id = m.department_id where t.filters_id = m.filters_id`

const searched =
  (from: Sql, ...texts: readonly SearchColumns[]) =>
  (expression: string) =>
    sql`exists (select from ${from} and (${searchSql(parseSearchExpressionOrThrow(expression), ...texts)}) offset 0)`

/** Departments are few compared with projects, so they are searched once per statement instead of once per row. */
const ofDepartment = (expression: string) =>
  sql`m.department_id = any (array(select d.department_id from department_texts d where ${searchSql(parseSearchExpressionOrThrow(expression), DEPARTMENT_COLUMNS)}))`

const labelled = (filter: ListFilter, { userId }: ReportFilterScope) => {
  const labelledIds = sql`select la.project_id from label_assignments la where la.user_id = ${userId}::int`
  const ids = filter.values.filter((id) => id !== NO_LABEL_VALUE)
  const conditions = [
    ...(ids.length > 0 ? [sql`m.project_id in (${labelledIds} and la.label_id = any (${ids}::text[]))`] : []),
    ...(ids.length < filter.values.length ? [sql`m.project_id not in (${labelledIds})`] : []),
  ]
  return sql`(${join(conditions, ' or ')}) is ${filter.negated ? sql`not true` : sql`true`}`
}

export const changedSincePreviousReportVisitCondition = ({ visit }: ReportFilterScope): Sql => {
  if (!visit || visit.loads.length === 0) return sql`false`
  const isOf = createDataLoadConditionFn(visit.loads)
  return sql`(${announcedInDataLoadsCondition(isOf)} or coalesce(${changedInDataLoadsCondition(isOf)}, false))`
}

export const hiddenProjectIdsSql = (userId: number) =>
  sql`select h.project_id from hidden_projects h where h.user_id = ${userId}::int`

/**
 * One entry per parameter, so compilation fails when the catalogue gains a filter that is missing here. `m` is
 * `report_matches`.
 */
const FILTERS: FilterSql = {
  is_archived: () => sql`m.is_archived`,
  project_bidding__in: (filter, scope) =>
    isOneOf(sql`(${bidStateSql(scope)})`, sql`${[...filter.values]}::text[]`, filter.negated),
  project_search__in: searched(FROM_ALL_TEXTS, NAME_COLUMNS, DEPARTMENT_COLUMNS, WINNER_COLUMNS, NUMBER_COLUMNS),
  project_name__in: searched(FROM_TEXTS, NAME_COLUMNS),
  project_id__in: (ids) => sql`m.project_id = any (${ids}::text[])`,
  project_dept_sub__in: ofDepartment,
  project_winner_name__in: searched(FROM_TEXTS, WINNER_COLUMNS),
  document_text__in: (expression, { documents }) =>
    documentSearchConditionSql(parseSearchExpressionOrThrow(expression), documents),
  // The concatenation prevents index use. With an index scan per mark, PostgreSQL would sort this id list again for
  // every mark (16,000 ids and some thousand marks: 19 s on PGlite).
  ai_deep_search__in: (_, { deep }, search) =>
    sql`(m.project_id || '') = any (${[...getDeepSearchHits(search, deep)!.keys()]}::text[])`,
  ai_deep_from: 'view',
  project_change_status__in: (filter) =>
    isOneOf(
      sql`(${PROJECT_CHANGE_STATUS_NUMBER_SQL})`,
      sql`${filter.values.map((code) => CHANGE_NUMBERS.get(code) ?? 0)}::int[]`,
      filter.negated,
    ),
  project_status__in: inValues('status', sql`m.status`),
  project_movement__in: inValues('movement', sql`m.movement`),
  project_budget__range: inMoney(sql`m.budget_satang`),
  project_estimate_budget__range: inMoney(sql`m.estimate_satang`),
  project_winner_budget__range: inMoney(sql`m.winner_satang`),
  project_province__in: inProvinces(sql`m.project_province`),
  project_province_dept_sub__in: inProvinces(sql`m.dept_province`),
  draft_published_date__range: inDates(sql`m.draft_published_on`),
  draft_discussion_end_date__range: inDates(sql`m.draft_discussion_ends_on`),
  bidding_invite_date__range: inDates(sql`m.bidding_invited_on`),
  submission_end_date__range: inDates(sql`m.submission_ends_on`),
  winner_announce_date__range: inDates(sql`m.winner_announced_on`),
  ends_within: (days, { today }) =>
    sql`(m.status <> all (${projectMatchValueIdsSql('status', ['project_cancelled'])}) and m.project_id in (${projectsWithContractEndWithinDaysSql(days, today)}))`,
  project_method__in: inValues('method', sql`m.method`),
  project_method_type__in: inValues('method_type', sql`m.method_type`),
  project_criteria_for_consideration: inValues('criteria', sql`m.criteria`),
  check_sme: () => sql`m.is_sme`,
  project_bookmark: (_, { userId }) =>
    sql`m.project_id in (select b.project_id from bookmarks b where b.user_id = ${userId}::int)`,
  project_label__in: labelled,
  // Applies only if the search has this filter; without it, `reportCondition` excludes hidden projects.
  project_hidden: (_, { userId }) => sql`m.project_id in (${hiddenProjectIdsSql(userId)})`,
  project_since_visit: (_, scope) => changedSincePreviousReportVisitCondition(scope),
  team_label__in: (filter, { organisationId }) => teamLabelCondition(filter, organisationId),
  pursuit_stage__in: (filter, { organisationId }) => pursuitStageCondition(filter, organisationId),
  pursuit_owner__in: (filter, { organisationId }) => pursuitOwnerCondition(filter, organisationId),
  pursuit_has_notes: (_, { organisationId }) => hasPursuitNotesCondition(organisationId),
  ordering: 'view',
  page: 'view',
  page_size: 'view',
  saved: 'view',
  peek: 'view',
  queue: 'view',
  view: 'view',
  market: 'view',
  rank: 'view',
  rows: 'view',
}

const TEXT_FILTERS: ReadonlySet<ReportParamName> = new Set<ReportParamName>(REPORT_EXPRESSION_PARAMS)

export type ReportFilterCondition = {
  readonly name: ReportParamName
  readonly readsText: boolean
  /** A condition on `m` (`report_matches`) that is true or false, never null. */
  readonly sql: Sql
}

export function buildReportFilterConditions(search: ReportSearch, scope: ReportFilterScope): ReportFilterCondition[] {
  const conditions = getActiveReportFilters(search).flatMap((name): ReportFilterCondition[] => {
    const filter = FILTERS[name]
    if (filter === 'view') return []
    // The catalogue ties each name to its value type, but TypeScript cannot follow that through the lookup.
    const condition = (filter as (value: unknown, scope: ReportFilterScope, search: ReportSearch) => Sql)(
      search[name],
      scope,
      search,
    )
    const filterCondition = { name, readsText: TEXT_FILTERS.has(name), sql: condition }
    // Archived work is included only because of this filter. The second condition makes archived rows outside the
    // window fail twice, so no facet counts them as excluded by this filter alone.
    if (name !== 'ends_within' || getArchivedScope(search) !== undefined) return [filterCondition]
    return [filterCondition, { ...filterCondition, sql: sql`(not m.is_archived or ${condition})` }]
  })
  return conditions.sort((a, b) => Number(a.readsText) - Number(b.readsText))
}

export function joinFilterConditions(conditions: readonly ReportFilterCondition[]): Sql {
  return conditions.length === 0
    ? sql`true`
    : join(
        conditions.map((condition) => condition.sql),
        ' and ',
      )
}

/** Bigint with bit i set when condition i fails, because all filters together exceed 32 bits. */
export function failedFilterConditionsMaskSql(conditions: readonly ReportFilterCondition[]): Sql {
  if (conditions.length === 0) return sql`0::bigint`
  return join(
    conditions.map((condition, i) => sql`(case when ${condition.sql} then 0 else ${2 ** i}::bigint end)`),
    ' | ',
  )
}

export function removeDeepSearchCondition(conditions: readonly ReportFilterCondition[]): ReportFilterCondition[] {
  return conditions.filter(({ name }) => name !== 'ai_deep_search__in')
}

export type ReportTabScope = ReportFilterScope

export function organisationMatchCondition({ organisationId }: ReportTabScope, search: ReportSearch): Sql {
  const isArchived = getArchivedScope(search)
  return sql`m.organisation_id = ${organisationId}::int${isArchived === undefined ? empty : sql` and m.is_archived = ${isArchived}::boolean`}`
}

export function unhiddenMatchCondition(scope: ReportTabScope, search: ReportSearch): Sql {
  // PostgreSQL evaluates this subquery as a hash. If nothing is hidden, it costs a probe of an empty table per row.
  return sql`${organisationMatchCondition(scope, search)} and m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`
}

export function reportCondition(scope: ReportTabScope, search: ReportSearch): Sql {
  return search.project_hidden ? organisationMatchCondition(scope, search) : unhiddenMatchCondition(scope, search)
}
