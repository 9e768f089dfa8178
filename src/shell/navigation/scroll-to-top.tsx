import { ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'

const MIN_SCROLL_PX = 600

export function ScrollToTop() {
  const [isVisible, setShown] = useState(false)
  useEffect(() => {
    const update = () => setShown(window.scrollY > MIN_SCROLL_PX)
    // Check the position now, because a restored one was applied before this effect ran.
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  if (!isVisible) return null
  return (
    <button
      type="button"
      aria-label="เลื่อนกลับขึ้นบน"
      title="เลื่อนกลับขึ้นบน"
      onClick={() => {
        window.scrollTo({ top: 0, behavior: 'smooth' })
        document.querySelector('main')?.focus({ preventScroll: true })
      }}
      className="appear fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(var(--toast-lift,0px)+max(1rem,env(safe-area-inset-bottom)))] z-30 inline-flex size-11 items-center justify-center rounded-full border border-line bg-surface text-ink-muted shadow-float hover:text-ink print:hidden"
    >
      <ArrowUp aria-hidden className="size-5" />
    </button>
  )
}
