import { useEffect, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Highlighted } from '#src/ui/highlighted.tsx'

type NameTextProps = {
  id: string
  /** Address of the project's page. */
  href: string
  name: string
  words: readonly string[]
  className?: string
}

/**
 * A project's name on two lines, which leads to its page. A longer one unfolds on focus, so that the whole of it can be read without a
 * mouse; the text stays selectable.
 */
export function NameText({ id, href, name, words, className }: NameTextProps) {
  const text = useRef<HTMLAnchorElement>(null)
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
    <a
      ref={text}
      href={href}
      // A link that can be dragged cannot be marked and copied; Chromium wants to hear of it in the style too (`select-text`).
      draggable={false}
      title={isCut ? name : undefined}
      // Says which project it is to the page, which opens its panel on a plain press.
      data-project-link={id}
      className={classNames(
        'line-clamp-2 rounded-control select-text decoration-line-strong underline-offset-4 hover:underline',
        isCut && 'focus:line-clamp-none',
        className,
      )}
    >
      <Highlighted text={name} words={words} />
    </a>
  )
}
