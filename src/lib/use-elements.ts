import { useRef } from 'react'

export type Elements<Key> = {
  readonly refOf: (key: Key) => (element: HTMLElement | null) => (() => void) | undefined
  readonly get: (key: Key) => HTMLElement | undefined
}

export function useElements<Key>(): Elements<Key> {
  const elements = useRef(new Map<Key, HTMLElement>())
  return {
    refOf: (key) => (element) => {
      if (!element) return undefined
      elements.current.set(key, element)
      return () => {
        if (elements.current.get(key) === element) elements.current.delete(key)
      }
    },
    get: (key) => elements.current.get(key),
  }
}
