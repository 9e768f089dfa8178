import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { BUDGET_ITEM_STATES, type BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatBaht, parseThaiMoney, formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { classNames } from '#src/lib/class-names.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from '#src/report/filter/shorthand-input-field.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { MENU_ITEM_CLASSES } from '#src/ui/overlay/menu.tsx'
import { Popover, usePopover } from '#src/ui/overlay/popover.tsx'
import { BudgetSearchBox } from './budget-search-box.tsx'
import { BUDGET_LEVEL_NAMES, formatBudgetAmount, getBudgetStateLabel } from './scope/budget-text.ts'
import {
  BUDGET_FILTER_PARAMS,
  type BudgetPathLevel,
  type BudgetSearchPatch,
  buildBudgetLevelPatch,
  type ChangeBudgetSearchFn,
  CLEARED_BUDGET_FILTERS_PATCH,
} from './scope/budget-url.ts'

type FilterButtonProps = {
  name: string
  chosen: string | undefined
  children: (close: () => void) => ReactNode
}

function FilterButton({ name, chosen, children }: FilterButtonProps) {
  const { buttonProps, popoverProps, closeAndFocusButton } = usePopover()
  return (
    <>
      <button
        {...buttonProps}
        type="button"
        className={classNames(
          getButtonClasses('secondary', 'sm', 'max-w-64'),
          chosen !== undefined && 'border-accent-line! bg-accent-soft! text-accent-ink!',
        )}
      >
        <span className="min-w-0 truncate">
          {name}
          {chosen !== undefined && <span className="font-normal">: {chosen}</span>}
        </span>
        <ChevronDown aria-hidden className="size-4 shrink-0" />
      </button>
      <Popover {...popoverProps} label={`ตัวกรอง${name}`} className="w-80 p-3">
        {children(closeAndFocusButton)}
      </Popover>
    </>
  )
}

type Range = { readonly min: number | null; readonly max: number | null }
type AmountFieldsProps = { range: Range | undefined; onChange: (range: Range | undefined) => void }

function parseAmount(text: string): ThaiShorthandParseResult<number> {
  const entry = parseThaiMoney(text)
  return entry.ok
    ? { ok: true, value: entry.baht, echo: `${formatBaht(entry.baht)} บาท` }
    : { ok: false, message: entry.message }
}

function AmountFields({ range, onChange }: AmountFieldsProps) {
  const setSide = (side: 'min' | 'max', value: number | null) => {
    const next = { min: range?.min ?? null, max: range?.max ?? null, [side]: value }
    if (next.min === null && next.max === null) return onChange(undefined)
    const isTurned = next.min !== null && next.max !== null && next.min > next.max
    onChange(isTurned ? { min: next.max, max: next.min } : next)
  }
  const field = (side: 'min' | 'max', name: string, placeholder: string) => (
    <ThaiShorthandInputField<number>
      label={`วงเงิน${name} (บาท)`}
      placeholder={placeholder}
      displayValue={range?.[side] == null ? '' : formatCount(range[side])}
      parse={parseAmount}
      onCommit={(baht) => setSide(side, baht)}
      className="min-w-0 flex-1"
    />
  )
  return (
    <>
      <p className="mb-1 text-ink-muted">บาท เช่น 500,000 หรือ 5 ล้าน</p>
      <div className="flex items-start gap-2">
        {field('min', 'ต่ำสุด', 'ต่ำสุด')}
        {field('max', 'สูงสุด', 'สูงสุด')}
      </div>
    </>
  )
}

type BudgetFiltersProps = { search: BudgetSearch; change: ChangeBudgetSearchFn; hasWords: boolean }

export function BudgetFilters({ search, change, hasWords }: BudgetFiltersProps) {
  const { ministry, unit, category = [], amount__range: range, keyword__in: words = [], state = [] } = search
  const isFiltered = BUDGET_FILTER_PARAMS.some((name) => search[name] !== undefined)
  const choose = (patch: BudgetSearchPatch, close: () => void) => {
    change(patch)
    close()
  }
  return (
    <div className="flex flex-wrap items-start gap-2 print:hidden">
      <BudgetSearchBox inAddress={search.q ?? ''} change={change} />
      <FilterButton name="กระทรวง" chosen={ministry}>
        {(close) => <BudgetLevelList level="ministry" search={search} onChoose={(patch) => choose(patch, close)} />}
      </FilterButton>
      {ministry !== undefined && (
        <FilterButton name="หน่วยรับงบประมาณ" chosen={unit}>
          {(close) => <BudgetLevelList level="unit" search={search} onChoose={(patch) => choose(patch, close)} />}
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
      <FilterButton name="สถานะ" chosen={listText(state.map(getBudgetStateLabel))}>
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
        <Button variant="link" size="sm" onClick={() => change(CLEARED_BUDGET_FILTERS_PATCH)}>
          ล้างตัวกรอง
        </Button>
      )}
    </div>
  )
}

const listText = (values: readonly string[]) =>
  values.length === 0 ? undefined : values.length === 1 ? values[0] : `${formatCount(values.length)} ค่า`

const stateOptions = ({ states }: BudgetSummary): BudgetOption[] =>
  BUDGET_ITEM_STATES.map(({ code, th }) => ({
    value: code,
    text: th,
    count: formatCount(states[code] ?? 0),
  }))
const wordOptions = ({ words }: BudgetSummary): BudgetOption[] =>
  words.map(({ word, n }) => ({ value: word, text: word, count: formatCount(n) }))
const categoryOptions = ({ by_category, scope }: BudgetSummary): BudgetOption[] =>
  by_category.map(({ category, years }) => ({
    value: category,
    text: category,
    count: formatBudgetAmount(years.find(({ fiscal_year }) => fiscal_year === scope.fiscal_year)?.amount ?? null),
  }))

type CountedOptionsProps = {
  name: string
  search: BudgetSearch
  without: 'category' | 'keyword__in' | 'state'
  optionsOf: (summary: BudgetSummary) => BudgetOption[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function withoutFilter(search: BudgetSearch, name: CountedOptionsProps['without']): BudgetSearch {
  const { [name]: _removed, ...otherFilters } = search
  return otherFilters
}

/** Counts each option under all other filters, so that its count is the number of items that choosing it would show. */
function CountedOptions({ name, search, without, optionsOf, chosen, onChange }: CountedOptionsProps) {
  const { data, isError } = useQuery(budgetSummaryQuery(withoutFilter(search, without)))
  const options = data ? optionsOf(data) : isError ? [] : undefined
  return <BudgetOptionList name={name} options={options} chosen={chosen} onChange={onChange} />
}

type BudgetOption = { readonly value: string; readonly text: string; readonly count: string }

type OptionListProps = {
  name: string
  options: readonly BudgetOption[] | undefined
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

const SEARCH_BOX_THRESHOLD = 10

function BudgetOptionList({ name, options, chosen, onChange }: OptionListProps) {
  const [text, setText] = useState('')
  if (options === undefined) return <p className="text-ink-muted">กำลังโหลดตัวเลือก…</p>
  const knownValues = new Set(options.map(({ value }) => value))
  const allOptions = [
    ...chosen.filter((value) => !knownValues.has(value)).map((value) => ({ value, text: value, count: '' })),
    ...options,
  ]
  const query = toNormalisedSearchText(text)
  const visibleOptions =
    query === '' ? allOptions : allOptions.filter((option) => toNormalisedSearchText(option.text).includes(query))
  return (
    <fieldset>
      <legend className="sr-only">{name}</legend>
      {allOptions.length > SEARCH_BOX_THRESHOLD && (
        <TextField
          label={`หา${name}`}
          hideLabel
          icon={Search}
          placeholder={`หา${name}`}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      <div className="max-h-72 overflow-y-auto">
        {visibleOptions.length === 0 && (
          <p className="py-2 text-ink-muted">{text === '' ? 'ไม่มีตัวเลือก' : 'ไม่พบตัวเลือกนี้'}</p>
        )}
        {visibleOptions.map(({ value, text: label, count }) => (
          <Checkbox
            key={value}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((item) => item !== value))}
            trailing={count}
            className="py-0.5"
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}

type LevelListProps = {
  level: BudgetPathLevel
  search: BudgetSearch
  onChoose: (patch: BudgetSearchPatch) => void
}

/**
 * Lets the user choose one of all names of a level. The query omits the current choice, because it would leave only
 * that name.
 */
function BudgetLevelList({ level, search, onChoose }: LevelListProps) {
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
