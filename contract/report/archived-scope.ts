import type { ReportSearch } from './report-params.ts'

/**
 * Returns whether a search covers delivered work (true), running work (false) or both (undefined). A running contract
 * can be in either scope, because D5 treats it as delivered after 180 days without an announcement. So `ends_within`
 * covers both scopes, or only delivered work with `is_archived`.
 */
export function getArchivedScope({ is_archived: isArchived, ends_within: days }: ReportSearch): boolean | undefined {
  return days !== undefined && !isArchived ? undefined : isArchived === true
}

/**
 * Returns searches that together cover both scopes without overlap. If the search is limited to delivered work, returns
 * only that search.
 */
export function splitSearchByReportTab(search: ReportSearch): ReportSearch[] {
  return getArchivedScope(search) === false ? [search, { ...search, is_archived: true }] : [search]
}
