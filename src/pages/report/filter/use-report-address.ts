import { getRouteApi } from '@tanstack/react-router'
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

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  /** What the link holds and the report does not use. */
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReport
  /** Replaces the whole search, e.g. by an empty one; a step that Back undoes. */
  readonly replaceAll: (search: ReportSearch) => void
}

/** The report's filters, order and page: they live in the address and nowhere else. */
export function useReportAddress(): ReportAddressState {
  const flat = route.useSearch()
  const address = useMemo(() => readReportAddress(flat), [flat])
  const navigate = route.useNavigate()
  const search = useMemo(() => reportSearchOf(address), [address])
  const ignored = useMemo(() => ignoredReportParams(address), [address])
  const change = useCallback<ChangeReport>(
    (patch, how = 'push') => {
      void navigate({
        search: (now) => printReportAddress(changeReportAddress(readReportAddress(now), patch)),
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate],
  )
  const replaceAll = useCallback(
    (next: ReportSearch) => {
      void navigate({ search: () => printReportAddress(next), resetScroll: false })
    },
    [navigate],
  )
  return { search, ignored, change, replaceAll }
}
