import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type ReportFilterContextWithoutCounts, useReportFilterContextWithCounts } from './report-facets.tsx'

/** A separate component, so that only this panel re-renders when the counts arrive. */
export function FilterPanelWithCounts({ context }: { context: ReportFilterContextWithoutCounts }) {
  return <FilterPanel context={useReportFilterContextWithCounts(context)} />
}
