import { useEffect, useState } from 'react'

/** Between two keys of a quick typist lie 100 to 200 ms. */
export const DEBOUNCE_MS = 300

/** The text after typing has paused for `DEBOUNCE_MS`, so that not every key asks the server. The first text comes at once. */
export function useDebouncedText(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    if (debounced === text) return
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [debounced, text])
  return debounced
}
