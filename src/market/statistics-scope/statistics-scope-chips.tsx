import type { ReactNode } from 'react'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { ActiveFilterChip } from './active-filter-chip.tsx'
import {
  ALL_OR_OWN_PROJECTS_LABELS,
  formatFiscalYearRange,
  listStatisticsScopeTexts,
  SCOPE_LIST_FILTER_LABELS,
  SCOPE_LIST_FILTER_NAMES,
  type StatisticsScopePatch,
  useKeywordGroupChoices,
} from './statistics-scope-filters.ts'

type ScopeChipsProps = {
  search: StatisticsScopeSearch
  onChange: (change: StatisticsScopePatch) => void
  children?: ReactNode
  onClear?: () => void
  otherCount?: number
}

export function StatisticsScopeChips({ search, onChange, children, onClear, otherCount = 0 }: ScopeChipsProps) {
  const { scope, year_from, year_to } = search
  const groups = useKeywordGroupChoices()
  const hasYears = year_from !== undefined || year_to !== undefined
  const parts = SCOPE_LIST_FILTER_NAMES.flatMap((name) =>
    listStatisticsScopeTexts(name, search, groups).map((part) => ({ name, ...part })),
  )
  const count = parts.length + Number(hasYears) + Number(scope === 'watch') + otherCount
  if (count === 0) return null
  return (
    <ul aria-label="ตัวกรองที่ใช้อยู่" className="flex min-w-0 flex-wrap items-center gap-2 print:hidden">
      {scope === 'watch' && (
        <ActiveFilterChip
          text={ALL_OR_OWN_PROJECTS_LABELS.watch}
          onRemove={() => onChange({ scope: undefined, keyword_group__in: undefined })}
        />
      )}
      {hasYears && (
        <ActiveFilterChip
          text={formatFiscalYearRange(year_from, year_to)}
          onRemove={() => onChange({ year_from: undefined, year_to: undefined })}
        />
      )}
      {parts.map(({ name, text, values }) => (
        <ActiveFilterChip
          key={`${name}=${values[0]}`}
          label={SCOPE_LIST_FILTER_LABELS[name]}
          text={text}
          onRemove={() => onChange({ [name]: setListValues(search[name], values, false) })}
        />
      ))}
      {children}
      {onClear && count > 1 && (
        <li>
          <TextButton onClick={onClear} className="min-h-7 px-1 text-sm">
            ล้างทั้งหมด
          </TextButton>
        </li>
      )}
    </ul>
  )
}
