import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { lazyPart } from '../lazy-boundary.tsx'

type TooltipProps = {
  content: ReactNode
  children: (props: { 'aria-describedby': string | undefined }) => ReactElement
}

const TooltipPanel = lazyPart(() => import('./anchored-panels.tsx'), 'TooltipPanel', { silent: true })

/** Esc hides it, the pointer may enter it (WCAG 1.4.13). Never essential: touch screens show it only on focus. */
export function Tooltip({ content, children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const setOpenAfter = (delayMs: number, isOpen: boolean) => {
    if (isOpen) void TooltipPanel.preload()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(isOpen), delayMs)
  }
  const hide = () => setOpenAfter(100, false)
  return (
    <EventDelegationBox
      as="span"
      ref={anchor}
      className="inline-flex min-w-0"
      // The panel is inside in React's tree, so entering it counts as well.
      onPointerEnter={() => setOpenAfter(300, true)}
      onPointerLeave={hide}
      onFocus={() => setOpenAfter(0, true)}
      onBlur={hide}
    >
      {children({ 'aria-describedby': open ? id : undefined })}
      {open && (
        <TooltipPanel id={id} anchor={anchor} onClose={() => setOpen(false)}>
          {content}
        </TooltipPanel>
      )}
    </EventDelegationBox>
  )
}
