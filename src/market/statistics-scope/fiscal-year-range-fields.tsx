import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import type { StatisticsScopePatch } from './statistics-scope-filters.ts'

type YearRangeProps = {
  search: StatisticsScopeSearch
  years: readonly number[]
  onChange: (change: StatisticsScopePatch) => void
  className?: string
}

export function FiscalYearRangeFields({
  search: { year_from: from, year_to: to },
  years,
  onChange,
  className,
}: YearRangeProps) {
  // Include a selected year even without data, because the figures still cover it.
  const offered = [...new Set([...years, ...[from, to].filter((year) => year !== undefined)])].sort((a, b) => b - a)
  const setFrom = (year: number | undefined) =>
    onChange({ year_from: year, ...(year !== undefined && to !== undefined && to < year ? { year_to: year } : {}) })
  const setTo = (year: number | undefined) =>
    onChange({ year_to: year, ...(year !== undefined && from !== undefined && from > year ? { year_from: year } : {}) })
  return (
    <div className={classNames('inline-flex items-center gap-1.5', className)}>
      <span aria-hidden className="whitespace-nowrap text-ink-muted">
        ปีงบ
      </span>
      <YearSelect label="ตั้งแต่ปีงบประมาณ" open="ปีแรก" value={from} years={offered} onPick={setFrom} />
      <span aria-hidden className="text-ink-faint">
        –
      </span>
      <YearSelect label="ถึงปีงบประมาณ" open="ล่าสุด" value={to} years={offered} onPick={setTo} />
    </div>
  )
}

const NO_LIMIT = 0

type YearSelectProps = {
  label: string
  open: string
  value: number | undefined
  years: readonly number[]
  onPick: (year: number | undefined) => void
}

function YearSelect({ label, open, value, years, onPick }: YearSelectProps) {
  return (
    <Listbox<number>
      label={label}
      value={value ?? NO_LIMIT}
      options={[{ value: NO_LIMIT, th: open }, ...years.map((year) => ({ value: year, th: String(year) }))]}
      onChange={(year) => onPick(year === NO_LIMIT ? undefined : year)}
      className="h-9 min-w-19 flex-1 tabular-nums touch:h-11 touch:text-lg"
    />
  )
}
