import { Check, FileSearch, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { hasServerId } from '#src/matching/api/keyword-edits.ts'
import { HighlightedKeywordExpression } from './add/highlighted-expression.tsx'
import { tryDeleteKeywords } from './keyword-changes.ts'
import { getKeywordGroupDotClass, getKeywordListAppearance } from './keyword-list-appearances.ts'
import { KeywordPopover } from './keyword-popover.tsx'
import { useWatchLists } from './watch-list-tools.ts'

type KeywordChipProps = {
  register: (button: HTMLButtonElement | null) => void
  list: KeywordListCode
  keyword: Keyword
  isCurrent: boolean
  onFocus: () => void
  isSelecting: boolean
  isSelected: boolean
  onToggle: (isRange: boolean) => void
  onDelete: () => void
}

function KeywordChip({
  register,
  list,
  keyword,
  isCurrent,
  onFocus,
  isSelecting,
  isSelected,
  onToggle,
  onDelete,
}: KeywordChipProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { isExclusion, isAi, dot } = getKeywordListAppearance(list)
  const { organisation, figures, isLocked } = useWatchLists()
  const group = organisation.keyword_groups.find(({ id }) => id === keyword.group_id)
  const hits = figures?.get(keyword.id)?.hits
  const canChange = hasServerId(keyword) && !isLocked
  const press = (event: MouseEvent) => {
    if (isSelecting || event.ctrlKey || event.metaKey || event.shiftKey) {
      if (hasServerId(keyword)) onToggle(event.shiftKey)
    } else if (hasServerId(keyword)) setOpen(!isOpen)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSelecting && event.key === 'Enter' && event.shiftKey) {
      event.preventDefault()
      onToggle(true)
    }
  }
  return (
    <li
      className={classNames(
        'inline-flex max-w-full items-stretch rounded-control border text-table',
        isSelected
          ? 'border-accent bg-accent-soft'
          : keyword.approved
            ? 'border-line bg-surface'
            : 'border-dashed border-updated-line bg-updated-soft',
        !hasServerId(keyword) && 'opacity-60',
      )}
    >
      <button
        ref={(element) => {
          button.current = element
          register(element)
        }}
        type="button"
        data-chip={keyword.id}
        aria-pressed={isSelecting ? isSelected : undefined}
        aria-haspopup={isSelecting ? undefined : 'dialog'}
        aria-expanded={isSelecting ? undefined : isOpen}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={onFocus}
        onClick={press}
        onKeyDown={onKeyDown}
        className="inline-flex min-h-7 min-w-0 items-center gap-2 rounded-control py-0.5 pl-2.5 hover:bg-surface-muted touch:min-h-11"
      >
        {isSelecting ? (
          <span
            aria-hidden
            className={classNames(
              'inline-flex size-4 shrink-0 items-center justify-center rounded-[4px] border',
              isSelected ? 'border-accent bg-accent text-on-accent' : 'border-control bg-surface',
            )}
          >
            {isSelected && <Check className="size-3" strokeWidth={3} />}
          </span>
        ) : (
          <span
            aria-hidden
            title={group?.name}
            className={classNames(
              'size-2 shrink-0 rounded-full',
              group ? getKeywordGroupDotClass(group.id) : isAi ? dot : getKeywordGroupDotClass(null),
            )}
          />
        )}
        <span className="truncate">
          {list === 'include' || list === 'exclude' ? (
            <HighlightedKeywordExpression word={keyword.word} />
          ) : (
            keyword.word
          )}
        </span>
        {group && <span className="sr-only"> กลุ่ม {group.name}</span>}
        {/* Reserve room for the counts, which arrive later and would make the chips wrap again. */}
        <span className="min-w-7 shrink-0 text-right text-xs text-ink-faint tabular-nums">
          {hits !== undefined && (
            <>
              <span className="sr-only">{isExclusion ? 'ตัดออก' : 'พบ'} </span>
              <span aria-hidden>{isExclusion && hits > 0 ? '−' : ''}</span>
              {formatCount(hits)}
              <span className="sr-only"> โครงการใน 30 วัน</span>
            </>
          )}
        </span>
        {keyword.in_documents && <FileSearch aria-label="ค้นในเอกสารด้วย" className="size-3.5 shrink-0 text-ink-faint" />}
        {!keyword.approved && <span className="shrink-0 text-xs font-medium text-updated">รอตรวจ</span>}
        {isSelecting && <span className="w-0.5" />}
      </button>
      {!isSelecting && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`ลบ ${keyword.word}`}
          title="ลบ (Delete)"
          disabled={!canChange}
          onClick={onDelete}
          className="inline-flex min-h-6 w-7 shrink-0 items-center justify-center rounded-control text-ink-faint enabled:hover:bg-surface-muted enabled:hover:text-urgent disabled:opacity-40 touch:w-11"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      )}
      <KeywordPopover
        open={isOpen}
        onClose={() => setOpen(false)}
        anchor={button}
        list={list}
        keyword={keyword}
        onDelete={() => {
          button.current?.focus()
          onDelete()
        }}
      />
    </li>
  )
}

