import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type UncountedContext, useCountedContext } from './report-facets.tsx'

/** Split off, so that only this panel re-renders when counts arrive. */
export function CountedPanel({ context }: { context: UncountedContext }) {
  return <FilterPanel context={useCountedContext(context)} />
}
