import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useDeferredValue } from 'react'
import type { ReportFacets } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { reportFacetsQuery } from '#src/report/api/reports.ts'
import { ReportBidStateSegmentPicker } from '#src/report/filter/bid-segment-picker.tsx'
import type { FilterContext } from '#src/report/filter/filter-context.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { FILTER_PANEL_MEDIA_QUERY } from './panel-media.ts'

const FacetsContext = createContext<ReportFacets | undefined>(undefined)

/** In a separate context, because the counts arrive after the rows and must not re-render the page or the rows. */
export function ReportFacetsProvider({ search, children }: { search: ReportSearch; children: ReactNode }) {
  const { data } = useQuery(reportFacetsQuery(search))
  return <FacetsContext value={useDeferredValue(useLastDefinedValue(data))}>{children}</FacetsContext>
}

export const useReportFacets = () => use(FacetsContext)

export type ReportFilterContextBase = Omit<FilterContext, 'facets'>

// On a phone the panel opens in a sheet, so the first load omits its code.
const FilterPanel = lazyPart(() => import('#src/report/filter/filter-panel.tsx'), 'FilterPanel', {
  // As high as the panel, so that the sheet opens at its final height.
  fallback: <SkeletonGroup label="กำลังโหลดตัวกรอง" className="h-dvh pt-4" bars={['w-1/2']} />,
})
export const preloadFilterPanel = (): Promise<void> => FilterPanel.preload()
if (globalThis.matchMedia?.(FILTER_PANEL_MEDIA_QUERY).matches) void preloadFilterPanel()

/** A separate component, so that only this panel re-renders when the counts arrive. */
export function FilterPanelWithCounts({ context }: { context: ReportFilterContextBase }) {
  const facets = useReportFacets()
  return <FilterPanel context={{ ...context, facets }} />
}

export const REPORT_RESULTS_ELEMENT_ID = 'report-results'

export function ReportSegments({ context: { search, change } }: { context: ReportFilterContextBase }) {
  const facets = useReportFacets()
  return (
    <ReportBidStateSegmentPicker
      context={{ search, change, facets }}
      panelId={REPORT_RESULTS_ELEMENT_ID}
      className="min-w-0 overflow-x-auto [scrollbar-width:none] print:hidden max-[90rem]:[&_[role=tab]]:px-2"
    />
  )
}
