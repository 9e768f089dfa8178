import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { findPortalRoot, useAnchoredPosition } from './anchored-position.ts'

type TriggerProps = { 'aria-describedby': string | undefined }

/**
 * Tooltip on hover and focus; Esc hides it and the pointer may enter it (WCAG 1.4.13). Never put essential information
 * here: touch screens show it only on focus.
 */
export function Tooltip({
  content,
  children,
}: {
  content: ReactNode
  children: (props: TriggerProps) => ReactElement
}) {
  /** Element that contains the panel; undefined while the tooltip is hidden. */
  const [portalRoot, setPortalRoot] = useState<Element>()
  const open = portalRoot !== undefined
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const position = useAnchoredPosition(open, anchor, panel)
  const show = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPortalRoot(findPortalRoot(anchor.current)), delayMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setPortalRoot(undefined), 100)
  }
  return (
    <EventDelegationBox
      as="span"
      ref={anchor}
      className="inline-flex min-w-0"
      onPointerEnter={() => show(300)}
      onPointerLeave={hide}
      onFocus={() => show(0)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && setPortalRoot(undefined)}
    >
      {children({ 'aria-describedby': open ? id : undefined })}
      {open &&
        createPortal(
          <div
            ref={panel}
            id={id}
            role="tooltip"
            onPointerEnter={() => show(0)}
            onPointerLeave={hide}
            style={
              position ? { top: position.top, left: position.left, right: position.right } : { visibility: 'hidden' }
            }
            className="appear fixed z-50 max-w-xs rounded-control border border-line bg-surface px-2.5 py-1.5 text-xs text-ink shadow-float"
          >
            {content}
          </div>,
          portalRoot,
        )}
    </EventDelegationBox>
  )
}
