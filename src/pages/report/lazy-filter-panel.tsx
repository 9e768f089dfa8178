import { lazy } from 'react'

const load = () => import('#src/features/report-filter/filter-panel.tsx')

/** The filter panel, which phones load only when the sheet opens. */
export const FilterPanel = lazy(() => load().then((module) => ({ default: module.FilterPanel })))

/** Loads the panel's code ahead. */
export function preloadFilterPanel(): void {
  load().catch(() => undefined)
}
