import { useEffect, useState } from 'react'

/** Between two keys of a quick typist lie 100 to 200 ms. */
export const REST_MS = 300

/** The text once typing has rested, so that not every key asks the server; the first text at once. */
export function useRestedText(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    if (rested === text) return
    const timer = setTimeout(() => setRested(text), REST_MS)
    return () => clearTimeout(timer)
  }, [rested, text])
  return rested
}
