import { useState } from 'react'
import { TextButton } from './text-button.tsx'

/** Without folding, a project with 300 contracts rendered a page 45,817 px high. */
const DEFAULT_COLLAPSED_ITEM_COUNT = 20

export function useCollapsedList<T>(items: readonly T[], unit: string, limit = DEFAULT_COLLAPSED_ITEM_COUNT) {
  const [isExpanded, setIsExpanded] = useState(false)
  const hiddenCount = items.length - limit
  if (hiddenCount <= 0 || isExpanded) return { visibleItems: items, moreButton: null }
  const moreButton = (
    <TextButton onClick={() => setIsExpanded(true)} className="text-sm print:hidden">
      ดูอีก {hiddenCount.toLocaleString('en')} {unit}
    </TextButton>
  )
  return { visibleItems: items.slice(0, limit), moreButton }
}
