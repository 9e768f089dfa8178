import { useLayoutEffect, useRef, useState } from 'react'

const INPUT_PX = 24
const COUNTER_PX = 32

/**
 * Marks the words that do not fit the line, which are hidden so that none is cut off, and returns their number. The
 * first word shrinks instead.
 */
function markHiddenWords(box: HTMLElement): number {
  const words = [...box.children].filter((child) => child.hasAttribute('data-search-word')).slice(1)
  const edge = box.getBoundingClientRect().right - INPUT_PX
  const isClipped = (limit: number) => (word: Element) => word.getBoundingClientRect().right > limit
  const limit = words.some(isClipped(edge)) ? edge - COUNTER_PX : edge
  const hidden = new Set(words.filter(isClipped(limit)))
  for (const word of words) word.toggleAttribute('data-behind', hidden.has(word))
  return hidden.size
}

export function ClippedSearchWordCount() {
  const counter = useRef<HTMLSpanElement>(null)
  const [hidden, setHidden] = useState(0)
  // Runs after every render, because the sibling words may have changed.
  useLayoutEffect(() => {
    const box = counter.current?.parentElement
    if (!box) return
    const measure = () => setHidden(markHiddenWords(box))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  })
  return (
    <span
      ref={counter}
      title={hidden > 0 ? `ยังมีคำค้นอีก ${hidden} คำ` : undefined}
      className="pointer-events-none sticky right-6 shrink-0 bg-surface text-sm text-ink-muted tabular-nums search-open:hidden"
    >
      {hidden > 0 && (
        <>
          <span aria-hidden className="px-1">
            +{hidden}
          </span>
          <span className="sr-only">และอีก {hidden} คำ</span>
        </>
      )}
    </span>
  )
}
