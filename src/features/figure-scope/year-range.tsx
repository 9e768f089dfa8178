import { useId } from 'react'
import type { FigureScopeSearch } from '#contract/company/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { FigureScopeChange } from './scope-change.ts'

type YearRangeProps = {
  search: FigureScopeSearch
  /** Fiscal years that have data, newest first. */
  years: readonly number[]
  onChange: (change: FigureScopeChange) => void
  className?: string
}

/** First and last fiscal year. A first year after the last one takes the last along, and the other way round. */
export function YearRange({ search: { year_from: from, year_to: to }, years, onChange, className }: YearRangeProps) {
  const id = useId()
  // A year of the address that has no data is still the year that the figures are about.
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
      <YearSelect id={`${id}-from`} label="ตั้งแต่ปีงบประมาณ" open="ปีแรก" value={from} years={offered} onPick={setFrom} />
      <span aria-hidden className="text-ink-faint">
        –
      </span>
      <YearSelect id={`${id}-to`} label="ถึงปีงบประมาณ" open="ล่าสุด" value={to} years={offered} onPick={setTo} />
    </div>
  )
}

type YearSelectProps = {
  id: string
  label: string
  /** Words for no limit on this side. */
  open: string
  value: number | undefined
  years: readonly number[]
  onPick: (year: number | undefined) => void
}

function YearSelect({ id, label, open, value, years, onPick }: YearSelectProps) {
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value ?? ''}
        onChange={(event) => onPick(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))}
        className="h-9 min-w-0 flex-1 rounded-control border border-control bg-surface px-1.5 text-ink tabular-nums touch:h-11 touch:text-lg"
      >
        <option value="">{open}</option>
        {years.map((year) => (
          <option key={year} value={year}>
            {year}
          </option>
        ))}
      </select>
    </>
  )
}
