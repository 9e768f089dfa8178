import { type RefObject, useEffect, useState } from 'react'

const PRELOAD_MARGIN_PX = 300

export function useInView(element: RefObject<Element | null>): boolean {
  const [wasSeen, setWasSeen] = useState(false)
  useEffect(() => {
    const target = element.current
    if (wasSeen || !target) return
    if (!('IntersectionObserver' in window)) {
      setWasSeen(true)
      return
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setWasSeen(true)
      },
      { rootMargin: `${PRELOAD_MARGIN_PX}px 0px` },
    )
    observer.observe(target)
    // Show everything before printing, including parts that were never scrolled to.
    const print = () => setWasSeen(true)
    window.addEventListener('beforeprint', print)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }, [element, wasSeen])
  return wasSeen
}
