import type { BudgetItem, BudgetItemState } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { getBudgetStateLabel } from './scope/budget-text.ts'

type BudgetItemButtonProps = { item: BudgetItem; onOpen: (id: number) => void; className?: string }

export function BudgetItemButton({ item, onOpen, className }: BudgetItemButtonProps) {
  return (
    <button
      type="button"
      data-item={item.id}
      aria-haspopup="dialog"
      onClick={() => onOpen(item.id)}
      className={classNames('rounded-control text-left font-medium hover:underline touch:min-h-11', className)}
    >
      <HighlightedText
        text={item.description}
        words={item.matched_words}
        against={item.excluded_by === null ? [] : [item.excluded_by]}
      />
    </button>
  )
}

export function BudgetItemBadges({ item }: { item: BudgetItem }) {
  const { matched_words: words, excluded_by: excluded, is_multi_year, is_cross_function, province } = item
  if (words.length === 0 && excluded === null && !is_multi_year && !is_cross_function && province === null) return null
  return (
    <span className="mt-0.5 flex flex-wrap gap-1">
      {words.map((word) => (
        <Badge key={word} tone="accent">
          {word}
        </Badge>
      ))}
      {excluded !== null && <Badge tone="urgent">ไม่เอา {excluded}</Badge>}
      {is_multi_year && <Badge>ผูกพันข้ามปี</Badge>}
      {is_cross_function && <Badge>บูรณาการ</Badge>}
      {province !== null && <Badge>{province}</Badge>}
    </span>
  )
}

const TONES: Readonly<Record<BudgetItemState, BadgeTone>> = {
  none: 'neutral',
  draft: 'updated',
  invited: 'accent',
  awarded: 'new',
  cancelled: 'urgent',
}

export function BudgetStateBadge({ state }: { state: BudgetItemState }) {
  return <Badge tone={TONES[state]}>{getBudgetStateLabel(state)}</Badge>
}

export function BudgetItemStateSummary({ item: { state, links, guesses } }: { item: BudgetItem }) {
  return (
    <>
      <BudgetStateBadge state={state} />
      {links + guesses > 0 && (
        <span className="block text-xs text-ink-muted">
          {links > 0 && `${formatCount(links)} โครงการ`}
          {links > 0 && guesses > 0 && ' · '}
          {guesses > 0 && <span className="text-updated">{formatCount(guesses)} รอยืนยัน</span>}
        </span>
      )}
    </>
  )
}
