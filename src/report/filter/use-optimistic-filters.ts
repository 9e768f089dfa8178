import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { changeReportAddress } from '#src/lib/report-address.ts'
import type { FilterContext } from './filter-context.ts'

/**
 * Overlays the chosen filters on the context optimistically, because the URL changes some frames later, after the
 * router's guards. Further choices build on the overlay. A new URL replaces the overlay; one for an equivalent search
 * leaves the object unchanged.
 */
export function useOptimisticFilters<Context extends Pick<FilterContext, 'search' | 'change'>>(
  context: Context,
): Context {
  const { search: inAddress, change: changeAddress } = context
  const [chosen, setChosen] = useState({ since: inAddress, search: inAddress })
  const search = useMemo(
    () => (chosen.since === inAddress || isSameReportSearch(chosen.search, inAddress) ? chosen.search : inAddress),
    [chosen, inAddress],
  )
  const latest = useRef(inAddress)
  useLayoutEffect(() => {
    latest.current = inAddress
  })
  // Stable identity, so that unchanged filters do not re-render.
  const change = useCallback<FilterContext['change']>(
    (...args) => {
      if (args[1] === 'ask') return changeAddress(...args)
      const since = latest.current
      setChosen((before) => ({
        since,
        search: changeReportAddress(before.since === since ? before.search : since, args[0]),
      }))
      changeAddress(...args)
    },
    [changeAddress],
  )
  return useMemo(() => ({ ...context, search, change }), [context, search, change])
}

export const isSameReportSearch = (a: ReportSearch, b: ReportSearch) =>
  JSON.stringify(formatReportSearch(a)) === JSON.stringify(formatReportSearch(b))
