import {
  formatReportSearch,
  omitBidStates,
  type ParsedReportSearch,
  parseReportSearch,
  REPORT_VIEW_PARAMS,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import type { FlatSearchParams } from './flat-search-params.ts'
import type { ReportSearchPatch } from './report-change.ts'
import { pickSearch, type RouteSearch, typedSearch } from './typed-search.ts'

export type ReportUrlSearch = RouteSearch<ReportSearch>

export const reportSearchOptions = typedSearch(parseReportSearch, formatReportSearch)

export const toReportUrlSearch = ({ search, ignored }: ParsedReportSearch): ReportUrlSearch =>
  ignored.length === 0 ? search : { ...search, ignored }

/** Parses a URL other than the router's location, such as that of the start view. */
export const parseReportUrlSearch = (flat: FlatSearchParams): ReportUrlSearch =>
  toReportUrlSearch(parseReportSearch(flat))

/** Formats an address as flat text: filters in catalogue order without defaults, then ignored parameters. */
export function formatReportUrlSearch({ ignored = [], ...search }: ReportUrlSearch): Record<string, string> {
  return { ...formatReportSearch(search), ...Object.fromEntries(ignored.map(({ name, value }) => [name, value])) }
}

/** Returns scope (active or archived) and filters of the view, without order, page, saved filter and peek. */
export function pickReportFilters(search: ReportSearch): ReportSearch {
  const names: readonly string[] = REPORT_VIEW_PARAMS
  const effective = search.view === 'who_wins' ? omitBidStates(search) : search
  return Object.fromEntries(Object.entries(effective).filter(([name]) => !names.includes(name))) as ReportSearch
}

/** Returns the filters and the order, which decide the listed projects and their sequence. */
export function pickReportListSearch(search: ReportSearch): ReportSearch {
  return pickSearch<ReportSearch>({ ...pickReportFilters(search), ordering: search.ordering })
}

export function pickReportRowsSearch(search: ReportSearch): ReportSearch {
  const { page, page_size } = search
  return pickSearch<ReportSearch>({ ...pickReportListSearch(search), page, page_size })
}

const NON_ROW_PARAMS: readonly string[] = ['peek', 'queue', 'view', 'market', 'rank', 'rows']

/**
 * Returns the address after a change: resets the page unless the change sets it, and drops ignored parameters. Changes
 * of panel or view leave everything else as it is.
 */
export function applyReportUrlPatch(address: ReportUrlSearch, change: ReportSearchPatch): ReportUrlSearch {
  const { page: _page, ...search } = pickSearch<ReportSearch>(address)
  const isPanel = Object.keys(change).every((name) => NON_ROW_PARAMS.includes(name))
  const entries = Object.entries({ ...(isPanel ? address : search), ...change }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries) as ReportUrlSearch
}
