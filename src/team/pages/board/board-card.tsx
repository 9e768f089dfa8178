import { useDraggable } from '@dnd-kit/core'
import { Link } from '@tanstack/react-router'
import { GripVertical, ListChecks, MessageSquare } from 'lucide-react'
import { type KeyboardEvent, memo, type ReactNode, useLayoutEffect, useRef } from 'react'
import type { Colleague, PursuitStage } from '#contract/account/pursuit-settings.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { DEADLINE_BAR_CLASSES, DEADLINE_URGENCY_CLASSES } from '#src/lib/deadline-urgency-classes.ts'
import { useDeadlineTimeLeft } from '#src/report/project-row/deadline-text.tsx'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { type DisplayedLabel, LabelChips } from '#src/ui/project/label-chip.tsx'
import type { BoardCardPosition } from './board-card-list.tsx'
import { getDaysLeftUntil } from './board-column-data.ts'

type CardContentProps = {
  card: PursuitCard
  today: string
  owner: Colleague | undefined
  labels?: readonly DisplayedLabel[] | undefined
  stages: readonly PursuitStage[]
  handle?: ReactNode
  onMove: (id: string, stage: string) => void
}

type BoardCardProps = Omit<CardContentProps, 'handle'> &
  BoardCardPosition & {
    hasFocusRequest: boolean
    onFocused: () => void
    /** Moves the focus to another card; false if the key is not for that. */
    onHandleKey: (event: KeyboardEvent, id: string) => boolean
  }

/** A mouse can grab a card anywhere except on links and buttons; touch must use the handle, so that the page scrolls. */
export const BoardCard = memo(function BoardCard({
  index,
  count,
  measure,
  hasFocusRequest,
  onFocused,
  onHandleKey,
  ...content
}: BoardCardProps) {
  const { project_id: id, name } = content.card
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging } = useDraggable({ id })
  const handle = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (!hasFocusRequest) return
    const active = document.activeElement
    if (active === null || active === document.body || active.closest('[data-card]')) handle.current?.focus()
    onFocused()
  }, [hasFocusRequest, onFocused])
  return (
    <li
      ref={(element) => {
        setNodeRef(element)
        measure?.(element)
      }}
      data-index={index}
      data-card={id}
      aria-posinset={index + 1}
      aria-setsize={count}
      onMouseDown={(event) => {
        const control = event.target instanceof Element && event.target.closest('a, button')
        if (!control || control === handle.current) listeners?.onMouseDown?.(event)
      }}
      className={classNames(
        'mb-2 rounded-[9px] border border-line bg-surface px-3 py-2.5 md:cursor-grab',
        isDragging && 'opacity-45',
      )}
    >
      <BoardCardContent
        {...content}
        handle={
          <button
            ref={(element) => {
              handle.current = element
              setActivatorNodeRef(element)
            }}
            type="button"
            data-handle={id}
            aria-label={`ย้าย ${name}`}
            aria-describedby={attributes['aria-describedby']}
            aria-pressed={isDragging}
            onTouchStart={(event) => listeners?.onTouchStart?.(event)}
            onKeyDown={(event) => {
              if (!isDragging && onHandleKey(event, id)) event.preventDefault()
              else listeners?.onKeyDown?.(event)
            }}
            className="-mt-0.5 -mr-1.5 inline-flex size-7 shrink-0 cursor-grab touch-none items-center justify-center rounded-control text-ink-faint hover:bg-surface-muted touch:size-11"
          >
            <GripVertical aria-hidden className="size-4" />
          </button>
        }
      />
    </li>
  )
})

export function BoardCardContent({ card, today, owner, labels = [], stages, handle, onMove }: CardContentProps) {
  const { deadline, deadline_time: time } = card
  const days = card.is_cancelled ? undefined : getDaysLeftUntil(deadline, today)
  const hours = useDeadlineTimeLeft(deadline ?? today, today, time)
  const timeLeft = days && deadline === today && time ? { ...days, ...hours } : days
  const { project_id: id, name } = card
  return (
    <>
      <div className="flex items-start gap-1">
        <Link
          to="/report/$id"
          params={{ id }}
          draggable={false}
          className="line-clamp-3 min-w-0 flex-1 font-medium decoration-line-strong underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        {handle}
      </div>
      <p className="truncate text-sm text-ink-muted">{[card.agency, card.province].filter(Boolean).join(' · ')}</p>
      <p className="mt-1 flex items-baseline justify-between gap-2 text-sm">
        <span className="font-semibold tabular-nums">
          {card.budget === null ? 'ไม่มีงบประมาณ' : `${formatBahtCompact(card.budget)} บาท`}
        </span>
        <span
          className={
            timeLeft
              ? DEADLINE_URGENCY_CLASSES[timeLeft.urgency]
              : card.is_cancelled
                ? 'font-medium text-urgent'
                : 'text-ink-faint'
          }
        >
          {timeLeft?.text ?? (card.is_cancelled ? 'ยกเลิก' : 'ไม่มีวันยื่น')}
        </span>
      </p>
      <div aria-hidden className="mt-1 h-1 overflow-hidden rounded-full bg-surface-muted">
        {timeLeft && (
          <div
            className={classNames('h-full rounded-full', DEADLINE_BAR_CLASSES[timeLeft.urgency])}
            style={{ width: `${Math.round(timeLeft.share * 100)}%` }}
          />
        )}
      </div>
      <LabelChips labels={labels} className="mt-2 gap-1" />
      <div className="mt-2 flex items-center gap-3 text-xs text-ink-muted">
        <MemberAvatar member={owner} />
        <span className="sr-only">{owner ? `ผู้ดูแล ${owner.name}` : 'ไม่มีผู้ดูแล'}</span>
        {card.items > 0 && (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <ListChecks aria-hidden className="size-3.5" />
            <span className="sr-only">เอกสาร</span>
            {card.items_done}/{card.items}
          </span>
        )}
        {card.note_count > 0 && (
          <span className="inline-flex items-center gap-1 tabular-nums">
            <MessageSquare aria-hidden className="size-3.5" />
            {card.note_count}
            <span className="sr-only"> โน้ต</span>
          </span>
        )}
        <span className="ml-auto">
          <Menu
            label={`ย้าย ${name} ไป`}
            trigger={(trigger) => (
              <button
                type="button"
                {...trigger}
                aria-label={`ย้ายไป: ${name}`}
                className="rounded-control px-1.5 py-0.5 hover:bg-surface-muted touch:min-h-11 touch:px-3"
              >
                ย้ายไป
              </button>
            )}
          >
            {stages.map((stage) => (
              <MenuItem
                key={stage.id}
                checked={stage.id === card.stage}
                onSelect={() => {
                  if (stage.id !== card.stage) onMove(id, stage.id)
                }}
              >
                {stage.name}
              </MenuItem>
            ))}
          </Menu>
        </span>
      </div>
      {(card.lost_reason ?? (card.decision === 'no_bid' ? card.reason : null)) && (
        <p className="mt-1.5 line-clamp-2 text-xs text-ink-muted">เพราะ {card.lost_reason ?? card.reason}</p>
      )}
    </>
  )
}
