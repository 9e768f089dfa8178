import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useLayoutEffect, useState } from 'react'
import type { ReportPage } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { answerOf, queryClient } from '#src/api/http/query-client.ts'
import { useLastGood } from '#src/lib/use-last-good.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/report/api/reports.ts'

export type ReportResult = {
  /** The page asked for, or the last good one while it is on its way or has failed; undefined before the first. */
  readonly page: ReportPage | undefined
  /** The page shown is not the one asked for. */
  readonly isOld: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** The page of a search. A failed one keeps the last good rows: an error is never an empty table. */
export function useReportResult(search: ReportSearch): ReportResult {
  const page = useQuery(reportPageQuery(search))
  const shownPage = useLastGood(page.data)
  // The first rows are drawn in slices, in place of the skeleton; the drawing of the whole page at once took 100 ms of a desk's processor. Later ones come at once.
  const isHere = useDeferredValue(shownPage !== undefined)
  return {
    page: isHere ? shownPage : undefined,
    isOld: page.isPlaceholderData || (page.data === undefined && shownPage !== undefined),
    isFetching: page.isFetching,
    error: page.error,
    retry: () => {
      void page.refetch()
      // The counts have most likely failed with it.
      const { queryKey } = reportFacetsQuery(search)
      void queryClient.refetchQueries({ queryKey, exact: true, predicate: ({ state }) => state.status === 'error' })
    },
  }
}

/** Longest that the page keeps its search for the rows of the next one, ms. With the frame after it this stays below the tenth of a second in which a press is felt to be answered. */
const ROWS_WAIT_MS = 60

/**
 * The place that the page shows, for the search that its address asks: the one before until its rows are there, or `ROWS_WAIT_MS`. On a quick line
 * the page is drawn once for a press, with the new rows, and not before it with the old ones. What was pressed shows so by itself.
 */
export function useWithRows<Place>(place: Place, search: ReportSearch): Place {
  const [shown, setShown] = useState(() => place)
  const isThere = shown === place || queryClient.getQueryData(reportPageQuery(search).queryKey) !== undefined
  if (isThere && shown !== place) setShown(() => place)
  useLayoutEffect(() => {
    if (isThere) return
    let isAsked = true
    const show = () => {
      if (isAsked) setShown(() => place)
    }
    void answerOf(reportPageQuery(search)).then(show)
    const timer = setTimeout(show, ROWS_WAIT_MS)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [isThere, place, search])
  return isThere ? place : shown
}

/** The search that the rows on the screen answer: old rows stay as they are drawn, and what is open beside the rows changes nothing in them. */
export function useShownSearch(
  { peek: _peek, queue: _queue, saved: _saved, ...search }: ReportSearch,
  isOld: boolean,
): ReportSearch {
  const key = JSON.stringify(search)
  const [shown, setShown] = useState({ key, search })
  if (!isOld && shown.key !== key) setShown({ key, search })
  return shown.search
}
