export type SwipeDirection = 'left' | 'right'

/** What a finger is doing: nothing clear yet, scrolling the page, or pushing the row aside by `dx` pixels. */
export type SwipeMotion =
  | { readonly kind: 'undecided' }
  | { readonly kind: 'scroll' }
  | {
      readonly kind: 'swipe'
      readonly dx: number
      readonly direction: SwipeDirection
      /** Far enough: letting go now does it. */
      readonly armed: boolean
    }

export const AT_REST: SwipeMotion = { kind: 'undecided' }

/** Travel before it is known whether a finger scrolls or swipes, px; below it a tap stays a tap. */
const SLOP_PX = 10
/** A swipe has to be this much flatter than it is steep, or a diagonal scroll would push rows about. */
const FLATTER = 1.3
/** Done when the row has moved a third of its width, but never farther than a thumb reaches with ease. */
const ARMED_SHARE = 1 / 3
const ARMED_MOST_PX = 110
/** Share of the finger's way that a row goes where nothing waits for it. */
const RESISTANCE = 0.15

type Travel = { readonly dx: number; readonly dy: number }

/** The motion after the finger has travelled so far from where it touched a row `width` px wide; decided once, it stays what it is. */
export function nextMotion(
  motion: SwipeMotion,
  { dx, dy }: Travel,
  width: number,
  has: Readonly<Record<SwipeDirection, boolean>>,
): SwipeMotion {
  if (motion.kind === 'scroll') return motion
  if (motion.kind === 'undecided') {
    if (Math.hypot(dx, dy) < SLOP_PX) return motion
    if (Math.abs(dx) < Math.abs(dy) * FLATTER) return { kind: 'scroll' }
  }
  const direction = dx < 0 ? 'left' : 'right'
  // The slop was spent on deciding; without this the row would jump by it.
  const way = Math.max(0, Math.abs(dx) - SLOP_PX) * (has[direction] ? 1 : RESISTANCE)
  const armed = has[direction] && way >= Math.min(width * ARMED_SHARE, ARMED_MOST_PX)
  return { kind: 'swipe', dx: direction === 'left' ? -way : way, direction, armed }
}
