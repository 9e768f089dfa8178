import type { ReactNode } from 'react'
import type { StatisticsScopeSearch } from '#contract/market/company-params.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { Chip } from '#src/ui/chip.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import {
  ALL_OR_OWN_PROJECTS_LABELS,
  formatFiscalYearRange,
  type StatisticsScopePatch,
  useStatisticsScopeTexts,
} from './statistics-scope-filters.ts'

type ActiveFilterChipProps = { label?: string | undefined; text: string; onRemove: () => void }

export function ActiveFilterChip({ label, text, onRemove }: ActiveFilterChipProps) {
  const name = label === undefined ? text : `${label} ${text}`
  return (
    <li className="max-w-full">
      <Chip label={label} removeLabel={`เอาตัวกรอง ${name} ออก`} onRemove={onRemove}>
        {text}
      </Chip>
    </li>
  )
}

type ScopeChipsProps = {
  search: StatisticsScopeSearch
  onChange: (change: StatisticsScopePatch) => void
  children?: ReactNode
  onClear?: () => void
  otherCount?: number
}

export function StatisticsScopeChips({ search, onChange, children, onClear, otherCount = 0 }: ScopeChipsProps) {
  const { scope, year_from, year_to } = search
  const hasYears = year_from !== undefined || year_to !== undefined
  const parts = useStatisticsScopeTexts(search)
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
      {parts.map(({ name, label, text, values }) => (
        <ActiveFilterChip
          key={`${name}=${values[0]}`}
          label={label}
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
