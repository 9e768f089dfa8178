import { lazyComponent } from '#src/lib/lazy-component.ts'

/** Room for the panel beside the table (in rem, so that text zoom counts). Narrower windows show it in a sheet. */
export const WIDE = '(min-width: 64rem)'

/** A part of its own: a phone draws its cards without it. */
export const CountedPanel = lazyComponent(() => import('./counted-panel.tsx'), 'CountedPanel')
// Where it is drawn at once it is on its way before the page is.
if (globalThis.matchMedia?.(WIDE).matches) void CountedPanel.preload()
