export const loadLabelPanels = () => import('./label-panels.tsx')

/** Loads the picker's code ahead, e.g. when the pointer enters the button that opens it. */
export function preloadLabelPanels(): void {
  loadLabelPanels().catch(() => undefined)
}
