import { useQuery } from '@tanstack/react-query'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { Button } from '#src/ui/button.tsx'
import { MENU_ITEM_CLASSES } from '#src/ui/overlay/menu.tsx'
import { BUDGET_LEVEL_NAMES } from './scope/budget-text.ts'
import { type BudgetPathLevel, type BudgetSearchPatch, buildBudgetLevelPatch } from './scope/budget-url.ts'

type LevelListProps = {
  level: BudgetPathLevel
  search: BudgetSearch
  onChoose: (patch: BudgetSearchPatch) => void
}

/**
 * Lets the user choose one of all names of a level. The query omits the current choice, because it would leave only
 * that name.
 */
export function BudgetLevelList({ level, search, onChoose }: LevelListProps) {
  const { data, error, refetch } = useQuery(
    budgetSummaryQuery({ ...search, ...buildBudgetLevelPatch(level) } as BudgetSearch),
  )
  const rows = data?.level === level ? data.breakdown : undefined
  const name = BUDGET_LEVEL_NAMES[level]
  if (!rows && error) {
    return (
      <p role="alert">
        โหลด{name}ไม่สำเร็จ {formatErrorMessage(error)}{' '}
        <Button variant="link" size="sm" onClick={() => void refetch()}>
          ลองใหม่
        </Button>
      </p>
    )
  }
  if (!rows) return <p className="text-ink-muted">กำลังโหลดตัวเลือก…</p>
  const choice = (value: string | undefined, count: number | undefined) => (
    <li key={value ?? ''}>
      <button
        type="button"
        aria-pressed={search[level] === value}
        data-autofocus={search[level] === value || undefined}
        onClick={() => onChoose(buildBudgetLevelPatch(level, value))}
        className={`${MENU_ITEM_CLASSES} rounded-control whitespace-normal! aria-pressed:font-medium aria-pressed:text-accent-ink`}
      >
        <span className="min-w-0 flex-1">{value ?? `ทุก${name}`}</span>
        {count !== undefined && (
          <span className="text-xs text-ink-faint tabular-nums">{formatCountWithSeparators(count)}</span>
        )}
      </button>
    </li>
  )
  return (
    <ul aria-label={name} className="-mx-1 max-h-80 overflow-y-auto">
      {choice(undefined, undefined)}
      {rows.map((row) => choice(row.name, row.n))}
      {data?.others && (
        <li className="px-3 py-1.5 text-xs text-ink-muted">
          อีก {formatCountWithSeparators(data.others.rows)} แห่งที่วงเงินน้อยกว่า ค้นจากช่องค้นหาหรือเลือกจากตาราง
        </li>
      )}
    </ul>
  )
}
