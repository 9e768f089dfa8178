import { Lock } from 'lucide-react'
import type { BudgetYears } from '#contract/market/budget.ts'
import { formatFiscalYearSpan } from '#contract/thai/thai-date.ts'
import { type TabItem, Tabs } from '#src/ui/tabs.tsx'
import { BUDGET_RESULTS_ELEMENT_ID } from './scope/budget-text.ts'
import { useBudgetUrlState } from './scope/use-budget-url-state.ts'

export function BudgetYearTabs({ years, year }: Pick<BudgetYears, 'years'> & { year: number }) {
  const { change } = useBudgetUrlState()
  const newestFirst = years.toSorted((a, b) => b.fiscal_year - a.fiscal_year)
  const items: TabItem<string>[] = newestFirst
    .filter(({ is_allowed }) => is_allowed)
    .map(({ fiscal_year, items }) => ({
      value: String(fiscal_year),
      label: (
        <>
          ปี {fiscal_year}
          {items === 0 && <span className="text-xs font-normal text-ink-faint">ยังไม่มีข้อมูล</span>}
        </>
      ),
    }))
  const locked = newestFirst.filter(({ is_allowed }) => !is_allowed).map(({ fiscal_year }) => fiscal_year)
  return (
    <div className="border-b border-line">
      <div className="flex flex-wrap items-center gap-x-4">
        <Tabs
          label="ปีงบประมาณ"
          items={items}
          value={String(year)}
          onChange={(value) => change({ year: Number(value), item: undefined })}
          panelId={BUDGET_RESULTS_ELEMENT_ID}
          className="max-sm:-mx-4 max-sm:max-w-[100vw] max-sm:px-4"
        />
        {locked.length > 0 && <LockedBudgetYears years={locked} />}
      </div>
      {/* Date limits are not shown; the tabs show which years they allow. */}
      <p className="pb-1.5 text-xs text-ink-muted">
        ปีงบประมาณ {year} คือ {formatFiscalYearSpan(year)}
      </p>
    </div>
  )
}

export function LockedBudgetYears({ years }: { years: readonly number[] }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2 text-ink-muted">
      {years.map((year) => (
        <span key={year} className="inline-flex items-center gap-1">
          <Lock aria-hidden className="size-3.5" />
          <span className="sr-only">ล็อกไว้ </span>ปี {year}
        </span>
      ))}
      <span className="text-xs">ไม่อยู่ในแพ็กเกจ ติดต่อทีมงานเพื่อเปิดดู</span>
    </p>
  )
}
