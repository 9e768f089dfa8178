import sql, { empty, join, type Sql } from 'sql-template-tag'
import { createRecord } from '#contract/create-record.ts'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import {
  getActiveReportFilters,
  REPORT_FACET_NAMES,
  type ReportFacetNames,
  type ReportFilterName,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { hiddenProjectIdsSql } from '#server/report/match-sql.ts'
import type {
  ActiveReportFilter,
  BinFacet,
  DateFacet,
  MarkFacet,
  OptionFacet,
  ReportFacet,
  ReportFilter,
  ReportFilterSet,
  ReportRowPredicate,
  ReportScope,
} from '#server/report/report-queries.ts'
import {
  AGENCY_FILTER,
  BID_STATE_FILTER,
  CHANGE_STATUS_FILTER,
  CHANGED_SINCE_VISIT_FILTER,
  CONTRACT_END_FILTER,
  ELIGIBILITY_FILTER,
  PACKAGE_PROVINCE_FILTER,
} from './derived-filters.ts'
import {
  createDayFilter,
  createFlagFilter,
  createMoneyFilter,
  createProvinceListFilter,
  createValueListFilter,
} from './fact-filters.ts'
import {
  HIDDEN_PROJECTS_FILTER,
  LABEL_FILTER,
  PURSUIT_NOTES_FILTER,
  PURSUIT_OWNER_FILTER,
  PURSUIT_STAGE_FILTER,
  STARRED_PROJECTS_FILTER,
  TEAM_LABEL_FILTER,
} from './mark-filters.ts'
import {
  ANY_TEXT_FILTER,
  DEPARTMENT_NAME_FILTER,
  DOCUMENT_TEXT_FILTER,
  PROJECT_IDS_FILTER,
  PROJECT_NAME_FILTER,
  SEMANTIC_SEARCH_FILTER,
  WINNER_NAME_FILTER,
} from './text-filters.ts'

type FacetOf<N extends ReportFilterName> = N extends ReportFacetNames['options']
  ? OptionFacet | MarkFacet
  : N extends ReportFacetNames['money']
    ? BinFacet
    : N extends ReportFacetNames['dates']
      ? DateFacet
      : null

/**
 * The meaning of each filter of the catalogue (contract/report/report-params.ts). A filter of a general kind takes the
 * fact that it is about.
 */
const REPORT_FILTERS: {
  readonly [N in ReportFilterName]: ReportFilter<NonNullable<ReportSearch[N]>, FacetOf<N>>
} = {
  project_bidding__in: BID_STATE_FILTER,
  project_search__in: ANY_TEXT_FILTER,
  project_name__in: PROJECT_NAME_FILTER,
  project_id__in: PROJECT_IDS_FILTER,
  project_dept_sub__in: DEPARTMENT_NAME_FILTER,
  project_winner_name__in: WINNER_NAME_FILTER,
  document_text__in: DOCUMENT_TEXT_FILTER,
  ai_deep_search__in: SEMANTIC_SEARCH_FILTER,
  project_change_status__in: CHANGE_STATUS_FILTER,
  project_eligibility__in: ELIGIBILITY_FILTER,
  project_status__in: createValueListFilter('status'),
  project_movement__in: createValueListFilter('movement'),
  project_budget__range: createMoneyFilter('budget'),
  project_estimate_budget__range: createMoneyFilter('estimate_budget'),
  project_winner_budget__range: createMoneyFilter('winner_budget'),
  project_province__in: createProvinceListFilter('project_province'),
  project_package_province: PACKAGE_PROVINCE_FILTER,
  project_province_dept_sub__in: createProvinceListFilter('dept_province'),
  project_agency__in: AGENCY_FILTER,
  draft_published_date__range: createDayFilter('draft_published_date'),
  draft_discussion_end_date__range: createDayFilter('draft_discussion_end_date'),
  bidding_invite_date__range: createDayFilter('bidding_invite_date'),
  submission_end_date__range: createDayFilter('submission_end_date'),
  winner_announce_date__range: createDayFilter('winner_announce_date'),
  ends_within: CONTRACT_END_FILTER,
  project_method__in: createValueListFilter('method'),
  project_method_type__in: createValueListFilter('method_type'),
  project_criteria_for_consideration: createValueListFilter('criteria'),
  check_sme: createFlagFilter('is_sme'),
  project_bookmark: STARRED_PROJECTS_FILTER,
  project_label__in: LABEL_FILTER,
  project_hidden: HIDDEN_PROJECTS_FILTER,
  project_since_visit: CHANGED_SINCE_VISIT_FILTER,
  team_label__in: TEAM_LABEL_FILTER,
  pursuit_stage__in: PURSUIT_STAGE_FILTER,
  pursuit_owner__in: PURSUIT_OWNER_FILTER,
  pursuit_has_notes: PURSUIT_NOTES_FILTER,
}

function getActiveFilters(search: ReportSearch): ActiveReportFilter[] {
  const isWidened = getArchivedScope(search) === undefined
  const active = getActiveReportFilters(search).map(
    (name): ActiveReportFilter => ({
      name,
      // The table ties each name to its value type, but TypeScript cannot follow that through the lookup.
      filter: REPORT_FILTERS[name] as ReportFilter<unknown, ReportFacet | null>,
      value: search[name],
      isOnlyReasonForArchived: isWidened && (REPORT_FILTERS[name].widensTab ?? false),
    }),
  )
  // Cheap conditions first, then text searches.
  return active.sort((a, b) => Number(a.filter.readsText ?? false) - Number(b.filter.readsText ?? false))
}

const OPTION_FACETS = REPORT_FACET_NAMES.options.flatMap((name) => {
  const { facet } = REPORT_FILTERS[name]
  return facet.part === 'options' ? [{ name, facet }] : []
})
const MARK_FACETS = REPORT_FACET_NAMES.options.flatMap((name) => {
  const { facet } = REPORT_FILTERS[name]
  return facet.part === 'marks' ? [{ name, facet }] : []
})
const MARK_FACETS_WITH_UNMARKED_OPTION = MARK_FACETS.filter(({ facet }) => facet.unmarkedValue !== undefined)

export const REPORT_FILTER_SET: ReportFilterSet = {
  getActiveFilters,
  withoutWideningFilters: (search) => {
    const isWidening = (name: string) => REPORT_FILTERS[name as ReportFilterName]?.widensTab ?? false
    return Object.fromEntries(Object.entries(search).filter(([name]) => !isWidening(name)))
  },
  countColumnFacets: (factsOf) => ({
    options: Object.fromEntries(OPTION_FACETS.map(({ name, facet }) => [name, facet.count(factsOf(name))])),
    bins: createRecord(REPORT_FACET_NAMES.money, (name) => REPORT_FILTERS[name].facet.count(factsOf(name))),
    dates: createRecord(REPORT_FACET_NAMES.dates, (name) => REPORT_FILTERS[name].facet.count(factsOf(name))),
  }),
  countPassingBut: (countOf) =>
    Object.fromEntries(MARK_FACETS_WITH_UNMARKED_OPTION.map(({ name }) => [name, countOf(name)])),
  columnFacetNames: new Set<ReportFilterName>([
    ...OPTION_FACETS.map(({ name }) => name),
    ...REPORT_FACET_NAMES.money,
    ...REPORT_FACET_NAMES.dates,
  ]),
  markFacets: MARK_FACETS,
  deadlineFilters: {
    closing: ['project_bidding__in', 'submission_end_date__range'],
    comment: ['project_bidding__in', 'draft_discussion_end_date__range'],
  },
}

/**
 * Compiles a search into a test for many rows. The test includes the tab (`getArchivedScope`) and the user's hidden
 * projects: with `project_hidden` only hidden projects match, without it none do.
 */
export function compileReportMatcher(search: ReportSearch): ReportRowPredicate {
  const archived = getArchivedScope(search)
  const isHidden = search.project_hidden === true
  const tests = getActiveFilters(search).map(({ filter, value }) => filter.matches(value))
  return (row, context) =>
    (archived === undefined || row.is_archived === archived) &&
    context.hidden.has(row.project_id) === isHidden &&
    tests.every((test) => test(row, context))
}

export type ReportFilterCondition = {
  readonly name: ReportFilterName
  readonly readsText: boolean
  readonly isJoined: boolean
  /** A condition on `m` (`report_matches`) that is true or false, never null. */
  readonly sql: Sql
}

export function buildReportFilterConditions(search: ReportSearch, scope: ReportScope): ReportFilterCondition[] {
  return getActiveFilters(search).flatMap(({ name, filter, value, isOnlyReasonForArchived }) => {
    const { readsText = false, isJoined = false } = filter
    const condition = { name, readsText, isJoined, sql: filter.condition(value, scope, search) }
    if (!isOnlyReasonForArchived) return [condition]
    // Makes delivered work fail twice, so no facet counts it as excluded by this filter alone.
    return [condition, { ...condition, sql: sql`(not m.is_archived or ${condition.sql})` }]
  })
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

export function removeSemanticSearchCondition(conditions: readonly ReportFilterCondition[]): ReportFilterCondition[] {
  return conditions.filter(({ isJoined }) => !isJoined)
}

export function organisationMatchCondition({ organisationId }: ReportScope, search: ReportSearch): Sql {
  const isArchived = getArchivedScope(search)
  return sql`m.organisation_id = ${organisationId}::int${isArchived === undefined ? empty : sql` and m.is_archived = ${isArchived}::boolean`}`
}

export function unhiddenMatchCondition(scope: ReportScope, search: ReportSearch): Sql {
  // PostgreSQL evaluates this subquery as a hash. If nothing is hidden, it costs a probe of an empty table per row.
  return sql`${organisationMatchCondition(scope, search)} and m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`
}

export function reportSearchCondition(scope: ReportScope, search: ReportSearch): Sql {
  return search.project_hidden ? organisationMatchCondition(scope, search) : unhiddenMatchCondition(scope, search)
}
