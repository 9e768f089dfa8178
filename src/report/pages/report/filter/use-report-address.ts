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
  /** What the link holds and the report does not use. */
  readonly ignored: ReturnType<typeof ignoredReportParams>
  readonly change: ChangeReport
  /** Replaces the whole search, e.g. by an empty one; a step that Back undoes. */
  readonly replaceAll: (search: ReportSearch) => void
}

/**
 * The report's filters, order and page: they live in the address and nowhere else. The page goes ahead of it by the frames that the router takes with its guards.
 * `ask` is told of the next search in the moment of the click, and of one that is only being pressed (`isPressed`).
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
 * The search of the address, as a new object when the browser goes to the address that is on the screen: by Back before the router had drawn the one in between, or by
 * a link. To the router nothing has changed then, and what was chosen meanwhile would stand there for ever.
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
