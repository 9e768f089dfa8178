import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { classNames } from '#src/lib/class-names.ts'
import { floatRoot, useAnchoredPlace } from './anchor.ts'

type PopoverProps = {
  open: boolean
  onClose: () => void
  /** The button that opened it: the panel hangs under it and focus returns to it. */
  anchor: RefObject<HTMLElement | null>
  /** Takes the focus on Esc, where that is not the anchor. */
  focusBack?: RefObject<HTMLElement | null> | undefined
  /** Accessible name. */
  label: string
  role?: 'dialog' | 'menu' | 'listbox'
  /** Where focus goes on opening: what has `data-autofocus`, else the first control (default), the panel itself, or nowhere. */
  focus?: 'first' | 'panel' | 'none'
  /** Distance to the anchor in pixels. */
  gap?: number | undefined
  className?: string
  children: ReactNode
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/**
 * A floating panel under its button, without a backdrop. Closes on Esc, on a press outside and when focus leaves it.
 * Small on purpose: it is part of the first load, so what opens in it can be loaded on opening.
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
  const place = useAnchoredPlace(open, anchor, panel, gap)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })

  useEffect(() => {
    if (!open) return
    // The options of a listbox in the panel stand at the end of the document. Another listbox cannot be open beside it.
    const isOption = (target: EventTarget | null) =>
      target instanceof Element && target.closest('[data-listbox-options]') !== null
    const outside = (target: EventTarget | null) =>
      target instanceof Node &&
      !panel.current?.contains(target) &&
      !anchor.current?.contains(target) &&
      !isOption(target)
    const onPointerDown = (event: PointerEvent) => outside(event.target) && close.current()
    const onFocusIn = (event: FocusEvent) => outside(event.target) && close.current()
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isOption(event.target)) return
      event.stopPropagation()
      close.current()
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

  const shown = open && place !== undefined
  useEffect(() => {
    if (!shown || focus === 'none') return
    const find = (selector: string) => panel.current?.querySelector<HTMLElement>(selector)
    const first = focus === 'first' ? (find('[data-autofocus]') ?? find(FOCUSABLE)) : undefined
    ;(first ?? panel.current)?.focus({ preventScroll: true })
  }, [shown, focus])

  if (!open) return null
  return createPortal(
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: every role that `role` can be takes a name
    <div
      ref={panel}
      role={role}
      aria-label={label}
      tabIndex={-1}
      style={
        place
          ? {
              top: place.top,
              left: place.left,
              right: place.right,
              minWidth: place.minWidth,
              maxHeight: place.maxHeight,
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
    floatRoot(anchor.current),
  )
}
