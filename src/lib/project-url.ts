import { formatReportSearch, parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { pickReportFilters } from './report-url.ts'

/** Tabs of a project's page; the first is omitted from the URL. */
export const PROJECT_TABS = ['overview', 'prices', 'bidders', 'files', 'changes'] as const
export type ProjectTab = (typeof PROJECT_TABS)[number]

/** Names of the tabs in older or hand-written links. */
const TAB_ALIASES: Readonly<Record<string, ProjectTab>> = {
  documents: 'files',
  history: 'changes',
  price: 'prices',
}

/**
 * Typed search of /report/{id}. `from` is the report from which the page was opened; it determines the previous and
 * next project.
 */
export type ProjectPageSearch = { readonly tab?: ProjectTab; readonly from?: ReportSearch }

export function formatProjectPageSearch({ tab, from }: ProjectPageSearch): Record<string, string> {
  // Omit the page, the panel and the saved filter, because they do not affect which projects are listed.
  const query = new URLSearchParams(formatReportSearch(listSearchOf(from ?? {}))).toString()
  return {
    ...(tab === undefined || tab === 'overview' ? {} : { tab }),
    // An empty value of `from` means the unfiltered report. Without `from`, the page offers no previous and next
    // project.
    ...(from === undefined ? {} : { from: query }),
  }
}

function listSearchOf(search: ReportSearch): ReportSearch {
  const { ordering } = search
  return { ...pickReportFilters(search), ...(ordering === undefined ? {} : { ordering }) }
}

export function parseProjectPageSearch(raw: Readonly<Record<string, unknown>>): ProjectPageSearch {
  const name = typeof raw.tab === 'string' ? (TAB_ALIASES[raw.tab] ?? raw.tab) : undefined
  const tab = PROJECT_TABS.find((candidate) => candidate === name)
  const from =
    typeof raw.from === 'string'
      ? parseReportSearch(Object.fromEntries(new URLSearchParams(raw.from))).search
      : undefined
  return { ...(tab === undefined ? {} : { tab }), ...(from === undefined ? {} : { from }) }
}

export function getProjectHref(id: string, search: ProjectPageSearch = {}): string {
  const query = new URLSearchParams(formatProjectPageSearch(search)).toString()
  return `/report/${encodeURIComponent(id)}${query === '' ? '' : `?${query}`}`
}
