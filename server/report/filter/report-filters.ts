import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { FacetOption } from '#contract/report/report.ts'
import { getActiveReportFilters, type ReportFilterName, type ReportSearch } from '#contract/report/report-params.ts'
import type { DeadlineFilters, FacetCounts } from '#server/report/report-queries.ts'
import { AGENCY_FILTER } from './agency-filter.ts'
import { BID_STATE_FILTER } from './bid-state-filter.ts'
import { CHANGE_STATUS_FILTER } from './change-status-filter.ts'
import { CHANGED_SINCE_VISIT_FILTER } from './changed-since-visit-filter.ts'
import { CONTRACT_END_FILTER } from './contract-end-filter.ts'
import { createDayFilter } from './day-filter.ts'
import { DOCUMENT_TEXT_FILTER } from './document-text-filter.ts'
import { ELIGIBILITY_FILTER } from './eligibility-filter.ts'
import {
  ANY_TEXT_FILTER,
  DEPARTMENT_NAME_FILTER,
  PROJECT_NAME_FILTER,
  WINNER_NAME_FILTER,
} from './expression-filter.ts'
import { createFlagFilter } from './flag-filter.ts'
import { HIDDEN_PROJECTS_FILTER } from './hidden-projects-filter.ts'
import { PROJECT_IDS_FILTER } from './ids-filter.ts'
import { LABEL_FILTER } from './label-filter.ts'
import { createProvinceListFilter, createValueListFilter } from './list-filter.ts'
import { createMoneyFilter } from './money-filter.ts'
import { PACKAGE_PROVINCE_FILTER } from './package-province-filter.ts'
import {
  PURSUIT_NOTES_FILTER,
  PURSUIT_OWNER_FILTER,
  PURSUIT_STAGE_FILTER,
  TEAM_LABEL_FILTER,
} from './pursuit-filters.ts'
import type { ColumnFacet, ReportFilter } from './report-filter.ts'
import { SEMANTIC_SEARCH_FILTER } from './semantic-search-filter.ts'
import { STARRED_PROJECTS_FILTER } from './starred-projects-filter.ts'

/**
 * The meaning of each filter of the catalogue (contract/report/report-params.ts). A filter of a general kind takes the
 * fact that it is about.
 */
export const REPORT_FILTERS: { readonly [N in ReportFilterName]: ReportFilter<NonNullable<ReportSearch[N]>> } = {
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
  project_province__in: createProvinceListFilter('project_province', 7),
  project_package_province: PACKAGE_PROVINCE_FILTER,
  project_province_dept_sub__in: createProvinceListFilter('dept_province', 0),
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
  check_sme: createFlagFilter('is_sme', 14),
  project_bookmark: STARRED_PROJECTS_FILTER,
  project_label__in: LABEL_FILTER,
  project_hidden: HIDDEN_PROJECTS_FILTER,
  project_since_visit: CHANGED_SINCE_VISIT_FILTER,
  team_label__in: TEAM_LABEL_FILTER,
  pursuit_stage__in: PURSUIT_STAGE_FILTER,
  pursuit_owner__in: PURSUIT_OWNER_FILTER,
  pursuit_has_notes: PURSUIT_NOTES_FILTER,
}

export type ActiveReportFilter = {
  readonly name: ReportFilterName
  readonly filter: ReportFilter<unknown>
  readonly value: unknown
  /** True if only this filter extends the search to delivered work (`ReportFilter.widensTab`). */
  readonly isOnlyReasonForArchived: boolean
}

/** Returns the filters that a search uses, in evaluation order: cheap ones first, then text searches. */
export function getActiveFilters(search: ReportSearch): ActiveReportFilter[] {
  const isWidened = getArchivedScope(search) === undefined
  const active = getActiveReportFilters(search).map(
    (name): ActiveReportFilter => ({
      name,
      // The table ties each name to its value type, but TypeScript cannot follow that through the lookup.
      filter: REPORT_FILTERS[name] as ReportFilter<unknown>,
      value: search[name],
      isOnlyReasonForArchived: isWidened && (REPORT_FILTERS[name].widensTab ?? false),
    }),
  )
  return active.sort((a, b) => Number(a.filter.readsText ?? false) - Number(b.filter.readsText ?? false))
}

const FACETS = Object.entries(REPORT_FILTERS).map(([name, { facet }]) => ({ name: name as ReportFilterName, facet }))
export const COLUMN_FACETS = FACETS.flatMap(({ name, facet }) =>
  facet && facet.part !== 'marks' ? [{ name, facet }] : [],
)
export const MARK_FACETS = FACETS.flatMap(({ name, facet }) => (facet?.part === 'marks' ? [{ name, facet }] : []))
/** Mark facets with an option for the projects that have no mark. */
export const MARK_FACETS_WITH_UNMARKED_OPTION = MARK_FACETS.flatMap(({ name, facet: { unmarkedValue } }) =>
  unmarkedValue === undefined ? [] : [{ name, unmarkedValue }],
)

/** Filters that the counts of near deadlines ignore: the bid state, and the date of the deadline. */
export const DEADLINE_FILTERS: DeadlineFilters = {
  closing: ['project_bidding__in', 'submission_end_date__range'],
  comment: ['project_bidding__in', 'draft_discussion_end_date__range'],
}

export function countColumnFacets(
  countFacet: (name: ReportFilterName, facet: ColumnFacet) => FacetOption[] | number[],
): Pick<FacetCounts, ColumnFacet['part']> {
  const counts = { options: {}, bins: {}, dates: {} }
  for (const { name, facet } of COLUMN_FACETS) Object.assign(counts[facet.part], { [name]: countFacet(name, facet) })
  return counts
}

export const countPassingAllOtherFilters = (countOf: (name: ReportFilterName) => number): FacetCounts['passingBut'] =>
  Object.fromEntries(MARK_FACETS_WITH_UNMARKED_OPTION.map(({ name }) => [name, countOf(name)]))

function withoutWideningFilters(search: ReportSearch): ReportSearch {
  const isWidening = (name: string) => REPORT_FILTERS[name as ReportFilterName]?.widensTab ?? false
  return Object.fromEntries(Object.entries(search).filter(([name]) => !isWidening(name)))
}

export const REPORT_FILTER_SET = {
  getActiveFilters,
  withoutWideningFilters,
  countColumnFacets,
  countPassingBut: countPassingAllOtherFilters,
  columnFacetNames: new Set(COLUMN_FACETS.map(({ name }) => name)),
  markFacets: MARK_FACETS,
  deadlineFilters: DEADLINE_FILTERS,
}
