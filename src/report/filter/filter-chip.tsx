import type { Label } from '#contract/account/label.ts'
import { formatFilterParam } from '#contract/report/filter-text.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Chip } from '#src/ui/chip.tsx'

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
