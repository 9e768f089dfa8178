import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import {
  changeReportAddress,
  ignoredReportParams,
  printReportAddress,
  readReportAddress,
  reportSearchOf,
} from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { flatSearch } from '#src/lib/search-text.ts'

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  /** What the link holds and the report does not use. */
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReport
  /** Replaces the whole search, e.g. by an empty one; a step that Back undoes. */
  readonly replaceAll: (search: ReportSearch) => void
}

/**
 * The report's filters, order and page: they live in the address and nowhere else. `ask` is told of the next search in the moment of the
 * press: the address follows when the router has been through its guards, and the page when it has been drawn with it.
 */
export function useReportAddress(ask?: (search: ReportSearch) => unknown): ReportAddressState {
  const router = useRouter()
  const flat = route.useSearch()
  const address = useMemo(() => readReportAddress(flat), [flat])
  const navigate = route.useNavigate()
  const search = useMemo(() => reportSearchOf(address), [address])
  const ignored = useMemo(() => ignoredReportParams(address), [address])
  const change = useCallback<ChangeReport>(
    (patch, how = 'push') => {
      ask?.(reportSearchOf(changeReportAddress(readReportAddress(flatSearch(router.latestLocation.search)), patch)))
      void navigate({
        search: (now) => printReportAddress(changeReportAddress(readReportAddress(now), patch)),
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate, router, ask],
  )
  const replaceAll = useCallback(
    (next: ReportSearch) => {
      ask?.(next)
      void navigate({ search: () => printReportAddress(next), resetScroll: false })
    },
    [navigate, ask],
  )
  return useMemo(() => ({ search, ignored, change, replaceAll }), [search, ignored, change, replaceAll])
}
