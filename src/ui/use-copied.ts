import { useEffect, useState } from 'react'

const COPIED_MS = 1500

/** Returns true for a moment after the returned function has copied the text. */
export function useCopied(): readonly [isCopied: boolean, copy: (text: string) => Promise<void>] {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), COPIED_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return [isCopied, copy]
}
