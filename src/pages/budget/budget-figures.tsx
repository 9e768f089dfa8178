import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import type { BudgetSummary } from '#contract/budget.ts'
import type { BudgetSearch } from '#contract/budget-params.ts'
import { budgetSummaryQuery } from '#src/api/budgets.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { type ChangeBudget, goTo, pathOf } from './budget-address.ts'
import { CategoryCard } from './category-card.tsx'
import { DrillDown } from './drill-down.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { KeyFigures } from './key-figures.tsx'
import { MonthsCard } from './months-card.tsx'
import { goToItems } from './results-id.ts'
import { ScopeLine } from './scope-line.tsx'
import { WordsCard } from './words-card.tsx'

type BudgetFiguresProps = {
  summary: BudgetSummary
  /** These are of the search before. */
  isOld: boolean
  search: BudgetSearch
  change: ChangeBudget
  onYear: (year: number) => void
  /** Shows one item by its description. */
  onItem: (description: string) => void
}

/** Everything computed over all items found. Each figure leads to the rows that it is made of. */
export function BudgetFigures({ summary, isOld, search, change, onYear, onItem }: BudgetFiguresProps) {
  const show = (patch: Parameters<ChangeBudget>[0]) => {
    change(patch)
    goToItems()
  }
  const isEmpty = summary.scope.n === 0
  // The steps stay to choose another one from: of every state, whatever the filter lets in.
  const { state: _state, ...anyState } = search
  const whole = useQuery(budgetSummaryQuery(anyState))
  return (
    <div aria-busy={isOld} className={classNames('flex flex-col gap-4', isOld && 'opacity-60')}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <ScopeLine scope={summary.scope} />
        <Button look="link" size="sm" icon={ArrowDown} onClick={goToItems} className="-ml-1 print:hidden">
          ไปที่ตารางรายการ
        </Button>
      </div>
      <KeyFigures summary={summary} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <WordsCard
          summary={summary}
          chosen={search.keyword__in ?? []}
          onOpen={(word) => {
            const isOnly = search.keyword__in?.length === 1 && search.keyword__in[0] === word
            show({ keyword__in: isOnly ? undefined : [word] })
          }}
        />
        {!isEmpty && (
          // Beside each other where there are no words to stand beside.
          <div className={summary.words.length === 0 ? 'contents' : 'flex min-w-0 flex-col gap-4'}>
            <FunnelCard
              funnel={whole.data?.funnel ?? summary.funnel}
              chosen={search.state}
              onOpen={(states) => show({ state: states })}
            />
            <MonthsCard summary={summary} />
          </div>
        )}
      </div>
      {!isEmpty && (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <DrillDown
            summary={summary}
            path={pathOf(search)}
            onUp={(level) => change(goTo(level, level && search[level]))}
            onDown={(name) => (summary.level === 'item' ? onItem(name) : change(goTo(summary.level, name)))}
          />
          <CategoryCard summary={summary} onOpen={(category) => show({ category: [category] })} onYear={onYear} />
        </div>
      )}
    </div>
  )
}
