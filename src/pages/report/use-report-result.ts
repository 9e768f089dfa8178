import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { ReportFacets, ReportPage } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { reportFacetsQuery, reportPageQuery } from '#src/api/report/reports.ts'

export type ReportResult = {
  /** The page asked for, or the last good one while it is on its way or has failed; undefined before the first. */
  readonly page: ReportPage | undefined
  readonly facets: ReportFacets | undefined
  /** The page shown is not the one asked for. */
  readonly isOld: boolean
  readonly isFetching: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** The answers to a search. A failed one keeps the last good rows: an error is never an empty table. */
export function useReportResult(search: ReportSearch): ReportResult {
  const page = useQuery(reportPageQuery(search))
  const facets = useQuery(reportFacetsQuery(search))
  const shownPage = useLastGood(page.data)
  const shownFacets = useLastGood(facets.data)
  // The first rows are drawn in slices, in place of the skeleton; the drawing of the whole page at once took 100 ms of a desk's processor. Later ones come at once.
  const isHere = useDeferredValue(shownPage !== undefined)
  return {
    page: isHere ? shownPage : undefined,
    facets: shownFacets,
    isOld: page.isPlaceholderData || (page.data === undefined && shownPage !== undefined),
    isFetching: page.isFetching,
    error: page.error,
    retry: () => {
      void page.refetch()
      if (facets.isError) void facets.refetch()
    },
  }
}

/** The value, or the last one that was there. */
function useLastGood<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
