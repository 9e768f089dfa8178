import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type ReportFilterContextBase, useReportFilterContext } from './report-facets.tsx'

/** A separate component, so that only this panel re-renders when the counts arrive. */
export function FilterPanelWithCounts({ context }: { context: ReportFilterContextBase }) {
  return <FilterPanel context={useReportFilterContext(context)} />
}
