import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type UncountedContext, useCountedContext } from './report-facets.tsx'

/** Filter panel with counts, split off so that only it re-renders when counts arrive. */
export function CountedPanel({ context }: { context: UncountedContext }) {
  return <FilterPanel context={useCountedContext(context)} />
}
