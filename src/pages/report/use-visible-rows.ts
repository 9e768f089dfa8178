import { useMemo } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { User } from '#contract/user/user.ts'
import { visibleRows } from '#src/features/hidden-projects/visible-rows.ts'
import type { ReportResult } from './use-report-result.ts'

const NO_ROWS: ReportRow[] = []

/** The rows of the page: what is hidden leaves at once, and is back when the server refuses. Old rows are those of another view. */
export function useVisibleRows({ page, isOld }: ReportResult, search: ReportSearch, user: User): ReportRow[] {
  const { project_hidden: ids } = user
  const showsHidden = search.project_hidden === true
  return useMemo(() => {
    if (!page) return NO_ROWS
    return isOld ? page.results : [...visibleRows(page.results, new Set(ids), showsHidden)]
  }, [page, isOld, ids, showsHidden])
}
