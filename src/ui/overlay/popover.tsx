import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { lazyPart } from '../lazy-boundary.tsx'

export type PopoverProps = {
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLElement | null>
  focusBack?: RefObject<HTMLElement | null> | undefined
  label: string
  /** Initial focus: `[data-autofocus]` or else the first control (default), the panel itself, or none. */
  focus?: 'first' | 'panel' | 'none'
  gap?: number | undefined
  className?: string
  children: ReactNode
}

// Base UI loads when pointer or focus reaches the first button with a panel.
const PopoverPanel = lazyPart(() => import('./anchored-panels.tsx'), 'PopoverPanel')

/** Floating panel under its button, without a backdrop. Closes on Esc, on a press outside, or when focus leaves. */
export function Popover(props: PopoverProps) {
  const [isUsed, setUsed] = useState(props.open)
  if (props.open && !isUsed) setUsed(true)
  return isUsed && <PopoverPanel {...props} />
}

export function usePopover() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return {
    isOpen,
    closeAndFocusButton: () => {
      setOpen(false)
      button.current?.focus()
    },
    buttonProps: {
      ref: button,
      'aria-haspopup': 'dialog',
      'aria-expanded': isOpen,
      onPointerEnter: PopoverPanel.preload,
      onFocus: PopoverPanel.preload,
      onClick: () => setOpen(!isOpen),
    } as const,
    popoverProps: { open: isOpen, onClose: () => setOpen(false), anchor: button },
  }
}
