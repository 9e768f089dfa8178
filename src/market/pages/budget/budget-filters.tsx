import { useQuery } from '@tanstack/react-query'
import { BUDGET_ITEM_STATES, type BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import { budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { FilterMenu } from '#src/market/filter/filter-menu.tsx'
import { type FilterOption, OptionList } from '#src/market/filter/option-list.tsx'
import { MoneyRangeFields } from '#src/report/filter/money-range-fields.tsx'
import { Button } from '#src/ui/button.tsx'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { MENU_ITEM_CLASSES } from '#src/ui/overlay/menu.tsx'
import { BudgetSearchBox } from './budget-search-box.tsx'
import { BUDGET_LEVEL_NAMES, formatBudgetAmount, getBudgetStateLabel } from './scope/budget-text.ts'
import {
  BUDGET_FILTER_PARAMS,
  type BudgetPathLevel,
  buildBudgetLevelPatch,
  CLEARED_BUDGET_FILTERS_PATCH,
} from './scope/budget-url.ts'
import { useBudgetUrlState, useHasKeywords } from './scope/use-budget-url-state.ts'

export function BudgetFilters({ search }: { search: BudgetSearch }) {
  const { change } = useBudgetUrlState()
  const hasWords = useHasKeywords()
  const { ministry, unit, amount__range: range } = search
  const isFiltered = BUDGET_FILTER_PARAMS.some((name) => search[name] !== undefined)
  return (
    <div className="flex flex-wrap items-start gap-2 print:hidden">
      <BudgetSearchBox search={search} />
      <FilterMenu label="กระทรวง" chosen={toList(ministry)}>
        {(close) => <BudgetLevelList level="ministry" search={search} onChosen={close} />}
      </FilterMenu>
      {ministry !== undefined && (
        <FilterMenu label="หน่วยรับงบประมาณ" chosen={toList(unit)}>
          {(close) => <BudgetLevelList level="unit" search={search} onChosen={close} />}
        </FilterMenu>
      )}
      <CountedFilterMenu filter={CATEGORY_FILTER} search={search} />
      <FilterMenu label="วงเงิน" chosen={toList(range && moneyRangeText(range))}>
        {() => (
          <>
            <p className="mb-1 text-ink-muted">บาท เช่น 500,000 หรือ 5 ล้าน</p>
            <div className="flex items-start gap-2">
              <MoneyRangeFields name="วงเงิน" range={range} onChange={(next) => change({ amount__range: next })} />
            </div>
          </>
        )}
      </FilterMenu>
      {hasWords && <CountedFilterMenu filter={KEYWORD_FILTER} search={search} />}
      <CountedFilterMenu filter={STATE_FILTER} search={search} />
      {isFiltered && (
        <Button variant="link" size="sm" onClick={() => change(CLEARED_BUDGET_FILTERS_PATCH)}>
          ล้างตัวกรอง
        </Button>
      )}
    </div>
  )
}

const toList = (value: string | undefined) => (value === undefined ? [] : [value])

type CountedFilter = {
  readonly param: 'category' | 'keyword__in' | 'state'
  readonly label: string
  readonly textOf: (value: string) => string
  readonly optionsOf: (summary: BudgetSummary) => FilterOption[]
}

const CATEGORY_FILTER: CountedFilter = {
  param: 'category',
  label: 'หมวดรายจ่าย',
  textOf: String,
  optionsOf: ({ by_category, scope }) =>
    by_category.map(({ category, years }) => ({
      value: category,
      text: category,
      count: formatBudgetAmount(years.find(({ fiscal_year }) => fiscal_year === scope.fiscal_year)?.amount ?? null),
    })),
}
const KEYWORD_FILTER: CountedFilter = {
  param: 'keyword__in',
  label: 'คำติดตาม',
  textOf: String,
  optionsOf: ({ words }) => words.map(({ word, n }) => ({ value: word, text: word, count: formatCount(n) })),
}
const STATE_FILTER: CountedFilter = {
  param: 'state',
  label: 'สถานะ',
  textOf: getBudgetStateLabel,
  optionsOf: ({ states }) =>
    BUDGET_ITEM_STATES.map(({ code, th }) => ({ value: code, text: th, count: formatCount(states[code] ?? 0) })),
}

type CountedOptionsProps = { filter: CountedFilter; search: BudgetSearch }

const CountedFilterMenu = (props: CountedOptionsProps) => (
  <FilterMenu label={props.filter.label} chosen={(props.search[props.filter.param] ?? []).map(props.filter.textOf)}>
    {() => <CountedOptions {...props} />}
  </FilterMenu>
)

/** Counts each option under all other filters, so that its count is the number of items that choosing it would show. */
function CountedOptions({ filter: { param, label, textOf, optionsOf }, search }: CountedOptionsProps) {
  const { change } = useBudgetUrlState()
  const { [param]: values, ...otherFilters } = search
  const summary = useQuery(budgetSummaryQuery(otherFilters))
  const { data } = summary
  if (!data && !summary.isError) return <p className="text-ink-muted">กำลังโหลดตัวเลือก…</p>
  return (
    <OptionList
      label={label}
      options={data ? optionsOf(data) : []}
      values={values}
      textOf={textOf}
      onChange={(next) => change({ [param]: next })}
      loadError={!data && <InlineQueryError query={summary} title="โหลดตัวเลือกไม่สำเร็จ" />}
    />
  )
}

type LevelListProps = { level: BudgetPathLevel; search: BudgetSearch; onChosen: () => void }

/** The query omits the current choice, because it would leave only that name. */
function BudgetLevelList({ level, search, onChosen }: LevelListProps) {
  const { change } = useBudgetUrlState()
  const summary = useQuery(budgetSummaryQuery({ ...search, ...buildBudgetLevelPatch(level) } as BudgetSearch))
  const { data } = summary
  const rows = data?.level === level ? data.breakdown : undefined
  const name = BUDGET_LEVEL_NAMES[level]
  if (!rows && summary.error) return <InlineQueryError query={summary} title={`โหลด${name}ไม่สำเร็จ`} />
  if (!rows) return <p className="text-ink-muted">กำลังโหลดตัวเลือก…</p>
  const choice = (value: string | undefined, count: number | undefined) => (
    <li key={value ?? ''}>
      <button
        type="button"
        aria-pressed={search[level] === value}
        data-autofocus={search[level] === value || undefined}
        onClick={() => {
          change(buildBudgetLevelPatch(level, value))
          onChosen()
        }}
        className={`${MENU_ITEM_CLASSES} rounded-control whitespace-normal! aria-pressed:font-medium aria-pressed:text-accent-ink`}
      >
        <span className="min-w-0 flex-1">{value ?? `ทุก${name}`}</span>
        {count !== undefined && <span className="text-xs text-ink-faint tabular-nums">{formatCount(count)}</span>}
      </button>
    </li>
  )
  return (
    <ul aria-label={name} className="-mx-1 max-h-80 overflow-y-auto">
      {choice(undefined, undefined)}
      {rows.map((row) => choice(row.name, row.n))}
      {data?.others && (
        <li className="px-3 py-1.5 text-xs text-ink-muted">
          อีก {formatCount(data.others.rows)} แห่งที่วงเงินน้อยกว่า ค้นจากช่องค้นหาหรือเลือกจากตาราง
        </li>
      )}
    </ul>
  )
}
