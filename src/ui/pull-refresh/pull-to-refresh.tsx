import { ArrowDown, LoaderCircle } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

type Pull = { readonly kind: 'rest' } | { readonly kind: 'pull'; readonly distance: number } | { readonly kind: 'busy' }

/** Minimum movement that counts as a pull; a smaller one may still be a scroll or swipe. */
const SLOP_PX = 10
const MIN_STEEPNESS = 1.3
/** Pull distance beyond which a release refreshes. The indicator moves half as far as the finger. */
const ARMED_PX = 64
const MAX_PULL_PX = 88
const RESISTANCE = 0.5

/**
 * Pull-to-refresh at the top of the page, touch only. No equivalent button is needed because the page also polls for
 * changes. Mount at most once per page, because it disables the browser's built-in gesture.
 */
export function PullToRefresh({ onRefresh }: { onRefresh: () => Promise<string> }) {
  const [pull, setPull] = useState<Pull>({ kind: 'rest' })
  const [announcement, setAnnouncement] = useState('')
  // The pull is also in a ref, because two touch events may arrive before React renders the first.
  const latest = useRef(pull)
  const refresh = useEffectEvent(onRefresh)

  useEffect(() => {
    let start: { x: number; y: number } | undefined
    const update = (next: Pull) => {
      latest.current = next
      setPull(next)
    }
    const onTouchStart = (event: TouchEvent) => {
      const touch = event.touches[0]
      const isOverlay =
        event.target instanceof Element &&
        event.target.closest('[role="dialog"], [role="menu"], input:not([type="checkbox"])')
      const isFree = latest.current.kind === 'rest' && event.touches.length === 1 && !isOverlay && window.scrollY <= 0
      start = touch && isFree ? { x: touch.clientX, y: touch.clientY } : undefined
    }
    const onTouchMove = (event: TouchEvent) => {
      const touch = event.touches[0]
      if (!start || !touch) return
      const dx = Math.abs(touch.clientX - start.x)
      const dy = touch.clientY - start.y
      if (latest.current.kind === 'rest') {
        if (Math.hypot(dx, dy) < SLOP_PX) return
        if (dy < dx * MIN_STEEPNESS || event.touches.length > 1 || window.scrollY > 0) {
          start = undefined
          return
        }
      }
      update({ kind: 'pull', distance: Math.min(MAX_PULL_PX, Math.max(0, (dy - SLOP_PX) * RESISTANCE)) })
    }
    const onTouchEnd = () => {
      start = undefined
      const current = latest.current
      if (current.kind !== 'pull') return
      if (current.distance < ARMED_PX) return update({ kind: 'rest' })
      update({ kind: 'busy' })
      setAnnouncement('กำลังโหลดใหม่')
      void refresh().then((text) => {
        setAnnouncement(text)
        update({ kind: 'rest' })
      })
    }
    const onTouchCancel = () => {
      start = undefined
      if (latest.current.kind === 'pull') update({ kind: 'rest' })
    }
    const page = document.documentElement
    page.style.overscrollBehaviorY = 'contain'
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener('touchstart', onTouchStart, { passive: true, signal })
    document.addEventListener('touchmove', onTouchMove, { passive: true, signal })
    document.addEventListener('touchend', onTouchEnd, { signal })
    document.addEventListener('touchcancel', onTouchCancel, { signal })
    return () => {
      page.style.overscrollBehaviorY = ''
      listeners.abort()
    }
  }, [])

  const distance = pull.kind === 'pull' ? pull.distance : pull.kind === 'busy' ? ARMED_PX : 0
  const isArmed = distance >= ARMED_PX
  const Icon = pull.kind === 'busy' ? LoaderCircle : ArrowDown
  return (
    <>
      <VisuallyHidden live>{announcement}</VisuallyHidden>
      {pull.kind !== 'rest' && (
        <p
          aria-hidden
          className="pointer-events-none fixed inset-x-0 top-header z-30 mx-auto flex w-fit items-center gap-2 rounded-full border border-line bg-surface px-3.5 py-1.5 text-sm text-ink shadow-float motion-reduce:translate-y-2! print:hidden"
          style={{ transform: `translateY(${distance - 48}px)` }}
        >
          <Icon
            className={classNames(
              'size-4 text-accent-ink motion-reduce:animate-none',
              pull.kind === 'busy' ? 'animate-spin' : isArmed && 'rotate-180',
            )}
          />
          {pull.kind === 'busy' ? 'กำลังโหลดใหม่…' : isArmed ? 'ปล่อยเพื่อโหลดใหม่' : 'ดึงลงเพื่อโหลดใหม่'}
        </p>
      )}
    </>
  )
}
