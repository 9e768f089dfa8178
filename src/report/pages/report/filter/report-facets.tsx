import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useDeferredValue } from 'react'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { reportFacetsQuery } from '#src/report/api/reports.ts'
import type { FilterContext } from '#src/report/filter/filter-context.ts'

const FacetsContext = createContext<ReportFacets | undefined>(undefined)

/**
 * Provides the filter counts in a separate context, because they arrive after the rows and must not re-render the page
 * or the rows. Updates are deferred.
 */
export function ReportFacetsProvider({ search, children }: { search: ReportSearch; children: ReactNode }) {
  const { data } = useQuery(reportFacetsQuery(search))
  return <FacetsContext value={useDeferredValue(useLastDefinedValue(data))}>{children}</FacetsContext>
}

export const useReportFacets = () => use(FacetsContext)

export type ReportFilterContextBase = Omit<FilterContext, 'facets'>

export function useReportFilterContext(context: ReportFilterContextBase): FilterContext {
  const facets = useReportFacets()
  return { ...context, facets }
}