export type KeywordChipsProps = {
  list: KeywordListCode
  label: string
  words: readonly Keyword[]
  selection: KeywordSelection | undefined
  onSelect: (selection: KeywordSelection) => void
  children?: ReactNode
}

/** Word chips with a roving tabindex. Delete deletes, Shift with an arrow extends the selection. */
export function KeywordChips({ list, label, words, selection, onSelect, children }: KeywordChipsProps) {
  const { isLocked } = useWatchLists()
  const element = useRef<HTMLUListElement>(null)
  const chips = useRef(new Map<number, HTMLButtonElement | null>())
  const [at, setAt] = useState(0)
  const current = Math.min(at, words.length - 1)
  const order = words.map(({ id }) => id)
  /** Focused chips being deleted; the focus moves to the chip that takes their position. */
  const leaving = useRef<readonly Keyword[]>([])

  const chipAt = (index: number) => {
    const id = words[index]?.id
    return id === undefined ? undefined : chips.current.get(id)
  }
  useLayoutEffect(() => {
    if (leaving.current.length === 0 || leaving.current.some(({ id }) => order.includes(id))) return
    leaving.current = []
    ;(chipAt(current) ?? element.current?.querySelector('button'))?.focus()
  })
  const remove = (keywords: readonly Keyword[]) => {
    if (isLocked || keywords.length === 0) return
    leaving.current = element.current?.contains(document.activeElement) ? keywords : []
    onSelect({ ids: new Set(), anchor: undefined })
    void tryDeleteKeywords(list, keywords)
  }
  const toggle = (id: number, isRange: boolean) =>
    onSelect(toggleKeywordSelection(selection ?? { ids: new Set(), anchor: words[current]?.id }, order, id, isRange))

  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-chip]') || event.altKey) return
    const word = words[current]
    if ((event.key === 'Delete' || event.key === 'Backspace') && word) {
      event.preventDefault()
      const chosen = words.filter((keyword) => selection?.ids.has(keyword.id) && hasServerId(keyword))
      return remove(chosen.length > 0 ? chosen : hasServerId(word) ? [word] : [])
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
    if (event.shiftKey && hasServerId(next)) toggle(next.id, true)
    setAt(to)
    chipAt(to)?.focus()
  }
  return (
    <ul ref={element} aria-label={label} onKeyDown={onKeyDown} className="mt-3 flex flex-wrap items-center gap-2">
      {words.map((keyword, index) => (
        <KeywordChip
          key={keyword.id}
          register={(button) => chips.current.set(keyword.id, button)}
          list={list}
          keyword={keyword}
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

export type KeywordSelection = {
  readonly ids: ReadonlySet<number>
  readonly anchor: number | undefined
}
export const EMPTY_KEYWORD_SELECTION: KeywordSelection = { ids: new Set(), anchor: undefined }

/** With `isRange` applies the word's new state to all words back to the anchor. `order`: ids as displayed. */
export function toggleKeywordSelection(
  { ids, anchor }: KeywordSelection,
  order: readonly number[],
  id: number,
  isRange: boolean,
): KeywordSelection {
  const next = new Set(ids)
  const [from, to] = [anchor === undefined ? -1 : order.indexOf(anchor), order.indexOf(id)]
  const among = isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  const isOn = isRange || !ids.has(id)
  for (const wordId of among) {
    if (isOn) next.add(wordId)
    else next.delete(wordId)
  }
  return { ids: next, anchor: id }
}
