import type { LucideIcon } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { AT_REST, nextMotion, type SwipeDirection, type SwipeMotion } from './swipe-motion.ts'

/** What a swipe to one side does; the words and the icon stand in the room that the row leaves. */
export type SwipeSide = { readonly icon: LucideIcon; readonly text: string; readonly run: () => void }

type SwipeableProps = {
  right?: SwipeSide | undefined
  left?: SwipeSide | undefined
  className?: string
  children: ReactNode
}

/** Touches that begin this near to an edge of the window are the system's own way back, px. */
const EDGE_PX = 24
const ARMED_LOOKS: Record<SwipeDirection, string> = { right: 'bg-accent text-on-accent', left: 'bg-ink text-surface' }

/**
 * A row that a finger can push aside. Letting go past a third of its width does what stands under it; before that, or when
 * the finger comes back or the page scrolls, nothing happens. A mouse keeps selecting text. What the two sides do must
 * also stand on the row as buttons: a swipe is never the only way (WCAG 2.5.7).
 */
export function Swipeable({ right, left, className, children }: SwipeableProps) {
  const row = useRef<HTMLDivElement>(null)
  const touch = useRef<{ id: number; x: number; y: number }>(undefined)
  const hasSwiped = useRef(false)
  const [motion, setMotion] = useState<SwipeMotion>(AT_REST)
  // Two moves may come before React has drawn the first.
  const latest = useRef<SwipeMotion>(AT_REST)
  const sides = { left, right }
  const show = (next: SwipeMotion) => {
    latest.current = next
    setMotion(next)
  }

  const begin = (event: PointerEvent) => {
    hasSwiped.current = false
    if (event.pointerType === 'mouse') return
    // A second finger is the wish to do something else.
    if (!event.isPrimary) return rest()
    if (event.clientX < EDGE_PX || event.clientX > window.innerWidth - EDGE_PX) return
    touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
  }
  const move = (event: PointerEvent) => {
    const start = touch.current
    if (!start || start.id !== event.pointerId || !row.current) return
    const travel = { dx: event.clientX - start.x, dy: event.clientY - start.y }
    const now = latest.current
    const next = nextMotion(now, travel, row.current.offsetWidth, { left: !!left, right: !!right })
    if (next.kind === 'scroll') return rest()
    if (next.kind === 'swipe' && now.kind === 'undecided') {
      hasSwiped.current = true
      row.current.setPointerCapture?.(event.pointerId)
    }
    show(next)
  }
  const end = () => {
    const now = latest.current
    rest()
    if (now.kind === 'swipe' && now.armed) sides[now.direction]?.run()
  }
  const rest = () => {
    touch.current = undefined
    show(AT_REST)
  }

  const dx = motion.kind === 'swipe' ? motion.dx : 0
  return (
    <div
      ref={row}
      className={classNames('relative overflow-hidden touch-pan-y', className)}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={rest}
      onClickCapture={(event) => {
        // The finger came up on something to press: it was pushing the row, not pressing.
        if (!hasSwiped.current) return
        hasSwiped.current = false
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {motion.kind === 'swipe' && <SwipeHint side={sides[motion.direction]} {...motion} />}
      <div
        className={classNames('relative', motion.kind !== 'swipe' && 'transition-transform')}
        style={{ transform: dx === 0 ? undefined : `translateX(${dx}px)` }}
      >
        {children}
      </div>
    </div>
  )
}

type SwipeHintProps = { side: SwipeSide | undefined; direction: SwipeDirection; armed: boolean }

function SwipeHint({ side, direction, armed }: SwipeHintProps) {
  if (!side) return null
  return (
    <div
      aria-hidden
      data-swipe-hint={armed ? 'armed' : 'coming'}
      className={classNames(
        'absolute inset-0 flex items-center gap-2 px-5 font-medium transition-colors',
        direction === 'left' && 'flex-row-reverse',
        armed ? classNames('[&_svg]:scale-125', ARMED_LOOKS[direction]) : 'bg-surface-muted text-ink-muted',
      )}
    >
      <side.icon className="size-5 shrink-0" />
      {side.text}
    </div>
  )
}
