import { getRouteApi } from '@tanstack/react-router'
import { startTransition, useCallback, useMemo, useOptimistic } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import {
  changeReportAddress,
  formatReportAddress,
  ignoredReportParams,
  readReportAddress,
  reportSearchOf,
} from '#src/lib/report-address.ts'
import type { ChangeReportSearch } from '#src/lib/report-change.ts'
import type { FlatSearch } from '#src/lib/search-text.ts'

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReportSearch
  readonly replaceAll: (search: ReportSearch) => void
}

/** The report's filters, order and page, stored only in the URL. A change shows before the navigation has finished. */
export function useReportAddress(): ReportAddressState {
  const navigate = route.useNavigate()
  // Optimistic as text, because `readReportAddress` returns the same object for the same text.
  const [flat, setOptimistic] = useOptimistic(route.useSearch())
  const update = useCallback(
    (next: (current: FlatSearch) => FlatSearch, replace = false) =>
      startTransition(async () => {
        setOptimistic(next)
        await navigate({ search: next, replace, resetScroll: false })
      }),
    [navigate, setOptimistic],
  )
  const change = useCallback<ChangeReportSearch>(
    (patch, mode) =>
      update(
        (current) => formatReportAddress(changeReportAddress(readReportAddress(current), patch)),
        mode === 'replace',
      ),
    [update],
  )
  const replaceAll = useCallback((search: ReportSearch) => update(() => formatReportAddress(search)), [update])
  const address = readReportAddress(flat)
  return useMemo(
    () => ({ search: reportSearchOf(address), ignored: ignoredReportParams(address), change, replaceAll }),
    [address, change, replaceAll],
  )
}
