import type { ReactNode } from 'react'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { Chip } from '#src/ui/chip.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { groupProvincesByRegion } from './province-field.tsx'
import {
  ALL_OR_OWN_PROJECTS_LABELS,
  formatFiscalYearRange,
  getStatisticsScopeValueLabel,
  STATISTICS_SCOPE_LIST_LABELS,
  STATISTICS_SCOPE_LIST_PARAMS,
  type StatisticsScopeListParam,
  type StatisticsScopePatch,
  useKeywordGroupChoices,
} from './statistics-scope-filters.ts'

type ScopePart = { readonly name: StatisticsScopeListParam; readonly text: string; readonly of: readonly string[] }

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
  const values = STATISTICS_SCOPE_LIST_PARAMS.flatMap<ScopePart>((name) => {
    const chosen = search[name] ?? []
    if (name === 'project_province__in')
      return groupProvincesByRegion(chosen).map(({ th, provinces }) => ({ name, text: th, of: provinces }))
    return chosen.map((value) => ({ name, text: getStatisticsScopeValueLabel(name, value, groups), of: [value] }))
  })
  const count = values.length + Number(hasYears) + Number(scope === 'watch') + otherCount
  if (count === 0) return null
  return (
    <ul aria-label="ตัวกรองที่ใช้อยู่" className="flex min-w-0 flex-wrap items-center gap-2 print:hidden">
      {scope === 'watch' && (
        <RemovableChip
          text={ALL_OR_OWN_PROJECTS_LABELS.watch}
          onRemove={() => onChange({ scope: undefined, keyword_group__in: undefined })}
        />
      )}
      {hasYears && (
        <RemovableChip
          text={formatFiscalYearRange(year_from, year_to)}
          onRemove={() => onChange({ year_from: undefined, year_to: undefined })}
        />
      )}
      {values.map(({ name, text, of }) => (
        <RemovableChip
          key={`${name}=${of[0]}`}
          label={STATISTICS_SCOPE_LIST_LABELS[name]}
          text={text}
          onRemove={() => onChange({ [name]: setListValues(search[name], of, false) })}
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

export function RemovableChip({ label, text, onRemove }: { label?: string; text: string; onRemove: () => void }) {
  return (
    <li className="max-w-full">
      <Chip
        {...(label === undefined ? {} : { label })}
        removeLabel={`เอาตัวกรอง ${label === undefined ? text : `${label} ${text}`} ออก`}
        onRemove={onRemove}
      >
        {text}
      </Chip>
    </li>
  )
}
