import { Link } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import { getActiveReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { FilterChip } from './active-filters.tsx'

type CarriedFiltersProps = {
  filters: ReportSearch
  onChange: (filters: ReportSearch | undefined) => void
  team: TeamFilterNames | undefined
}

export function FiltersFromReport({ filters, onChange, team }: CarriedFiltersProps) {
  const { project_labels: labels } = useUser()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label="ตัวกรองจากรายงาน" className="flex min-w-0 flex-wrap items-center gap-2">
        {getActiveReportFilters(filters).map((name) => (
          <FilterChip
            key={name}
            name={name}
            search={filters}
            labels={labels}
            team={team}
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
