import { type RefObject, useEffect, useState } from 'react'

export function useIsNear(element: RefObject<Element | null>, margin: string): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => setNear(entry!.isIntersecting), { rootMargin: margin })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element, margin])
  return isNear
}
