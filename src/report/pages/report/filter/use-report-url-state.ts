import { replaceEqualDeep } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { startTransition, useOptimistic, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { applyReportUrlPatch, type ReportUrlSearch } from '#src/lib/report-url.ts'
import { pickSearch } from '#src/lib/typed-search.ts'

const route = getRouteApi('/_app/report')

export type ReportUrlState = ReturnType<typeof useReportUrlState>

/** Filters, order and page, stored only in the URL. A change is returned before its navigation has finished. */
export function useReportUrlState() {
  const navigate = route.useNavigate()
  const [{ ignored = [], ...newest }, setOptimistic] = useOptimistic<ReportUrlSearch>(route.useSearch())
  // After the navigation the search is another object with equal values, for which the rows need not render again.
  const [search, setSearch] = useState<ReportSearch>({})
  const shared = replaceEqualDeep(search, pickSearch<ReportSearch>(newest))
  if (shared !== search) setSearch(shared)
  const update = (next: (current: ReportUrlSearch) => ReportUrlSearch, replace = false) =>
    startTransition(async () => {
      setOptimistic(next)
      await navigate({ search: next, replace, resetScroll: false })
    })
  const change: ChangeReportSearchFn = (patch, mode) =>
    update((current) => applyReportUrlPatch(current, patch), mode === 'replace')
  const replaceAll = (address: ReportUrlSearch) => update(() => address)
  return { search: shared, ignored, change, replaceAll }
}
