import type { Label } from '#contract/account/label.ts'
import { formatFilterParam, usesTeamFilterNames } from '#contract/report/filter-text.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { useUser } from '#src/account/api/users.ts'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { SEARCH_PARAMS, type SearchParam } from '#src/report/search/search-field.ts'
import { Chip } from '#src/ui/chip.tsx'
import { TextButton } from '#src/ui/text-button.tsx'

type ActiveFiltersProps = {
  search: ReportSearch
  change: ChangeReportSearchFn
  except: readonly ReportParamName[]
  /** Moves a search in another field back into the search box. */
  onEdit: (name: SearchParam) => void
  /** Undefined if the filter panel next to the chips has the button that clears all filters. */
  onClear: (() => void) | undefined
}

export function ActiveFilters({ search, change, except, onEdit, onClear }: ActiveFiltersProps) {
  const { project_labels: labels } = useUser()
  const { data: team } = usePursuitSettings(usesTeamFilterNames(search))
  const names = listFiltersExceptBidStateSegment(search)
  const visibleNames = names.filter((name) => !except.includes(name))
  if (visibleNames.length === 0) return null
  return (
    <ul
      aria-label="ตัวกรองที่ใช้อยู่"
      className="relative flex min-w-0 items-center gap-2 max-md:order-last max-md:shrink-0 md:overflow-x-auto md:border-r md:border-line md:pr-2 md:[scrollbar-width:none]"
    >
      {visibleNames.map((name) => {
        const searchParam = SEARCH_PARAMS.find((param) => param === name)
        return (
          <FilterChip
            key={name}
            name={name}
            search={search}
            labels={labels}
            team={team}
            onRemove={() => change({ [name]: undefined })}
            onPress={searchParam && (() => onEdit(searchParam))}
            className="shrink-0"
          />
        )
      })}
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

type FilterChipProps = {
  name: ReportParamName
  search: ReportSearch
  labels: readonly Label[]
  team: TeamFilterNames | undefined
  onRemove: () => void
  onPress?: (() => void) | undefined
  className?: string
}

export function FilterChip({ name, search, labels, team, onRemove, onPress, className }: FilterChipProps) {
  const words = formatFilterParam(name, search, labels, team)
  if (!words) return null
  const description = [words.label, words.negated && 'ไม่ใช่', words.value].filter(Boolean).join(' ')
  return (
    <li className={classNames('max-w-64', className)}>
      <Chip
        label={words.negated ? `${words.label} ไม่ใช่` : words.label}
        tone={words.negated ? 'negative' : 'accent'}
        removeLabel={`เอาตัวกรอง ${description} ออก`}
        onRemove={onRemove}
        {...(onPress ? { onPress } : {})}
      >
        {words.value}
      </Chip>
    </li>
  )
}
