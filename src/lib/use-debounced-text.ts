import { useEffect, useState } from 'react'

/** Longer than the 100 to 200 ms between key presses of a fast typist. */
export const TEXT_DEBOUNCE_MS = 300

export function useDebouncedText(text: string, debounceMs = TEXT_DEBOUNCE_MS): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    if (debounced === text) return
    const timer = setTimeout(() => setDebounced(text), debounceMs)
    return () => clearTimeout(timer)
  }, [debounced, text, debounceMs])
  return debounced
}
