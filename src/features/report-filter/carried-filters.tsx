import { Link } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import { boardFilters } from '#contract/pursuit/board-filters.ts'
import { filterParamText } from '#contract/report/filter-text.ts'
import type { TeamNames } from '#contract/report/list-choices.ts'
import { activeReportFilters, printReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/api/user/users.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { Chip } from '#src/ui/chip.tsx'

type CarriedFiltersProps = {
  filters: ReportSearch
  onChange: (filters: ReportSearch | undefined) => void
  /** Undefined until the settings have come. */
  team: TeamNames | undefined
}

/** Filters that the report led to another screen with (board, calendar), each with a button that takes it away, and the way back to the table of them. */
export function CarriedFilters({ filters, onChange, team }: CarriedFiltersProps) {
  const { project_labels: labels } = useUser()
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ul aria-label="ตัวกรองจากรายงาน" className="flex min-w-0 flex-wrap items-center gap-2">
        {activeReportFilters(filters).map((name) => {
          const words = filterParamText(name, filters, labels, team)
          if (!words) return null
          const said = [words.label, words.negated && 'ไม่ใช่', words.value].filter(Boolean).join(' ')
          return (
            <li key={name} className="max-w-64">
              <Chip
                label={words.negated ? `${words.label} ไม่ใช่` : words.label}
                tone={words.negated ? 'negative' : 'accent'}
                removeLabel={`เอาตัวกรอง ${said} ออก`}
                onRemove={() => {
                  const { [name]: _gone, ...rest } = filters
                  onChange(boardFilters(rest))
                }}
              >
                {words.value}
              </Chip>
            </li>
          )
        })}
      </ul>
      <Link to="/report" search={printReportSearch(filters)} className={buttonClasses()}>
        <Table2 aria-hidden className="size-4" />
        ดูเป็นตาราง
      </Link>
    </div>
  )
}
