import { formatReportSearch, parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { type FlatSearchParams, formatQueryString, parseQueryString } from './flat-search-params.ts'
import { pickReportListSearch } from './report-url.ts'
import { pickSearch } from './typed-search.ts'

/** Tabs of a project's page; the first is omitted from the URL. */
export const PROJECT_TABS = ['overview', 'prices', 'bidders', 'files', 'changes'] as const
export type ProjectTab = (typeof PROJECT_TABS)[number]

const TAB_ALIASES: Readonly<Record<string, ProjectTab>> = {
  documents: 'files',
  history: 'changes',
  price: 'prices',
}

/** `from`: the report from which the page was opened; determines the previous and next project. */
type ProjectPageSearch = { readonly tab?: ProjectTab; readonly from?: ReportSearch }

export function formatProjectPageSearch({ tab, from }: ProjectPageSearch): Record<string, string> {
  // Omit the page, the panel and the saved filter, because they do not affect which projects are listed.
  const query = new URLSearchParams(formatReportSearch(pickReportListSearch(from ?? {}))).toString()
  return {
    ...(tab === undefined || tab === 'overview' ? {} : { tab }),
    // An empty `from` means the unfiltered report; without `from` there is no previous or next project.
    ...(from === undefined ? {} : { from: query }),
  }
}

export function parseProjectPageSearch(flat: FlatSearchParams) {
  const name = flat.tab === undefined ? undefined : (TAB_ALIASES[flat.tab] ?? flat.tab)
  const search = pickSearch<ProjectPageSearch>({
    tab: PROJECT_TABS.find((candidate) => candidate === name),
    from: flat.from === undefined ? undefined : parseReportSearch(parseQueryString(flat.from)).search,
  })
  return { search, ignored: [] }
}

export function getProjectHref(id: string, search: ProjectPageSearch = {}): string {
  return `/report/${encodeURIComponent(id)}${formatQueryString(formatProjectPageSearch(search))}`
}
