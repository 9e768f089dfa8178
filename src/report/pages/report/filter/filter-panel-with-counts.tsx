import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { FILTER_PANEL_MEDIA_QUERY } from './panel-media.ts'
import { type ReportFilterContextBase, useReportFilterContext } from './report-facets.tsx'

// A phone shows the panel in a sheet, so its first load leaves it out.
const FilterPanel = lazyComponent(() => import('#src/report/filter/filter-panel.tsx'), 'FilterPanel')
export const preloadFilterPanel = (): Promise<void> => FilterPanel.preload()
if (globalThis.matchMedia?.(FILTER_PANEL_MEDIA_QUERY).matches) void preloadFilterPanel()

/** A separate component, so that only this panel re-renders when the counts arrive. */
export function FilterPanelWithCounts({ context }: { context: ReportFilterContextBase }) {
  const filterContext = useReportFilterContext(context)
  return (
    <LazyBoundary
      // As high as the panel, so that the sheet opens at its final height.
      fallback={
        <SkeletonGroup label="กำลังโหลดตัวกรอง" className="h-dvh pt-4">
          <Skeleton className="w-1/2" />
        </SkeletonGroup>
      }
    >
      <FilterPanel context={filterContext} />
    </LazyBoundary>
  )
}
