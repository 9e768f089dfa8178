import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useLayoutEffect, useState } from 'react'
import type { ReportPage } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { queryClient, settleQuery } from '#src/api/http/query-client.ts'
import { useLastGood } from '#src/lib/use-last-good.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'

export type ReportResult = {
  /** The last successfully loaded page while the requested one loads or after it failed; undefined before the first. */
  readonly page: ReportPage | undefined
  readonly isOld: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Loads the report page. On failure the last loaded rows remain: an error is never shown as an empty table. */
export function useReportResult(search: ReportSearch): ReportResult {
  const page = useQuery(reportPageQuery(search))
  const shownPage = useLastGood(page.data)
  // Render the first rows concurrently in place of the skeleton: rendering the page at once blocked a desktop CPU for
  // 100 ms. Later pages render immediately.
  const isHere = useDeferredValue(shownPage !== undefined)
  return {
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
 * Maximum time, ms, to wait for new rows before showing the new search. With the next frame it is below the 100 ms in
 * which a click feels instant.
 */
const ROWS_WAIT_MS = 60

/**
 * Returns the value to render: the previous one until the rows for `search` are cached or `ROWS_WAIT_MS` has passed. On
 * a fast connection each click then renders the page once, with the new rows. The clicked control shows its own
 * feedback.
 */
export function useDeferredUntilRows<Place>(value: Place, search: ReportSearch): Place {
  const [rendered, setShown] = useState(() => value)
  const isThere = rendered === value || queryClient.getQueryData(reportPageQuery(search).queryKey) !== undefined
  if (isThere && rendered !== value) setShown(() => value)
  useLayoutEffect(() => {
    if (isThere) return
    let isActive = true
    const show = () => {
      if (isActive) setShown(() => value)
    }
    void settleQuery(reportPageQuery(search)).then(show)
    const timer = setTimeout(show, ROWS_WAIT_MS)
    return () => {
      isActive = false
      clearTimeout(timer)
    }
  }, [isThere, value, search])
  return isThere ? value : rendered
}

/**
 * While new rows load, the old rows stay paired with the search that produced them. That search excludes the peek,
 * queue and saved-filter parameters, which do not affect rows.
 */
export function useRowsSearch(
  { peek: _peek, queue: _queue, saved: _saved, ...search }: ReportSearch,
  isOld: boolean,
): ReportSearch {
  const key = JSON.stringify(search)
  const [current, setShown] = useState({ key, search })
  if (!isOld && current.key !== key) setShown({ key, search })
  return current.search
}
