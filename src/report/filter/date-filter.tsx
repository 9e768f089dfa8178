import { CalendarRange } from 'lucide-react'
import { useState } from 'react'
import { findReportParam } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Checkbox, CheckboxPill } from '#src/ui/form/checkbox.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { DateRangeFields } from './date-range-fields.tsx'
import { buildDateRangePresets, type ReportDateParam, type ReportDateRangePreset } from './date-range-presets.ts'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'

export function DateFilter({ name, context }: { name: ReportDateParam; context: FilterContext }) {
  const { search, change, facets, today } = context
  const range = search[name]
  const { first: primary, more } = buildDateRangePresets(name, today)
  const value = range && `${range.from ?? ''},${range.to ?? ''}`
  const [isOpenedByUser, setOpened] = useState<boolean | undefined>(undefined)
  const isOpen = isOpenedByUser ?? (range !== undefined && !primary.some((preset) => preset.value === value))
  const { th: title, panel } = findReportParam(name)
  const options = facets?.dates[name]
  const counts = new Map(options?.map((option) => [option.value, option.count]))

  const boxProps = (preset: ReportDateRangePreset) => ({
    checked: preset.value === value,
    onChange: (on: boolean) => change({ [name]: on ? preset.range : undefined }),
    trailing: options ? formatPresetCount(preset, counts) : '',
  })
  const option = (preset: ReportDateRangePreset) => (
    <Checkbox key={preset.value} {...boxProps(preset)}>
      {preset.th}
    </Checkbox>
  )
  return (
    <FilterFieldset title={title}>
      {panel?.isInline ? (
        <div className="flex flex-wrap gap-1.5">
          {primary.map((preset) => (
            <CheckboxPill key={preset.value} {...boxProps(preset)}>
              <span className="sr-only">ภายใน </span>
              {preset.th.replace(/^ภายใน /, '')}
            </CheckboxPill>
          ))}
        </div>
      ) : (
        primary.map(option)
      )}
      <TextButton aria-expanded={isOpen} onClick={() => setOpened(!isOpen)} className="mt-1 flex items-center gap-2.5">
        <CalendarRange aria-hidden className="size-4" />
        กำหนดเอง
      </TextButton>
      {isOpen && (
        <div className="mt-2">
          <DateRangeFields name={name} range={range} context={context} />
          <p className="mt-3 mb-1 text-xs text-ink-faint">ช่วงอื่น</p>
          {more.map(option)}
        </div>
      )}
    </FilterFieldset>
  )
}

/**
 * Returns the count of a preset. A preset that is never counted (the fiscal year) has none; a preset missing from the
 * counts has 0 projects.
 */
function formatPresetCount(preset: ReportDateRangePreset, counts: ReadonlyMap<string, number>): string {
  if (!preset.value.startsWith('@')) return ''
  return formatCount(counts.get(preset.value) ?? 0)
}
