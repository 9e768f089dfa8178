import { useEffect, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Highlighted } from '#src/ui/highlighted.tsx'

type NameTextProps = { name: string; words: readonly string[]; className?: string }

/**
 * A project's name on two lines. A longer one takes focus and unfolds then (also on a press), so that the whole of it can
 * be read without a mouse; the text stays selectable.
 */
export function NameText({ name, words, className }: NameTextProps) {
  const text = useRef<HTMLSpanElement>(null)
  const [isCut, setIsCut] = useState(false)
  useEffect(() => {
    const element = text.current
    if (!element) return
    const measure = () => {
      // Unfolded it is not cut, but it is the same text: what was known about it stays.
      if (document.activeElement !== element) setIsCut(element.scrollHeight > element.clientHeight + 1)
    }
    if (typeof ResizeObserver === 'undefined') return measure()
    // Tells the first size too, once the page is laid out: asked for here, it would be laid out for every table of names twice.
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <span
      ref={text}
      tabIndex={isCut ? 0 : undefined}
      title={isCut ? name : undefined}
      // The page opens the panel of the project on a press here; the keyboard does it on the row.
      data-opens-peek
      className={classNames(
        'line-clamp-2 cursor-pointer rounded-control decoration-line-strong underline-offset-4 hover:underline',
        isCut && 'focus:line-clamp-none',
        className,
      )}
    >
      <Highlighted text={name} words={words} />
    </span>
  )
}
