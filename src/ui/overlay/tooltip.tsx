import { type ReactElement, type ReactNode, useId, useRef, useState } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { LazyBoundary } from '../lazy-boundary.tsx'

type TriggerProps = { 'aria-describedby': string | undefined }

const TooltipPanel = lazyComponent(() => import('./anchored-panels.tsx'), 'TooltipPanel')

/** Esc hides it, the pointer may enter it (WCAG 1.4.13). Never essential: touch screens show it only on focus. */
export function Tooltip({
  content,
  children,
}: {
  content: ReactNode
  children: (props: TriggerProps) => ReactElement
}) {
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
        <LazyBoundary silent>
          <TooltipPanel id={id} anchor={anchor} onClose={() => setOpen(false)}>
            {content}
          </TooltipPanel>
        </LazyBoundary>
      )}
    </EventDelegationBox>
  )
}
