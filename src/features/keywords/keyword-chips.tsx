import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Keyword, KeywordList } from '#contract/organisation.ts'
import { isStored } from '#src/api/keyword-edits.ts'
import { deleteWords } from './keyword-changes.ts'
import { KeywordChip } from './keyword-chip.tsx'
import type { WatchTools } from './watch-tools.ts'
import { toggleWord, type WordSelection } from './word-selection.ts'

type KeywordChipsProps = {
  list: KeywordList
  label: string
  /** In the order shown. */
  words: readonly Keyword[]
  tools: WatchTools
  /** Undefined while words are not being selected. */
  selection: WordSelection | undefined
  onSelect: (selection: WordSelection) => void
  /** After the last chip. */
  children?: ReactNode
}

/**
 * The words of a list. One of them is in the tab order; arrows, Home and End go on from it, Delete deletes, Shift with an arrow
 * selects what it passes.
 */
export function KeywordChips({ list, label, words, tools, selection, onSelect, children }: KeywordChipsProps) {
  const element = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(0)
  const current = Math.min(at, words.length - 1)
  const order = words.map(({ id }) => id)
  /** Chips that had the focus and are being deleted: what takes their place gets it. */
  const leaving = useRef<readonly Keyword[]>([])

  const chipAt = (index: number) => {
    const id = words[index]?.id
    return id === undefined ? undefined : element.current?.querySelector<HTMLElement>(`[data-chip="${id}"]`)
  }
  useLayoutEffect(() => {
    if (leaving.current.length === 0 || leaving.current.some(({ id }) => order.includes(id))) return
    leaving.current = []
    ;(chipAt(current) ?? element.current?.querySelector('button'))?.focus()
  })
  const remove = (keywords: readonly Keyword[]) => {
    if (tools.isLocked || keywords.length === 0) return
    leaving.current = element.current?.contains(document.activeElement) ? keywords : []
    onSelect({ ids: new Set(), anchor: undefined })
    void deleteWords(list, keywords)
  }
  const toggle = (id: number, isRange: boolean) =>
    onSelect(toggleWord(selection ?? { ids: new Set(), anchor: words[current]?.id }, order, id, isRange))

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-chip]') || event.altKey) return
    const word = words[current]
    if ((event.key === 'Delete' || event.key === 'Backspace') && word) {
      event.preventDefault()
      const chosen = words.filter((one) => selection?.ids.has(one.id) && isStored(one))
      return remove(chosen.length > 0 ? chosen : isStored(word) ? [word] : [])
    }
    const to = {
      ArrowRight: current + 1,
      ArrowDown: current + 1,
      ArrowLeft: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: words.length - 1,
    }[event.key]
    const next = to === undefined ? undefined : words[to]
    if (to === undefined || !next) return
    event.preventDefault()
    if (event.shiftKey && isStored(next)) toggle(next.id, true)
    setAt(to)
    chipAt(to)?.focus()
  }
  return (
    <ul ref={element} aria-label={label} onKeyDown={onKeyDown} className="mt-3 flex flex-wrap items-center gap-2">
      {words.map((keyword, index) => (
        <KeywordChip
          key={keyword.id}
          list={list}
          keyword={keyword}
          tools={tools}
          isCurrent={index === current}
          onFocus={() => {
            leaving.current = []
            setAt(index)
          }}
          isSelecting={selection !== undefined}
          isSelected={selection?.ids.has(keyword.id) ?? false}
          onToggle={(isRange) => toggle(keyword.id, isRange)}
          onDelete={() => remove([keyword])}
        />
      ))}
      {children}
    </ul>
  )
}
