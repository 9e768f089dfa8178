import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'

export type ReportResult = ReturnType<typeof useReportResult>

/** Loads the report page. On failure the last loaded rows remain: an error is never shown as an empty table. */
export function useReportResult(search: ReportSearch) {
  const page = useQuery(reportPageQuery(search))
  const shownPage = useLastDefinedValue(page.data)
  // Render the first rows concurrently: at once they blocked a desktop CPU for 100 ms. Later pages skip this.
  const isHere = useDeferredValue(shownPage !== undefined)
  return {
    /** The last loaded page, also while another one loads or after that failed. */
    page: isHere ? shownPage : undefined,
    isOld: page.isPlaceholderData || (page.data === undefined && shownPage !== undefined),
    isFetching: page.isFetching,
    error: page.error,
    retry: () => {
      void page.refetch()
      const { queryKey } = reportFacetsQuery(search)
      void queryClient.refetchQueries({ queryKey, exact: true, predicate: ({ state }) => state.status === 'error' })
    },
  }
}

/**
 * Returns the search that produced the rendered rows: while new rows load, the old rows keep the old search. Excludes
 * the peek, queue and saved-filter parameters, which do not affect rows.
 */
export function useRenderedRowsSearch(
  { peek: _peek, queue: _queue, saved: _saved, ...search }: ReportSearch,
  isOld: boolean,
): ReportSearch {
  const key = JSON.stringify(search)
  const [current, setShown] = useState({ key, search })
  if (!isOld && current.key !== key) setShown({ key, search })
  return current.search
}

const NO_ROWS: ReportRow[] = []

export function filterVisibleReportRows<Row extends { readonly project_id: string }>(
  rows: Row[],
  hidden: ReadonlySet<string>,
  showsHidden: boolean,
): Row[] {
  const isVisible = ({ project_id }: Row) => hidden.has(project_id) === showsHidden
  return rows.every(isVisible) ? rows : rows.filter(isVisible)
}

/** Omits rows that the user has just hidden. Rows of an earlier search are not filtered. */
export function useVisibleReportRows({ page, isOld }: ReportResult, search: ReportSearch, user: User): ReportRow[] {
  'use memo'
  const { project_hidden: ids } = user
  const showsHidden = search.project_hidden === true
  if (!page) return NO_ROWS
  // Return the same array, because a new one would re-render all rows when the next search starts.
  return isOld ? page.results : filterVisibleReportRows(page.results, new Set(ids), showsHidden)
}
