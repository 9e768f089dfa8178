import { useEffect, useState } from 'react'

/** Fast typists press a key every 100 to 200 ms. */
export const DEBOUNCE_MS = 300

export function useDebouncedText(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    if (debounced === text) return
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [debounced, text])
  return debounced
}
