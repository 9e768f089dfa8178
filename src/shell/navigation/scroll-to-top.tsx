import { ArrowUp } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getNamedElement } from '#src/lib/named-elements.ts'

const MIN_SCROLL_PX = 600

export function ScrollToTop() {
  // Read only after a scroll: reading the position while rendering would lay out the page once more.
  const [isVisible, setVisible] = useState(false)
  useEffect(() => {
    const update = () => setVisible(window.scrollY > MIN_SCROLL_PX)
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [])
  if (!isVisible) return null
  return (
    <button
      type="button"
      data-scroll-to-top
      aria-label="เลื่อนกลับขึ้นบน"
      title="เลื่อนกลับขึ้นบน"
      onClick={() => {
        window.scrollTo({ top: 0, behavior: 'smooth' })
        getNamedElement('main')?.focus({ preventScroll: true })
      }}
      className="appear fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(var(--toast-lift,0px)+max(1rem,env(safe-area-inset-bottom)))] z-30 inline-flex size-11 items-center justify-center rounded-full border border-line bg-surface text-ink-muted shadow-float hover:text-ink print:hidden"
    >
      <ArrowUp aria-hidden className="size-5" />
    </button>
  )
}
