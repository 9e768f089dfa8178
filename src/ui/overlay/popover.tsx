import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '#src/lib/class-names.ts'
import { findPortalRoot, useAnchoredPosition } from './anchored-position.ts'

type PopoverProps = {
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLElement | null>
  focusBack?: RefObject<HTMLElement | null> | undefined
  label: string
  role?: 'dialog' | 'menu' | 'listbox'
  /** Initial focus: `[data-autofocus]` or else the first control (default), the panel itself, or none. */
  focus?: 'first' | 'panel' | 'none'
  gap?: number | undefined
  className?: string
  children: ReactNode
}

const FOCUSABLE_SELECTOR =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/**
 * Floating panel under its button, without a backdrop. Closes on Esc, on a press outside, or when focus leaves. The
 * popover is in the initial bundle and therefore small; load its content on opening.
 */
export function Popover({
  open,
  onClose,
  anchor,
  focusBack = anchor,
  label,
  role = 'dialog',
  focus = 'first',
  gap,
  className,
  children,
}: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null)
  const position = useAnchoredPosition(open, anchor, panel, gap)
  const close = useEffectEvent(onClose)

  useEffect(() => {
    if (!open) return
    // A listbox renders its options at the end of the document. Only one can be open, so any option counts.
    const isOption = (target: EventTarget | null) =>
      target instanceof Element && target.closest('[data-listbox-options]') !== null
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node &&
      !panel.current?.contains(target) &&
      !anchor.current?.contains(target) &&
      !isOption(target)
    const onPointerDown = (event: PointerEvent) => isOutside(event.target) && close()
    const onFocusIn = (event: FocusEvent) => isOutside(event.target) && close()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isOption(event.target)) return
      event.stopPropagation()
      close()
      focusBack.current?.focus()
    }
    document.addEventListener('pointerdown', onPointerDown)
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('keydown', onKeyDown, true)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown)
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('keydown', onKeyDown, true)
    }
  }, [open, anchor, focusBack])

  const isVisible = open && position !== undefined
  useEffect(() => {
    if (!isVisible || focus === 'none') return
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector)
    const initialTarget = focus === 'first' ? (find('[data-autofocus]') ?? find(FOCUSABLE_SELECTOR)) : undefined
    ;(initialTarget ?? panel.current)?.focus({ preventScroll: true })
  }, [isVisible, focus])

  if (!open) return null
  return createPortal(
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: all values of `role` support aria-label
    <div
      ref={panel}
      role={role}
      aria-label={label}
      tabIndex={-1}
      style={
        position
          ? {
              top: position.top,
              left: position.left,
              right: position.right,
              minWidth: position.minWidth,
              maxHeight: position.maxHeight,
            }
          : { visibility: 'hidden' }
      }
      className={classNames(
        'appear fixed z-50 max-w-[calc(100vw-16px)] overflow-auto rounded-card border border-line bg-surface shadow-float outline-none',
        className,
      )}
    >
      {children}
    </div>,
    findPortalRoot(anchor.current),
  )
}

export function usePopover() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return {
    isOpen,
    /** Closes the popover and focuses its button, because the focused control unmounts. */
    closeAndFocusButton: () => {
      setOpen(false)
      button.current?.focus()
    },
    buttonProps: {
      ref: button,
      'aria-haspopup': 'dialog',
      'aria-expanded': isOpen,
      onClick: () => setOpen(!isOpen),
    } as const,
    popoverProps: { open: isOpen, onClose: () => setOpen(false), anchor: button },
  }
}
