import { type RefObject, useEffect, useState } from 'react'

/** So far below the window it counts as in view, so that what it loads is there when it is reached. */
const AHEAD_PX = 300

/** Whether an element is, or has once been, near enough to be seen. */
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
    // What is printed is all of it, not what was scrolled to.
    const print = () => setSeen(true)
    window.addEventListener('beforeprint', print)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }, [element, seen])
  return seen
}
