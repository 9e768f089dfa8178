import { getRouteApi } from '@tanstack/react-router'
import { startTransition, useOptimistic } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { FlatSearchParams } from '#src/lib/flat-search-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import {
  applyReportUrlPatch,
  formatReportUrlSearch,
  listIgnoredReportParams,
  parseReportUrlSearch,
  toReportSearch,
} from '#src/lib/report-url.ts'

const route = getRouteApi('/_app/report')

export type ReportUrlState = {
  readonly search: ReportSearch
  readonly ignored: ReturnType<typeof listIgnoredReportParams>
  readonly change: ChangeReportSearchFn
  readonly replaceAll: (search: ReportSearch) => void
}

/**
 * Manages the report's filters, order and page, which are stored only in the URL. A change is returned before its
 * navigation has finished.
 */
export function useReportUrlState(): ReportUrlState {
  const navigate = route.useNavigate()
  // The optimistic value is text, because `parseReportUrlSearch` returns the same object for the same text.
  const [flat, setOptimistic] = useOptimistic(route.useSearch())
  const update = (next: (current: FlatSearchParams) => FlatSearchParams, replace = false) =>
    startTransition(async () => {
      setOptimistic(next)
      await navigate({ search: next, replace, resetScroll: false })
    })
  const change: ChangeReportSearchFn = (patch, mode) =>
    update(
      (current) => formatReportUrlSearch(applyReportUrlPatch(parseReportUrlSearch(current), patch)),
      mode === 'replace',
    )
  const replaceAll = (search: ReportSearch) => update(() => formatReportUrlSearch(search))
  const address = parseReportUrlSearch(flat)
  return { search: toReportSearch(address), ignored: listIgnoredReportParams(address), change, replaceAll }
}
