import { useQuery } from '@tanstack/react-query'
import { BUDGET_ITEM_STATES, type BudgetSummary } from '#contract/budget.ts'
import type { BudgetSearch } from '#contract/budget-params.ts'
import { budgetSummaryQuery } from '#src/api/budgets.ts'
import { countText, moneyRangeText } from '#src/lib/money-text.ts'
import { Button } from '#src/ui/button.tsx'
import { AmountFields } from './amount-fields.tsx'
import { type BudgetPatch, type ChangeBudget, FILTER_PARAMS, NO_FILTERS } from './budget-address.ts'
import { BudgetSearchBox } from './budget-search-box.tsx'
import { bahtText, stateName } from './budget-words.ts'
import { FilterButton } from './filter-button.tsx'
import { type Option, OptionList } from './option-list.tsx'
import { PlaceList } from './place-list.tsx'

type BudgetFiltersProps = { search: BudgetSearch; change: ChangeBudget; hasWords: boolean }

/** Search and filters of the table; the figures above follow them. */
export function BudgetFilters({ search, change, hasWords }: BudgetFiltersProps) {
  const { ministry, unit, category = [], amount__range: range, keyword__in: words = [], state = [] } = search
  const isFiltered = FILTER_PARAMS.some((name) => search[name] !== undefined)
  const choose = (patch: BudgetPatch, close: () => void) => {
    change(patch)
    close()
  }
  return (
    <div className="flex flex-wrap items-start gap-2 print:hidden">
      <BudgetSearchBox inAddress={search.q ?? ''} change={change} />
      <FilterButton name="กระทรวง" chosen={ministry}>
        {(close) => <PlaceList level="ministry" search={search} onChoose={(patch) => choose(patch, close)} />}
      </FilterButton>
      {ministry !== undefined && (
        <FilterButton name="หน่วยรับงบประมาณ" chosen={unit}>
          {(close) => <PlaceList level="unit" search={search} onChoose={(patch) => choose(patch, close)} />}
        </FilterButton>
      )}
      <FilterButton name="หมวดรายจ่าย" chosen={listText(category)}>
        {() => (
          <CountedOptions
            name="หมวดรายจ่าย"
            search={search}
            without="category"
            optionsOf={categoryOptions}
            chosen={category}
            onChange={(chosen) => change({ category: chosen.length === 0 ? undefined : chosen })}
          />
        )}
      </FilterButton>
      <FilterButton name="วงเงิน" chosen={range && moneyRangeText(range)}>
        {() => <AmountFields range={range} onChange={(next) => change({ amount__range: next })} />}
      </FilterButton>
      {hasWords && (
        <FilterButton name="คำติดตาม" chosen={listText(words)}>
          {() => (
            <CountedOptions
              name="คำติดตาม"
              search={search}
              without="keyword__in"
              optionsOf={wordOptions}
              chosen={words}
              onChange={(chosen) => change({ keyword__in: chosen.length === 0 ? undefined : chosen })}
            />
          )}
        </FilterButton>
      )}
      <FilterButton name="สถานะ" chosen={listText(state.map(stateName))}>
        {() => (
          <CountedOptions
            name="สถานะ"
            search={search}
            without="state"
            optionsOf={stateOptions}
            chosen={state}
            onChange={(chosen) => change({ state: chosen.length === 0 ? undefined : chosen })}
          />
        )}
      </FilterButton>
      {isFiltered && (
        <Button look="link" size="sm" onClick={() => change(NO_FILTERS)}>
          ล้างตัวกรอง
        </Button>
      )}
    </div>
  )
}

const listText = (values: readonly string[]) =>
  values.length === 0 ? undefined : values.length === 1 ? values[0] : `${countText(values.length)} ค่า`

const stateOptions = ({ states }: BudgetSummary): Option[] =>
  BUDGET_ITEM_STATES.map(({ code, th }) => ({ value: code, text: th, count: countText(states[code] ?? 0) }))
const wordOptions = ({ words }: BudgetSummary): Option[] =>
  words.map(({ word, n }) => ({ value: word, text: word, count: countText(n) }))
const categoryOptions = ({ by_category, scope }: BudgetSummary): Option[] =>
  by_category.map(({ category, years }) => ({
    value: category,
    text: category,
    count: bahtText(years.find(({ fiscal_year }) => fiscal_year === scope.fiscal_year)?.amount ?? null),
  }))

type CountedOptionsProps = {
  name: string
  search: BudgetSearch
  without: 'category' | 'keyword__in' | 'state'
  optionsOf: (summary: BudgetSummary) => Option[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** Counts beside the options are those of every other filter: what choosing one more would show. */
function CountedOptions({ name, search, without, optionsOf, chosen, onChange }: CountedOptionsProps) {
  const { [without]: _own, ...others } = search
  const { data, isError } = useQuery(budgetSummaryQuery(others))
  // The filter works without its counts.
  const options = data ? optionsOf(data) : isError ? [] : undefined
  return <OptionList name={name} options={options} chosen={chosen} onChange={onChange} />
}
