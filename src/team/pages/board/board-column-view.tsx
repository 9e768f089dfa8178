import { useDroppable } from '@dnd-kit/core'
import { ChevronsLeftRight, ChevronsRightLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import type { BoardColumn } from './board-column-data.ts'

type ColumnProps = {
  column: BoardColumn
  isPhone: boolean
  /** Distance by which an inactive column is shifted down on a phone, px; undefined for the active column. */
  lowered: number | undefined
  onFold: (stage: string) => void
  children: ReactNode
}

export function BoardColumnView({
  column: { stage, cards, total, isFolded },
  isPhone,
  lowered,
  onFold,
  children,
}: ColumnProps) {
  const count = `${cards.length} งาน`
  const { setNodeRef, isOver } = useDroppable({ id: stage.id })
  const ring = isOver && 'ring-2 ring-accent-ink'
  if (isFolded && !isPhone) {
    return (
      <section
        ref={setNodeRef}
        data-column={stage.id}
        aria-label={`${stage.name} ${count} พับอยู่`}
        className={classNames(
          'm-0.5 flex w-11 shrink-0 flex-col items-center gap-2 rounded-card bg-surface-muted py-2',
          ring,
        )}
      >
        <IconButton
          icon={ChevronsLeftRight}
          label={`กางคอลัมน์ ${stage.name}`}
          size="sm"
          onClick={() => onFold(stage.id)}
        />
        <span className="text-sm font-semibold tabular-nums">{cards.length}</span>
        <h2 className="text-sm font-medium whitespace-nowrap [writing-mode:vertical-rl]">{stage.name}</h2>
      </section>
    )
  }
  const content = (
    <>
      <div className={classNames('flex items-center gap-2 px-3 pt-2', isPhone && 'px-0')}>
        <h2 className={classNames('min-w-0 truncate font-semibold', isPhone && 'sr-only')}>{stage.name}</h2>
        {!isPhone && (
          <span className="rounded-full bg-surface px-2 text-xs font-semibold tabular-nums">{cards.length}</span>
        )}
        {!isPhone && (
          <IconButton
            icon={ChevronsRightLeft}
            label={`พับคอลัมน์ ${stage.name}`}
            size="sm"
            onClick={() => onFold(stage.id)}
            className="ml-auto"
          />
        )}
      </div>
      <p className={classNames('px-3 pb-1 text-xs text-ink-muted tabular-nums', isPhone && 'px-0')}>
        งบรวม {formatBahtCompact(total.budget)} บาท
        <DoubtfulAmountsNote count={total.inDoubt} />
      </p>
      {cards.length === 0 ? <p className="px-3 py-8 text-center text-sm text-ink-faint">ยังไม่มีงานในขั้นนี้</p> : children}
    </>
  )
  return (
    <section
      ref={setNodeRef}
      data-column={stage.id}
      aria-label={`${stage.name} ${count}`}
      className={classNames(
        'flex flex-col rounded-card bg-surface-muted',
        isPhone
          ? 'w-full shrink-0 snap-start snap-always bg-transparent px-4'
          : 'm-0.5 max-h-[calc(100dvh-168px)] min-h-96 min-w-[224px] flex-1',
        ring,
      )}
    >
      {lowered === undefined ? (
        content
      ) : (
        // The height is zero, so that only the active column determines the page height.
        <div className="h-0" style={{ transform: `translateY(${lowered}px)` }}>
          {content}
        </div>
      )}
    </section>
  )
}
