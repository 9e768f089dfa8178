import {
  isReportParam,
  parseReportSearch,
  printReportSearch,
  REPORT_VIEW_PARAMS,
  type ReportParamName,
  type ReportSearch,
  winsSearch,
} from '#contract/report/report-params.ts'
import { type FlatSearch, readOnce } from './search-text.ts'

/**
 * The typed search of /report. The router holds the address as flat text; the page reads it with `readReportAddress` and
 * navigates with `printReportAddress`. `kept` carries, as text, what the address says and we cannot read: unknown
 * parameters and invalid values. They stay in the address, so the page can always say what it ignored
 * (`ignoredReportParams`), until a change of filter leaves them behind (`changeReportAddress`).
 */
export type ReportAddress = ReportSearch & { readonly kept?: FlatSearch }

/** Reads flat text. Never throws. */
export const readReportAddress = readOnce((flat): ReportAddress => {
  const { search, ignored } = parseReportSearch(flat)
  if (ignored.length === 0) return search
  return { ...search, kept: Object.fromEntries(ignored.map(({ name, value }) => [name, value])) }
})

/** Flat text of an address: the filters in the catalogue's order without defaults, then what was kept. Reading it gives the same address. */
export function printReportAddress({ kept, ...search }: ReportAddress): Record<string, string> {
  return { ...printReportSearch(search), ...kept }
}

/** What the address says and the report does not use, for the notice: `unknown` names are harmless, `invalid` values are filters that do not apply. */
export function ignoredReportParams({
  kept,
}: ReportAddress): { name: string; value: string; reason: 'unknown' | 'invalid' }[] {
  return Object.entries(kept ?? {}).map(([name, value]) => ({
    name,
    value,
    reason: isReportParam(name) ? 'invalid' : 'unknown',
  }))
}

/** The typed search alone, as the API call and the saved filter want it. */
export function reportSearchOf({ kept: _kept, ...search }: ReportAddress): ReportSearch {
  return search
}

/** Returns what decides which projects are in the result: the tab and the filters that the view uses, without order, page, saved filter and peek. */
export function reportFiltersOf(search: ReportSearch): ReportSearch {
  const names: readonly string[] = REPORT_VIEW_PARAMS
  const used = search.view === 'who_wins' ? winsSearch(search) : search
  return Object.fromEntries(Object.entries(used).filter(([name]) => !names.includes(name))) as ReportSearch
}

/** What opens beside the rows, or shows them in another way. */
const BESIDE_ROWS: readonly string[] = ['peek', 'queue', 'view', 'market', 'rank', 'rows']

/** A change of the report's search; a value of undefined removes the parameter. */
export type ReportChange = { readonly [N in ReportParamName]?: ReportSearch[N] | undefined }

/**
 * The address after a change: page 1 unless the change names a page, and nothing that was ignored before is carried along.
 * Peeking at a project, going through the queue or another view changes neither the rows nor what is said about them, so then all else stays.
 */
export function changeReportAddress(address: ReportAddress, change: ReportChange): ReportAddress {
  const { page: _page, ...search } = reportSearchOf(address)
  const isPanel = Object.keys(change).every((name) => BESIDE_ROWS.includes(name))
  const next = Object.entries({ ...(isPanel ? address : search), ...change }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(next) as ReportAddress
}
