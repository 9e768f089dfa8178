import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lazyPart } from '../lazy-boundary.tsx'

export type ModalProps = {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** `dialog`: centred, on phones a bottom sheet; `sheet`: always one; `drawer`: on the left; `side`: on the right. */
  variant?: 'dialog' | 'sheet' | 'drawer' | 'side'
  /** Opens a bottom sheet at its full height, so that content which loads later does not lift it. */
  isTall?: boolean
  /** Hides the title row, for content with its own header. The title stays the accessible name. */
  hideTitle?: boolean
  className?: string
}

// Headless UI loads when the first modal opens, because no screen needs it for its first render.
const ModalPanel = lazyPart(() => import('./modal-panel.tsx'), 'ModalPanel')

export function preloadModal(): void {
  void ModalPanel.preload()
}

export function createModalPreloader(preload: () => Promise<void>): () => void {
  return () => {
    preloadModal()
    void preload()
  }
}

/**
 * Dialog, bottom sheet or drawer. Traps the focus, closes on Esc and backdrop, blocks scrolling of the page, and
 * returns the focus to its opener. Set `data-autofocus` on the control to focus first.
 */
export function Modal(props: ModalProps) {
  const [isUsed, setUsed] = useState(props.open)
  const opener = useRef<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (!props.open) return
    // Headless UI records the opener itself, except on first opening, before its code has loaded.
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setUsed(true)
  }, [props.open])
  return isUsed && <ModalPanel {...props} opener={opener} />
}

export type ModalPanelProps = ModalProps & { opener: RefObject<HTMLElement | null> }
