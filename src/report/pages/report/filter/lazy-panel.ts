import { lazyComponent } from '#src/lib/lazy-component.ts'

/** Width that fits the panel next to the table (in rem, so that text zoom counts); narrower windows use a sheet. */
export const WIDE = '(min-width: 64rem)'

/** A separate chunk, which phones do not need for their cards. */
export const CountedPanel = lazyComponent(() => import('./counted-panel.tsx'), 'CountedPanel')
// Preload where it is part of the first render.
if (globalThis.matchMedia?.(WIDE).matches) void CountedPanel.preload()
