import { type RefCallback, type RefObject, useEffect, useState } from 'react'

const PRELOAD_MARGIN_PX = 300

/** Returns whether the element was ever in view, or within `marginPx` above or below it, and the ref that observes it. */
export function useInView(marginPx = PRELOAD_MARGIN_PX): readonly [wasSeen: boolean, ref: RefCallback<Element>] {
  const [wasSeen, setWasSeen] = useState(false)
  const observe = (target: Element | null) => {
    if (!target) return
    if (!('IntersectionObserver' in window)) {
      setWasSeen(true)
      return
    }
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        observer.disconnect()
        setWasSeen(true)
      },
      { rootMargin: `${marginPx}px 0px` },
    )
    observer.observe(target)
    // Show everything before printing, including parts that were never scrolled to.
    const print = () => setWasSeen(true)
    window.addEventListener('beforeprint', print)
    return () => {
      observer.disconnect()
      window.removeEventListener('beforeprint', print)
    }
  }
  return [wasSeen, observe]
}

/** Returns whether the element is now in view, or within `margin` of it, so that what is far away can be released. */
export function useIsNearViewport(element: RefObject<Element | null>, margin: string): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), { rootMargin: margin })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element, margin])
  return isNear
}
