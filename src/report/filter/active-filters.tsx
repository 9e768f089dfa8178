import { TextButton } from '#src/ui/text-button.tsx'
import type { Label } from '#contract/account/label.ts'
import { usesTeamFilterNames } from '#contract/report/filter-text.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { FilterChip } from './filter-chip.tsx'

type ActiveFiltersProps = {
  search: ReportSearch
  labels: readonly Label[]
  except: readonly ReportParamName[]
  onRemove: (name: ReportParamName) => void
  onEdit: (name: ReportParamName) => void
  editable: readonly ReportParamName[]
  /** Undefined if the filter panel next to the chips has the button that clears all filters. */
  onClear: (() => void) | undefined
}

export function ActiveFilters({ search, labels, except, onRemove, onEdit, editable, onClear }: ActiveFiltersProps) {
  const { data: team } = usePursuitSettings(usesTeamFilterNames(search))
  const names = listFiltersExceptBidStateSegment(search)
  const visibleNames = names.filter((name) => !except.includes(name))
  if (visibleNames.length === 0) return null
  return (
    <ul
      aria-label="ตัวกรองที่ใช้อยู่"
      className="relative flex min-w-0 items-center gap-2 max-md:order-last max-md:shrink-0 md:overflow-x-auto md:border-r md:border-line md:pr-2 md:[scrollbar-width:none]"
    >
      {visibleNames.map((name) => (
        <FilterChip
          key={name}
          name={name}
          search={search}
          labels={labels}
          team={team}
          onRemove={() => onRemove(name)}
          onPress={editable.includes(name) ? () => onEdit(name) : undefined}
          className="shrink-0"
        />
      ))}
      {names.length > 1 && onClear && (
        <li className="shrink-0">
          <TextButton onClick={onClear} className="min-h-7 px-1 text-sm whitespace-nowrap">
            ล้างทั้งหมด
          </TextButton>
        </li>
      )}
    </ul>
  )
}
