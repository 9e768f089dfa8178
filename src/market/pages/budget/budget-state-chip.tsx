import type { BudgetItemState } from '#contract/market/budget.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { getBudgetStateLabel } from './scope/budget-text.ts'

const TONES: Readonly<Record<BudgetItemState, BadgeTone>> = {
  none: 'neutral',
  draft: 'updated',
  invited: 'accent',
  awarded: 'new',
  cancelled: 'urgent',
}

export function BudgetStateChip({ state }: { state: BudgetItemState }) {
  return <Badge tone={TONES[state]}>{getBudgetStateLabel(state)}</Badge>
}
