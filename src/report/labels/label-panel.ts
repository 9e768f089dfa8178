import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'

export const loadLabelPanels = () => import('./label-panels.tsx')

/** Loads the picker's code ahead, e.g. when the pointer enters the button that opens it. */
export function preloadLabelPanels(): void {
  loadLabelPanels().catch(() => undefined)
}

/** What of the labels stands open over the page: the picker for some projects, or the list of all labels. */
export type LabelPanel =
  | {
      readonly kind: 'picker'
      readonly projectIds: readonly string[]
      readonly anchor: HTMLElement | null
      readonly opener: HTMLElement | null
    }
  | { readonly kind: 'manager' }

const panel = createStore<LabelPanel | undefined>(undefined)

/**
 * Opens the label picker for one project or a selection. `opener` gets the focus back; the picker hangs under it, or under the
 * label button in it where it is a whole row.
 */
export function openLabelPicker(projectIds: readonly string[], opener: HTMLElement | null): void {
  const button = opener?.querySelector<HTMLElement>('[data-label-button]')
  panel.set({ kind: 'picker', projectIds, anchor: button ?? opener, opener })
}

/** Opens the list of all labels, where they are renamed, recoloured and deleted. */
export function openLabelManager(): void {
  panel.set({ kind: 'manager' })
}

export function closeLabelPanel(): void {
  panel.set(undefined)
}

export function useLabelPanel(): LabelPanel | undefined {
  return useSyncExternalStore(panel.subscribe, panel.get)
}

/** Whether the picker hangs under this element. */
export function usePicksUnder(anchor: { readonly current: HTMLElement | null }): boolean {
  return useSyncExternalStore(panel.subscribe, () => {
    const open = panel.get()
    return open?.kind === 'picker' && open.anchor !== null && open.anchor === anchor.current
  })
}
