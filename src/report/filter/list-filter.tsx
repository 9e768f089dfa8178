import { useState } from 'react'
import {
  getReportListFilterChoiceLabel,
  getReportListFilterChoices,
  type ReportListParamName,
  type TeamFilterNames,
} from '#contract/report/report-list-filter-choices.ts'
import { findReportParam, type ReportFacetNames } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { openLabelManager } from '#src/report/labels/label-panel.tsx'
import { Checkbox, CheckboxPill } from '#src/ui/form/checkbox.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterFieldset } from './filter-fieldset.tsx'
import { buildListFilterOptions, takeShortList } from './list-filter-options.ts'
import { useListFilter } from './use-list-filter.tsx'

const MAX_UNFOLDED_OPTIONS = 8

export type CountedListParamName = Extract<ReportListParamName, ReportFacetNames['options']>

type ListFilterProps = { name: CountedListParamName; context: FilterContext; team?: TeamFilterNames }

export function ListFilter({ name, context, team }: ListFilterProps) {
  const { search, facets, labels } = context
  const { toggle, negationSwitch } = useListFilter(name, context)
  const [showsAll, setShowsAll] = useState(false)
  const options = buildListFilterOptions(
    getReportListFilterChoices(name, labels, team),
    facets?.options[name],
    search[name],
    (code) => getReportListFilterChoiceLabel(name, code, labels, team),
  )
  const { th: title, panel } = findReportParam(name)
  const folds = facets !== undefined && options.length > MAX_UNFOLDED_OPTIONS
  const visibleOptions = showsAll
    ? options
    : panel?.shortList !== undefined
      ? takeShortList(options, panel.shortList)
      : folds
        ? options.filter(({ count, selected }) => count > 0 || selected)
        : options
  const isLabels = name === 'project_label__in'

  return (
    <FilterFieldset title={title}>
      <div className={panel?.isInline ? 'flex flex-wrap gap-1.5' : undefined}>
        {visibleOptions.map(({ code, th, count, selected }) => {
          const label = isLabels ? labels.find(({ id }) => id === code) : undefined
          const box = {
            checked: selected,
            onChange: (on: boolean) => toggle([code], on),
            trailing: facets ? formatCount(count) : '',
          }
          return panel?.isInline ? (
            <CheckboxPill key={code} {...box}>
              {th}
            </CheckboxPill>
          ) : (
            <Checkbox key={code} {...box} className={facets && count === 0 ? 'text-ink-faint' : ''}>
              {label ? <LabelChip label={label} className="max-w-full align-middle" /> : th}
            </Checkbox>
          )
        })}
      </div>
      {visibleOptions.length < options.length && (
        <TextButton onClick={() => setShowsAll(true)} className="mt-1 text-xs">
          แสดงอีก {options.length - visibleOptions.length} รายการ
          {panel?.shortList === undefined && 'ที่ไม่มีโครงการ'}
        </TextButton>
      )}
      {isLabels && labels.length > 0 && (
        <TextButton onClick={openLabelManager} className="mt-1 block text-xs">
          จัดการป้าย
        </TextButton>
      )}
      {negationSwitch}
    </FilterFieldset>
  )
}
