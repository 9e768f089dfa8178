import { useSyncExternalStore } from 'react'

/** What of the labels stands open over the page: the picker for some projects, or the list of all labels. */
export type LabelPanel =
  | {
      readonly kind: 'picker'
      readonly projectIds: readonly string[]
      readonly anchor: HTMLElement | null
      readonly opener: HTMLElement | null
    }
  | { readonly kind: 'manager' }

let panel: LabelPanel | undefined
const watchers = new Set<() => void>()

function show(next: LabelPanel | undefined) {
  panel = next
  for (const tell of watchers) tell()
}

function watch(tell: () => void) {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

/**
 * Opens the label picker for one project or a selection. `opener` gets the focus back; the picker hangs under it, or under the
 * label button in it where it is a whole row.
 */
export function openLabelPicker(projectIds: readonly string[], opener: HTMLElement | null): void {
  const button = opener?.querySelector<HTMLElement>('[data-label-button]')
  show({ kind: 'picker', projectIds, anchor: button ?? opener, opener })
}

/** Opens the list of all labels, where they are renamed, recoloured and deleted. */
export function openLabelManager(): void {
  show({ kind: 'manager' })
}

export function closeLabelPanel(): void {
  show(undefined)
}

export function useLabelPanel(): LabelPanel | undefined {
  return useSyncExternalStore(watch, () => panel)
}

/** Whether the picker hangs under this element. */
export function usePicksUnder(anchor: { readonly current: HTMLElement | null }): boolean {
  return useSyncExternalStore(
    watch,
    () => panel?.kind === 'picker' && panel.anchor !== null && panel.anchor === anchor.current,
  )
}
