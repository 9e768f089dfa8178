import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ReportRowPredicate } from './report-filter.ts'
import { getActiveFilters } from './report-filters.ts'

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
