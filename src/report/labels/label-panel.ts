import { useSyncExternalStore } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { createExternalStore } from '#src/lib/store.ts'

export const LazyLabelPanels = lazyComponent(() => import('./label-panels.tsx'), 'LabelPanels')

export type LabelPanelState =
  | {
      readonly kind: 'picker'
      readonly projectIds: readonly string[]
      readonly anchor: HTMLElement | null
      readonly opener: HTMLElement | null
    }
  | { readonly kind: 'manager' }

const panel = createExternalStore<LabelPanelState | undefined>(undefined)

/**
 * Opens the label picker for one project or a selection. `opener` regains the focus afterwards. The picker is anchored
 * to `opener`, or to its label button if it is a row.
 */
export function openLabelPicker(projectIds: readonly string[], opener: HTMLElement | null): void {
  const button = getNamedElement(`labels ${projectIds[0]}`)
  panel.set({ kind: 'picker', projectIds, anchor: button && opener?.contains(button) ? button : opener, opener })
}

export function openLabelManager(): void {
  panel.set({ kind: 'manager' })
}

export function closeLabelPanel(): void {
  panel.set(undefined)
}

export function useLabelPanel(): LabelPanelState | undefined {
  return panel.useValue()
}

export function useIsLabelPickerAnchor(anchor: { readonly current: HTMLElement | null }): boolean {
  return useSyncExternalStore(panel.subscribe, () => {
    const openPanel = panel.get()
    return openPanel?.kind === 'picker' && openPanel.anchor !== null && openPanel.anchor === anchor.current
  })
}
