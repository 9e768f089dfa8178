import { Check, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import type { Keyword, KeywordList } from '#contract/organisation.ts'
import { isStored } from '#src/api/keyword-edits.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { groupDot } from './group-looks.ts'
import { KeywordPopover } from './keyword-popover.tsx'
import { lookOf } from './list-looks.ts'
import { MarkedExpression } from './marked-expression.tsx'
import type { WatchTools } from './watch-tools.ts'

type KeywordChipProps = {
  list: KeywordList
  keyword: Keyword
  tools: WatchTools
  /** In the tab order: one chip of a list is, arrows go to the others. */
  isCurrent: boolean
  onFocus: () => void
  isSelecting: boolean
  isSelected: boolean
  onToggle: (isRange: boolean) => void
  onDelete: () => void
}

/** One word of a list: its group's colour, what it found, and the way to all about it. */
export function KeywordChip({
  list,
  keyword,
  tools,
  isCurrent,
  onFocus,
  isSelecting,
  isSelected,
  onToggle,
  onDelete,
}: KeywordChipProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { isExclusion, isAi, dot } = lookOf(list)
  const group = tools.organisation.keyword_groups.find(({ id }) => id === keyword.group_id)
  const hits = tools.figures?.get(keyword.id)?.hits
  const canChange = isStored(keyword) && !tools.isLocked
  const press = (event: MouseEvent) => {
    if (isSelecting || event.ctrlKey || event.metaKey || event.shiftKey) {
      if (isStored(keyword)) onToggle(event.shiftKey)
    } else if (isStored(keyword)) setOpen(!isOpen)
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
        !isStored(keyword) && 'opacity-60',
      )}
    >
      <button
        ref={button}
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
              group ? groupDot(group.id) : isAi ? dot : groupDot(null),
            )}
          />
        )}
        <span className="truncate">
          {list === 'include' || list === 'exclude' ? <MarkedExpression word={keyword.word} /> : keyword.word}
        </span>
        {group && <span className="sr-only"> กลุ่ม {group.name}</span>}
        {hits !== undefined && (
          <span className="shrink-0 text-xs text-ink-faint tabular-nums">
            <span className="sr-only">{isExclusion ? 'ตัดออก' : 'พบ'} </span>
            <span aria-hidden>{isExclusion && hits > 0 ? '−' : ''}</span>
            {countText(hits)}
            <span className="sr-only"> โครงการใน 30 วัน</span>
          </span>
        )}
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
        tools={tools}
        onDelete={() => {
          // The list gives the focus on to the next chip.
          button.current?.focus()
          onDelete()
        }}
      />
    </li>
  )
}
