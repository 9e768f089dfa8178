import { Link } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import { getActiveReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { FilterChip } from './active-filters.tsx'
import { useFilterTexts } from './use-filter-texts.ts'

type CarriedFiltersProps = {
  filters: ReportSearch
  onChange: (filters: ReportSearch | undefined) => void
}

export function FiltersFromReport({ filters, onChange }: CarriedFiltersProps) {
  const { textOf } = useFilterTexts(filters)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label="ตัวกรองจากรายงาน" className="flex min-w-0 flex-wrap items-center gap-2">
        {getActiveReportFilters(filters).map((name) => (
          <FilterChip
            key={name}
            text={textOf(name)}
            onRemove={() => {
              const { [name]: _removed, ...remaining } = filters
              onChange(getBoardFilters(remaining))
            }}
          />
        ))}
      </ul>
      <Link to="/report" search={filters} className={getButtonClasses()}>
        <Table2 aria-hidden className="size-4" />
        ดูเป็นตาราง
      </Link>
    </div>
  )
}
