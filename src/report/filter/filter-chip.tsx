import type { Label } from '#contract/account/label.ts'
import { filterParamText } from '#contract/report/filter-text.ts'
import type { TeamNames } from '#contract/report/list-choices.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Chip } from '#src/ui/chip.tsx'

type FilterChipProps = {
  name: ReportParamName
  search: ReportSearch
  labels: readonly Label[]
  /** Undefined until the settings have loaded. */
  team: TeamNames | undefined
  onRemove: () => void
  /** Click on the text; without it the text is not a button. */
  onPress?: (() => void) | undefined
  className?: string
}

/**
 * An active filter as a list item with a remove button. Renders nothing for parameters without a description, such as
 * the page number.
 */
export function FilterChip({ name, search, labels, team, onRemove, onPress, className }: FilterChipProps) {
  const words = filterParamText(name, search, labels, team)
  if (!words) return null
  const said = [words.label, words.negated && 'ไม่ใช่', words.value].filter(Boolean).join(' ')
  return (
    <li className={classNames('max-w-64', className)}>
      <Chip
        label={words.negated ? `${words.label} ไม่ใช่` : words.label}
        tone={words.negated ? 'negative' : 'accent'}
        removeLabel={`เอาตัวกรอง ${said} ออก`}
        onRemove={onRemove}
        {...(onPress ? { onPress } : {})}
      >
        {words.value}
      </Chip>
    </li>
  )
}
