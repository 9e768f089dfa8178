import type { LucideIcon } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type SwipeDirection = 'left' | 'right'

export type SwipeMotion =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'scroll' }
  | {
      readonly kind: 'swipe'
      readonly dx: number
      readonly direction: SwipeDirection
      readonly armed: boolean
    }

export const INITIAL_SWIPE_MOTION: SwipeMotion = { kind: 'undecided' }

/** Minimum movement of a swipe; less counts as a tap and may still become a scroll. */
const SLOP_PX = 10
/** A swipe must be this much more horizontal than vertical, so that diagonal scrolling does not move rows. */
const MIN_FLATNESS = 1.3
const ARMED_FRACTION = 1 / 3
const MAX_ARMED_PX = 110
/** Fraction of the finger's movement that a row follows on a side without an action. */
const RESISTANCE = 0.15

type Travel = { readonly dx: number; readonly dy: number }

/** Returns the motion on a row `width` px wide. Once decided, scroll or swipe does not change. */
export function getNextSwipeMotion(
  motion: SwipeMotion,
  { dx, dy }: Travel,
  width: number,
  hasAction: Readonly<Record<SwipeDirection, boolean>>,
): SwipeMotion {
  if (motion.kind === 'scroll') return motion
  if (motion.kind === 'undecided') {
    if (Math.hypot(dx, dy) < SLOP_PX) return motion
    if (Math.abs(dx) < Math.abs(dy) * MIN_FLATNESS) return { kind: 'scroll' }
  }
  const direction = dx < 0 ? 'left' : 'right'
  // Subtract the slop; otherwise the row would jump by that distance when the swipe starts.
  const distance = Math.max(0, Math.abs(dx) - SLOP_PX) * (hasAction[direction] ? 1 : RESISTANCE)
  const armed = hasAction[direction] && distance >= Math.min(width * ARMED_FRACTION, MAX_ARMED_PX)
  return { kind: 'swipe', dx: direction === 'left' ? -distance : distance, direction, armed }
}

type SwipeAction = { readonly icon: LucideIcon; readonly text: string; readonly run: () => void }

type SwipeableProps = {
  right?: SwipeAction | undefined
  left?: SwipeAction | undefined
  className?: string
  children: ReactNode
}

/** Width of the strip at the window's edge whose touches belong to the system back gesture, px. */
const EDGE_PX = 24
const ARMED_CLASSES: Record<SwipeDirection, string> = { right: 'bg-accent text-on-accent', left: 'bg-ink text-surface' }

/**
 * Row that can be swiped by touch. Releasing past a third of its width runs the action; moving back or scrolling
 * cancels. The mouse selects text as usual. Both actions must also exist as buttons on the row (WCAG 2.5.7).
 */
export function Swipeable({ right, left, className, children }: SwipeableProps) {
  const row = useRef<HTMLDivElement>(null)
  const touch = useRef<{ id: number; x: number; y: number }>(undefined)
  const hasSwiped = useRef(false)
  const [motion, setMotion] = useState<SwipeMotion>(INITIAL_SWIPE_MOTION)
  // The motion is also in a ref, because two move events may arrive before React renders the first.
  const latest = useRef<SwipeMotion>(INITIAL_SWIPE_MOTION)
  const sides = { left, right }
  const update = (next: SwipeMotion) => {
    latest.current = next
    setMotion(next)
  }

  const onPointerDown = (event: PointerEvent) => {
    hasSwiped.current = false
    if (event.pointerType === 'mouse') return
    if (!event.isPrimary) return reset()
    if (event.clientX < EDGE_PX || event.clientX > window.innerWidth - EDGE_PX) return
    touch.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
  }
  const onPointerMove = (event: PointerEvent) => {
    const start = touch.current
    if (!start || start.id !== event.pointerId || !row.current) return
    const travel = { dx: event.clientX - start.x, dy: event.clientY - start.y }
    const current = latest.current
    const next = getNextSwipeMotion(current, travel, row.current.offsetWidth, { left: !!left, right: !!right })
    if (next.kind === 'scroll') return reset()
    if (next.kind === 'swipe' && current.kind === 'undecided') {
      hasSwiped.current = true
      row.current.setPointerCapture?.(event.pointerId)
    }
    update(next)
  }
  const onPointerUp = () => {
    const current = latest.current
    reset()
    if (current.kind === 'swipe' && current.armed) sides[current.direction]?.run()
  }
  const reset = () => {
    touch.current = undefined
    update(INITIAL_SWIPE_MOTION)
  }

  const dx = motion.kind === 'swipe' ? motion.dx : 0
  return (
    <div
      ref={row}
      className={classNames('relative overflow-hidden touch-pan-y', className)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={reset}
      onClickCapture={(event) => {
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

type SwipeHintProps = { side: SwipeAction | undefined; direction: SwipeDirection; armed: boolean }

function SwipeHint({ side, direction, armed }: SwipeHintProps) {
  if (!side) return null
  return (
    <div
      aria-hidden
      data-swipe-hint={armed ? 'armed' : 'coming'}
      className={classNames(
        'absolute inset-0 flex items-center gap-2 px-5 font-medium transition-colors',
        direction === 'left' && 'flex-row-reverse',
        armed ? classNames('[&_svg]:scale-125', ARMED_CLASSES[direction]) : 'bg-surface-muted text-ink-muted',
      )}
    >
      <side.icon className="size-5 shrink-0" />
      {side.text}
    </div>
  )
}
