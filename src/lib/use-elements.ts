import { useRef } from 'react'

export function useElements<Key>() {
  const elements = useRef(new Map<Key, HTMLElement>())
  return {
    refOf: (key: Key) => (element: HTMLElement | null) => {
      if (!element) return undefined
      elements.current.set(key, element)
      return () => {
        if (elements.current.get(key) === element) elements.current.delete(key)
      }
    },
    get: (key: Key) => elements.current.get(key),
  }
}
