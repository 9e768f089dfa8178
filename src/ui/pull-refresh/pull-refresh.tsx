import { ArrowDown, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'

type Pull = { readonly kind: 'rest' } | { readonly kind: 'pull'; readonly way: number } | { readonly kind: 'busy' }

/** Movement before a pull is distinguished from a scroll or swipe, px. */
const SLOP_PX = 10
const STEEPER = 1.3
/** Releasing beyond this distance refreshes. The indicator moves half as far as the finger. */
const ARMED_PX = 64
const MOST_PX = 88
const RESISTANCE = 0.5

type PullRefreshProps = {
  /** Refetches the page. Resolves to the text for screen readers, also after a failure. */
  onRefresh: () => Promise<string>
}

/**
 * Pull-to-refresh at the top of the page, touch only; no button equivalent is needed because the page also polls for
 * changes. Mount at most once per page; disables the browser's built-in gesture.
 */
export function PullRefresh({ onRefresh }: PullRefreshProps) {
  const [pull, setPull] = useState<Pull>({ kind: 'rest' })
  const [said, setSaid] = useState('')
  const latest = useRef({ pull, onRefresh })
  useEffect(() => {
    latest.current = { pull, onRefresh }
  })

  useEffect(() => {
    let start: { x: number; y: number } | undefined
    const show = (next: Pull) => {
      latest.current.pull = next
      setPull(next)
    }
    const begin = (event: TouchEvent) => {
      const touch = event.touches[0]
      const isOverlay =
        event.target instanceof Element &&
        event.target.closest('[role="dialog"], [role="menu"], input:not([type="checkbox"])')
      const isFree =
        latest.current.pull.kind === 'rest' && event.touches.length === 1 && !isOverlay && window.scrollY <= 0
      start = touch && isFree ? { x: touch.clientX, y: touch.clientY } : undefined
    }
    const move = (event: TouchEvent) => {
      const touch = event.touches[0]
      if (!start || !touch) return
      const dx = Math.abs(touch.clientX - start.x)
      const dy = touch.clientY - start.y
      if (latest.current.pull.kind === 'rest') {
        if (Math.hypot(dx, dy) < SLOP_PX) return
        if (dy < dx * STEEPER || event.touches.length > 1 || window.scrollY > 0) {
          start = undefined
          return
        }
      }
      show({ kind: 'pull', way: Math.min(MOST_PX, Math.max(0, (dy - SLOP_PX) * RESISTANCE)) })
    }
    const end = () => {
      start = undefined
      const now = latest.current.pull
      if (now.kind !== 'pull') return
      if (now.way < ARMED_PX) return show({ kind: 'rest' })
      show({ kind: 'busy' })
      setSaid('กำลังโหลดใหม่')
      void latest.current.onRefresh().then((text) => {
        setSaid(text)
        show({ kind: 'rest' })
      })
    }
    const drop = () => {
      start = undefined
      if (latest.current.pull.kind === 'pull') show({ kind: 'rest' })
    }
    const page = document.documentElement
    page.style.overscrollBehaviorY = 'contain'
    document.addEventListener('touchstart', begin, { passive: true })
    document.addEventListener('touchmove', move, { passive: true })
    document.addEventListener('touchend', end)
    document.addEventListener('touchcancel', drop)
    return () => {
      page.style.overscrollBehaviorY = ''
      document.removeEventListener('touchstart', begin)
      document.removeEventListener('touchmove', move)
      document.removeEventListener('touchend', end)
      document.removeEventListener('touchcancel', drop)
    }
  }, [])

  const way = pull.kind === 'pull' ? pull.way : pull.kind === 'busy' ? ARMED_PX : 0
  const isArmed = way >= ARMED_PX
  const Icon = pull.kind === 'busy' ? LoaderCircle : ArrowDown
  return (
    <>
      <VisuallyHidden live>{said}</VisuallyHidden>
      {pull.kind !== 'rest' && (
        <p
          aria-hidden
          className="pointer-events-none fixed inset-x-0 top-header z-30 mx-auto flex w-fit items-center gap-2 rounded-full border border-line bg-surface px-3.5 py-1.5 text-sm text-ink shadow-float motion-reduce:translate-y-2! print:hidden"
          style={{ transform: `translateY(${way - 48}px)` }}
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
