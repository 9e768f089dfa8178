import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
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
    /**
     * The last successfully loaded page, also while the requested one loads or after it failed; undefined before the
     * first page.
     */
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
