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

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReportSearch
  readonly replaceAll: (search: ReportSearch) => void
}

/** The report's filters, order and page, stored only in the URL. A change shows before the navigation has finished. */
export function useReportAddress(): ReportAddressState {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const [address, setOptimistic] = useOptimistic(readReportAddress(flat))
  const change = useCallback<ChangeReportSearch>(
    (patch, mode = 'push') => {
      startTransition(async () => {
        setOptimistic((current) => changeReportAddress(current, patch))
        await navigate({
          search: (current) => formatReportAddress(changeReportAddress(readReportAddress(current), patch)),
          replace: mode === 'replace',
          resetScroll: false,
        })
      })
    },
    [navigate, setOptimistic],
  )
  const replaceAll = useCallback(
    (search: ReportSearch) => {
      startTransition(async () => {
        setOptimistic(search)
        await navigate({ search: formatReportAddress(search), resetScroll: false })
      })
    },
    [navigate, setOptimistic],
  )
  const search = useMemo(() => reportSearchOf(address), [address])
  const ignored = useMemo(() => ignoredReportParams(address), [address])
  return useMemo(() => ({ search, ignored, change, replaceAll }), [search, ignored, change, replaceAll])
}
