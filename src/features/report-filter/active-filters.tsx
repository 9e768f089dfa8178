import { filterParamText, namesTeam } from '#contract/report/filter-text.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import type { Label } from '#contract/user/label.ts'
import { useTeam } from '#src/api/pursuit/pursuit-settings.ts'
import { filtersBesideSegment } from '#src/lib/bid-segment.ts'
import { Chip } from '#src/ui/chip.tsx'

type ActiveFiltersProps = {
  search: ReportSearch
  labels: readonly Label[]
  /** Parameters shown elsewhere, such as the words in the search box. */
  except: readonly ReportParamName[]
  onRemove: (name: ReportParamName) => void
  /** For filters that the search box can show: brings them there. */
  onEdit: (name: ReportParamName) => void
  editable: readonly ReportParamName[]
  onClear: () => void
}

/** The filters in force, in words, each with a button that takes it away. */
export function ActiveFilters({ search, labels, except, onRemove, onEdit, editable, onClear }: ActiveFiltersProps) {
  const { data: team } = useTeam(namesTeam(search))
  const names = filtersBesideSegment(search)
  const shown = names.filter((name) => !except.includes(name))
  if (shown.length === 0) return null
  return (
    <ul
      aria-label="ตัวกรองที่ใช้อยู่"
      className="relative flex min-w-0 items-center gap-2 max-md:order-last max-md:shrink-0 md:overflow-x-auto md:border-r md:border-line md:pr-2 md:[scrollbar-width:none]"
    >
      {shown.map((name) => {
        const words = filterParamText(name, search, labels, team)
        if (!words) return null
        const said = [words.label, words.negated && 'ไม่ใช่', words.value].filter(Boolean).join(' ')
        return (
          <li key={name} className="max-w-64 shrink-0">
            <Chip
              label={words.negated ? `${words.label} ไม่ใช่` : words.label}
              tone={words.negated ? 'negative' : 'accent'}
              removeLabel={`เอาตัวกรอง ${said} ออก`}
              onRemove={() => onRemove(name)}
              {...(editable.includes(name) ? { onPress: () => onEdit(name) } : {})}
            >
              {words.value}
            </Chip>
          </li>
        )
      })}
      {names.length > 1 && (
        <li className="shrink-0">
          <button
            type="button"
            onClick={onClear}
            className="min-h-7 rounded-control px-1 text-sm whitespace-nowrap text-accent-ink hover:underline touch:min-h-11"
          >
            ล้างทั้งหมด
          </button>
        </li>
      )}
    </ul>
  )
}
