import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '../lazy-boundary.tsx'

export type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Under the title. */
  description?: ReactNode
  children: ReactNode
  /** Buttons at the bottom; stays in view while the content scrolls. */
  footer?: ReactNode
  /** `dialog`: centre, on phones a sheet from below. `sheet`: from below everywhere. `drawer`: from the left, `side`: from the right. */
  place?: 'dialog' | 'sheet' | 'drawer' | 'side'
  /** Hides the title row (it stays the accessible name), e.g. where the content has its own header. */
  hideTitle?: boolean
  className?: string
}

// Headless UI weighs more than the whole shell, so it arrives when the first modal opens.
const loadPanel = () => import('./modal-panel.tsx')
const ModalPanel = lazyComponent(loadPanel, 'ModalPanel')

/** Loads the modal's code ahead, e.g. when the pointer enters the button that opens one. */
export function preloadModal(): void {
  loadPanel().catch(() => undefined)
}

/** A handler for the button of a dialog whose content is loaded too: it loads the modal's code and that of the content ahead. */
export function preloadModalWith(load: () => Promise<unknown>): () => void {
  return () => {
    preloadModal()
    load().catch(() => undefined)
  }
}

/**
 * Dialog, bottom sheet or drawer over the page: focus stays inside, Esc and the backdrop close it, the page behind neither
 * scrolls nor answers, and focus returns to what opened it. Put `data-autofocus` on the control that focus should start on.
 */
export function Modal(props: ModalProps) {
  const [used, setUsed] = useState(props.open)
  const opener = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (!props.open) return
    // Headless UI remembers this itself, except on the first opening, when its code is not there yet.
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setUsed(true)
  }, [props.open])
  if (!used) return null
  return (
    <LazyBoundary>
      <ModalPanel {...props} opener={opener} />
    </LazyBoundary>
  )
}

/** Props of the drawn part, which `Modal` imports on first opening. */
export type ModalPanelProps = ModalProps & { opener: RefObject<HTMLElement | null> }
