import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import {
  changeReportAddress,
  formatReportAddress,
  ignoredReportParams,
  readReportAddress,
  reportSearchOf,
} from '#src/lib/report-address.ts'
import type { ChangeReportSearch } from '#src/lib/report-change.ts'
import { parseSearchText, toFlatSearch } from '#src/lib/search-text.ts'
import { isSameReportSearch, useOptimisticFilters } from '#src/report/filter/use-optimistic-filters.ts'

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReportSearch
  readonly replaceAll: (search: ReportSearch) => void
}

/**
 * The report's filters, order and page, stored only in the URL. The returned search is ahead of the URL by the frames
 * that the router's guards take. `prefetch` receives the next search on click, or on pointer down (`isPressed`).
 */
export function useReportAddress(
  prefetch?: (search: ReportSearch, isPressed?: boolean) => unknown,
): ReportAddressState {
  const router = useRouter()
  const flat = route.useSearch()
  const address = useMemo(() => readReportAddress(flat), [flat])
  const navigate = route.useNavigate()
  const inAddress = useReturned(useMemo(() => reportSearchOf(address), [address]))
  const ignored = useMemo(() => (address.unparsed ? ignoredReportParams(address) : NOTHING_IGNORED), [address])
  const changeAddress = useCallback<ChangeReportSearch>(
    (patch, mode = 'push') => {
      const isPressed = mode === 'ask'
      const current = readReportAddress(toFlatSearch(router.latestLocation.search))
      prefetch?.(reportSearchOf(changeReportAddress(current, patch)), isPressed)
      if (isPressed) return
      void navigate({
        search: (current) => formatReportAddress(changeReportAddress(readReportAddress(current), patch)),
        replace: mode === 'replace',
        resetScroll: false,
      })
    },
    [navigate, router, prefetch],
  )
  const replaceAll = useCallback(
    (newSearch: ReportSearch) => {
      prefetch?.(newSearch)
      void navigate({ search: () => formatReportAddress(newSearch), resetScroll: false })
    },
    [navigate, prefetch],
  )
  const addressContext = useMemo(() => ({ search: inAddress, change: changeAddress }), [inAddress, changeAddress])
  const { search, change } = useOptimisticFilters(addressContext)
  return useMemo(() => ({ search, ignored, change, replaceAll }), [search, ignored, change, replaceAll])
}

/**
 * Returns the search in the URL as a new object when navigation ends at the URL already displayed, e.g. Back before the
 * router rendered the entry in between. The router reports no change then, so an optimistic search would persist
 * forever.
 */
function useReturned(inAddress: ReportSearch): ReportSearch {
  const { history } = useRouter()
  const [returned, setReturned] = useState({ to: inAddress, search: inAddress })
  useLayoutEffect(
    () =>
      history.subscribe(({ location }) => {
        const going = reportSearchOf(readReportAddress(toFlatSearch(parseSearchText(location.search))))
        if (isSameReportSearch(going, inAddress)) setReturned({ to: inAddress, search: { ...inAddress } })
      }),
    [history, inAddress],
  )
  return returned.to === inAddress ? returned.search : inAddress
}

const NOTHING_IGNORED: ReportAddressState['ignored'] = []
