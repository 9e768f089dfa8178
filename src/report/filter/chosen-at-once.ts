import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { changeReportAddress } from '#src/lib/report-address.ts'
import type { FilterContext } from './filter-context.ts'

/**
 * The context with what was just chosen: the address follows some frames later, when the router has been through its guards. What is chosen
 * meanwhile comes on top of it, not in its place. A new address is the last word, whatever was chosen; one that says the same leaves the object as it is.
 */
export function useChosenAtOnce<Context extends Pick<FilterContext, 'search' | 'change'>>(context: Context): Context {
  const { search: inAddress, change: changeAddress } = context
  const [chosen, setChosen] = useState({ since: inAddress, search: inAddress })
  const search = useMemo(
    () => (chosen.since === inAddress || isSameSearch(chosen.search, inAddress) ? chosen.search : inAddress),
    [chosen, inAddress],
  )
  const latest = useRef(inAddress)
  useLayoutEffect(() => {
    latest.current = inAddress
  })
  // The same function for every address: the filters that have not changed are not drawn again.
  const change = useCallback<FilterContext['change']>(
    (...asked) => {
      if (asked[1] === 'ask') return changeAddress(...asked)
      const since = latest.current
      setChosen((before) => ({
        since,
        search: changeReportAddress(before.since === since ? before.search : since, asked[0]),
      }))
      changeAddress(...asked)
    },
    [changeAddress],
  )
  return useMemo(() => ({ ...context, search, change }), [context, search, change])
}

/** Whether two searches print the same address. */
export const isSameSearch = (one: ReportSearch, other: ReportSearch) =>
  JSON.stringify(printReportSearch(one)) === JSON.stringify(printReportSearch(other))
