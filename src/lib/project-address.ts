import { parseReportSearch, printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { reportFiltersOf } from './report-address.ts'

/** Tabs of a project's page; the first is left out of the address. */
export const PROJECT_TABS = ['overview', 'prices', 'bidders', 'files', 'changes'] as const
export type ProjectTab = (typeof PROJECT_TABS)[number]

/** The typed search of /report/{id}. `from`: the report that it was opened from, whose previous and next project its page offers. */
export type ProjectSearch = { readonly tab?: ProjectTab; readonly from?: ReportSearch }

/** The search as it stands in the address: `from` is the report's own query string in one value. */
export function printProjectSearch({ tab, from }: ProjectSearch): Record<string, string> {
  // Which page, panel or saved filter was open says nothing about the list.
  const query = new URLSearchParams(printReportSearch(listOf(from ?? {}))).toString()
  return {
    ...(tab === undefined || tab === 'overview' ? {} : { tab }),
    // An empty list is the whole report, and worth saying: without `from` the page offers no neighbours.
    ...(from === undefined ? {} : { from: query }),
  }
}

function listOf(search: ReportSearch): ReportSearch {
  const { ordering } = search
  return { ...reportFiltersOf(search), ...(ordering === undefined ? {} : { ordering }) }
}

/** Reads what stands in the address; what cannot be read is left out. */
export function readProjectSearch(raw: Readonly<Record<string, unknown>>): ProjectSearch {
  const tab = PROJECT_TABS.find((known) => known === raw.tab)
  const from =
    typeof raw.from === 'string'
      ? parseReportSearch(Object.fromEntries(new URLSearchParams(raw.from))).search
      : undefined
  return { ...(tab === undefined ? {} : { tab }), ...(from === undefined ? {} : { from }) }
}

/** Address of a project's page within the product, e.g. `/report/69119000001?from=is_archived%3Dtrue`. */
export function projectHref(id: string, search: ProjectSearch = {}): string {
  const query = new URLSearchParams(printProjectSearch(search)).toString()
  return `/report/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`
}
