import {
  formatReportSearch,
  isReportParam,
  omitBidStates,
  parseReportSearch,
  REPORT_VIEW_PARAMS,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { type FlatSearchParams, memoizeLastResult } from './flat-search-params.ts'
import type { ReportSearchPatch } from './report-change.ts'

/**
 * Typed search of /report. The router stores flat text; pages parse it with `parseReportUrlSearch` and navigate with
 * `formatReportUrlSearch`. `unparsed` contains unknown parameters and invalid values as text. They stay in the URL, so
 * that the page can report them (`listIgnoredReportParams`), until a filter changes (`applyReportUrlPatch`).
 */
export type ReportUrlSearch = ReportSearch & { readonly unparsed?: FlatSearchParams }

export const parseReportUrlSearch = memoizeLastResult((flat): ReportUrlSearch => {
  const { search, ignored } = parseReportSearch(flat)
  if (ignored.length === 0) return search
  return { ...search, unparsed: Object.fromEntries(ignored.map(({ name, value }) => [name, value])) }
})

/**
 * Formats an address as flat text: filters in catalogue order without defaults, then `unparsed`. Round-trips with
 * `parseReportUrlSearch`.
 */
export function formatReportUrlSearch({ unparsed, ...search }: ReportUrlSearch): Record<string, string> {
  return { ...formatReportSearch(search), ...unparsed }
}

/**
 * Returns the unused parameters that the page reports: `unknown` names are harmless, `invalid` values are filters that
 * do not apply.
 */
export function listIgnoredReportParams({
  unparsed,
}: ReportUrlSearch): { name: string; value: string; reason: 'unknown' | 'invalid' }[] {
  return Object.entries(unparsed ?? {}).map(([name, value]) => ({
    name,
    value,
    reason: isReportParam(name) ? 'invalid' : 'unknown',
  }))
}

export function toReportSearch({ unparsed: _unparsed, ...search }: ReportUrlSearch): ReportSearch {
  return search
}

/**
 * Returns the part of a search that selects projects: scope (active or archived) and filters of the view, without
 * order, page, saved filter and peek.
 */
export function pickReportFilters(search: ReportSearch): ReportSearch {
  const names: readonly string[] = REPORT_VIEW_PARAMS
  const effective = search.view === 'who_wins' ? omitBidStates(search) : search
  return Object.fromEntries(Object.entries(effective).filter(([name]) => !names.includes(name))) as ReportSearch
}

const NON_ROW_PARAMS: readonly string[] = ['peek', 'queue', 'view', 'market', 'rank', 'rows']

/**
 * Returns the address after a change: resets the page unless the change sets it, and drops ignored parameters. Changes
 * of panel or view leave everything else as it is.
 */
export function applyReportUrlPatch(address: ReportUrlSearch, change: ReportSearchPatch): ReportUrlSearch {
  const { page: _page, ...search } = toReportSearch(address)
  const isPanel = Object.keys(change).every((name) => NON_ROW_PARAMS.includes(name))
  const entries = Object.entries({ ...(isPanel ? address : search), ...change }).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(entries) as ReportUrlSearch
}
