import { type RefObject, useEffect, useState } from 'react'

/** Distance below the viewport at which an element counts as in view, for preloading. */
const AHEAD_PX = 300

/** True once the element has been near the viewport. */
export function useInView(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const target = element.current
    if (seen || !target) return
    if (!('IntersectionObserver' in window)) {
      setSeen(true)
      return
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: `${AHEAD_PX}px 0px` },
    )
    observer.observe(target)
    // Print the complete page, including parts never scrolled to.
    const print = () => setSeen(true)
    window.addEventListener('beforeprint', print)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }, [element, seen])
  return seen
}
