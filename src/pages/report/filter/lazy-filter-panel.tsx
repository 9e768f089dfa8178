import { lazyComponent } from '#src/lib/lazy-component.ts'

const load = () => import('#src/features/report-filter/filter-panel.tsx')

/** The filter panel, which phones load only when the sheet opens. */
export const FilterPanel = lazyComponent(load, 'FilterPanel')

/** Loads the panel's code ahead. */
export function preloadFilterPanel(): void {
  load().catch(() => undefined)
}
