import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useLastGood } from '#src/lib/use-last-good.ts'
import { reportFacetsQuery } from '#src/report/api/reports.ts'
import type { FilterContext } from '#src/report/filter/filter-context.ts'

const FacetsContext = createContext<ReportFacets | undefined>(undefined)

/**
 * Brings the counts beside the filters to what shows them (`useReportFacets`), and to nothing else: they come after the rows, and neither the page nor
 * a row is drawn for them. Drawn when there is time.
 */
export function ReportFacetsProvider({ search, children }: { search: ReportSearch; children: ReactNode }) {
  const { data } = useQuery(reportFacetsQuery(search))
  return <FacetsContext value={useDeferredValue(useLastGood(data))}>{children}</FacetsContext>
}

/** The last good counts; undefined until the first have come. */
export const useReportFacets = () => use(FacetsContext)

/** What the page tells its filters. The counts come by a way of their own. */
export type UncountedContext = Omit<FilterContext, 'facets'>

/** The context with the counts, another object only when either changes. */
export function useCountedContext(context: UncountedContext): FilterContext {
  const facets = useReportFacets()
  return useMemo(() => ({ ...context, facets }), [context, facets])
}
