import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { SearchPatch } from '#src/lib/typed-search.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'

type YearRange = Pick<StatisticsScopeSearch, 'year_from' | 'year_to'>

type YearRangeProps = {
  search: YearRange
  years: readonly number[]
  onChange: (change: SearchPatch<YearRange>) => void
  className?: string | undefined
}

const NO_LIMIT = 0

export function FiscalYearRangeFields({ search, years, onChange, className }: YearRangeProps) {
  // Include a selected year even without data, because the figures still cover it.
  const selected = [search.year_from, search.year_to].filter((year) => year !== undefined)
  const offered = [...new Set([...years, ...selected])].sort((a, b) => b - a)
  const field = (name: keyof YearRange, label: string, open: string) => (
    <Listbox<number>
      label={label}
      value={search[name] ?? NO_LIMIT}
      options={[{ value: NO_LIMIT, th: open }, ...offered.map((year) => ({ value: year, th: String(year) }))]}
      onChange={(value) => {
        const year = value === NO_LIMIT ? undefined : value
        const next: SearchPatch<YearRange> = { ...search, [name]: year }
        const { year_from: from, year_to: to } = next
        const isTurned = from !== undefined && to !== undefined && from > to
        onChange(isTurned ? { year_from: year, year_to: year } : { [name]: year })
      }}
      className="h-9 min-w-19 flex-1 tabular-nums touch:h-11 touch:text-lg"
    />
  )
  return (
    <div className={classNames('inline-flex items-center gap-1.5', className)}>
      <span aria-hidden className="whitespace-nowrap text-ink-muted">
        ปีงบ
      </span>
      {field('year_from', 'ตั้งแต่ปีงบประมาณ', 'ปีแรก')}
      <span aria-hidden className="text-ink-faint">
        –
      </span>
      {field('year_to', 'ถึงปีงบประมาณ', 'ล่าสุด')}
    </div>
  )
}
