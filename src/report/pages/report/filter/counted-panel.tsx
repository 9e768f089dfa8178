import { FilterPanel } from '#src/report/filter/filter-panel.tsx'
import { type UncountedContext, useCountedContext } from './report-facets.tsx'

/** A separate component, so that only this panel re-renders when the counts arrive. */
export function CountedPanel({ context }: { context: UncountedContext }) {
  return <FilterPanel context={useCountedContext(context)} />
}
