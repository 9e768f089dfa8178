import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useCallback, useLayoutEffect, useMemo, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import {
  changeReportAddress,
  ignoredReportParams,
  printReportAddress,
  readReportAddress,
  reportSearchOf,
} from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { flatSearch, parseSearchText } from '#src/lib/search-text.ts'
import { isSameSearch, useChosenAtOnce } from '#src/report/filter/chosen-at-once.ts'

const route = getRouteApi('/_app/report')

export type ReportAddressState = {
  readonly search: ReportSearch
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReport
  /** Replaces the whole search as a new history entry. */
  readonly replaceAll: (search: ReportSearch) => void
}

/**
 * The report's filters, order and page, stored only in the address. The returned search is ahead of it by the frames
 * that the router's guards take. `ask` receives the next search on click, or on pointer down (`isPressed`), to prefetch
 * it.
 */
export function useReportAddress(ask?: (search: ReportSearch, isPressed?: boolean) => unknown): ReportAddressState {
  const router = useRouter()
  const flat = route.useSearch()
  const address = useMemo(() => readReportAddress(flat), [flat])
  const navigate = route.useNavigate()
  const inAddress = useReturned(useMemo(() => reportSearchOf(address), [address]))
  const ignored = useMemo(() => (address.kept ? ignoredReportParams(address) : NOTHING_IGNORED), [address])
  const changeAddress = useCallback<ChangeReport>(
    (patch, how = 'push') => {
      const isPressed = how === 'ask'
      const now = readReportAddress(flatSearch(router.latestLocation.search))
      ask?.(reportSearchOf(changeReportAddress(now, patch)), isPressed)
      if (isPressed) return
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
  const inPlace = useMemo(() => ({ search: inAddress, change: changeAddress }), [inAddress, changeAddress])
  const { search, change } = useChosenAtOnce(inPlace)
  return useMemo(() => ({ search, ignored, change, replaceAll }), [search, ignored, change, replaceAll])
}

/**
 * Returns the address search as a new object when navigation ends at the address already displayed, e.g. Back before
 * the router rendered the entry in between. The router sees no change then, so an optimistic search would persist
 * forever.
 */
function useReturned(inAddress: ReportSearch): ReportSearch {
  const { history } = useRouter()
  const [returned, setReturned] = useState({ to: inAddress, search: inAddress })
  useLayoutEffect(
    () =>
      history.subscribe(({ location }) => {
        const going = reportSearchOf(readReportAddress(flatSearch(parseSearchText(location.search))))
        if (isSameSearch(going, inAddress)) setReturned({ to: inAddress, search: { ...inAddress } })
      }),
    [history, inAddress],
  )
  return returned.to === inAddress ? returned.search : inAddress
}

const NOTHING_IGNORED: ReportAddressState['ignored'] = []
