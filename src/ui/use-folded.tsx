import { type ReactNode, useState } from 'react'

/** A project of 300 contracts was a page of 45,817 px. */
export const FOLDED_TO = 20

/** The first items of a long list, and the button that shows the rest; null where nothing is folded. `unit`: what is counted, in Thai. */
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
