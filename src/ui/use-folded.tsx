import { type ReactNode, useState } from 'react'

/** A project with 300 contracts rendered a page 45,817 px high. */
export const FOLDED_TO = 20

/**
 * Returns the first items of a long list and a button for the rest, null if all fit. `unit` is the Thai counter word.
 */
export function useFolded<T>(
  items: readonly T[],
  unit: string,
  limit = FOLDED_TO,
): { shown: readonly T[]; more: ReactNode } {
  const [isWhole, setIsWhole] = useState(false)
  const rest = items.length - limit
  if (rest <= 0 || isWhole) return { shown: items, more: null }
  const more = (
    <button
      type="button"
      onClick={() => setIsWhole(true)}
      className="rounded-control text-sm text-accent-ink hover:underline touch:min-h-11 print:hidden"
    >
      ดูอีก {rest.toLocaleString('en')} {unit}
    </button>
  )
  return { shown: items.slice(0, limit), more }
}
