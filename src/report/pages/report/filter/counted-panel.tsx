import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type UncountedContext, useCountedContext } from './report-facets.tsx'

/** The filters with their counts. Only what shows it is drawn when the counts come. */
export function CountedPanel({ context }: { context: UncountedContext }) {
  return <FilterPanel context={useCountedContext(context)} />
}
