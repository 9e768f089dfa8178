import { Tag } from 'lucide-react'
import { useEffect } from 'react'
import { getNamedElement, nameElement } from '#src/lib/named-elements.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'

export const LazyLabelPanels = lazyPart(() => import('./label-panels.tsx'), 'LabelPanels')

export type LabelPanelState =
  | {
      readonly kind: 'picker'
      readonly projectIds: readonly string[]
      readonly anchor: HTMLElement | null
      readonly opener: HTMLElement | null
    }
  | { readonly kind: 'manager' }

const panelStore = createExternalStore<LabelPanelState | undefined>(undefined)

/**
 * Opens the label picker for one project or a selection. `opener` regains the focus afterwards. The picker is anchored
 * to `opener`, or to its label button if it is a row.
 */
export function openLabelPicker(projectIds: readonly string[], opener: HTMLElement | null): void {
  const button = getNamedElement(`labels ${projectIds[0]}`)
  panelStore.set({ kind: 'picker', projectIds, anchor: button && opener?.contains(button) ? button : opener, opener })
}

export const openLabelManager = (): void => panelStore.set({ kind: 'manager' })

export const closeLabelPanel = (): void => panelStore.set(undefined)

/** Host of the label picker and the label manager. Render it once per page. */
export function LabelPanelHost() {
  const panel = panelStore.useValue()
  useEffect(() => closeLabelPanel, [])
  return panel && <LazyLabelPanels panel={panel} />
}

export function LabelButton({ projectIds, name }: { projectIds: readonly string[]; name: string }) {
  const panel = panelStore.useValue()
  const element = `labels ${projectIds[0]}` as const
  const isOpen = panel?.kind === 'picker' && panel.anchor !== null && panel.anchor === getNamedElement(element)
  return (
    <button
      ref={nameElement(element)}
      data-label-button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-label={`ป้าย ${name}`}
      title="ติดป้ายกำกับ"
      onPointerEnter={LazyLabelPanels.preload}
      onFocus={LazyLabelPanels.preload}
      onClick={(event) => (isOpen ? closeLabelPanel() : openLabelPicker(projectIds, event.currentTarget))}
      className="-my-0.5 inline-flex h-6 shrink-0 items-center justify-center gap-0.5 rounded-control px-1 text-xs text-ink-muted hover:bg-surface-muted hover:text-ink touch:my-0 touch:h-11 touch:min-w-11 touch:justify-center"
    >
      <Tag aria-hidden className="size-3.5" />
      <span className="pointer-fine:sr-only">ป้าย</span>
    </button>
  )
}
