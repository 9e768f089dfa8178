import { useState } from 'react'
import type { Label } from '#contract/account/label.ts'
import {
  getReportListFilterChoiceLabel,
  getReportListFilterChoices,
  type ReportListParamName,
  type TeamFilterNames,
} from '#contract/report/report-list-filter-choices.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterNegationSwitch } from './filter-negation-switch.tsx'
import { buildListFilterOptions, type ListFilterOption, toggleFilterValues } from './list-filter-options.ts'

const MAX_UNFOLDED_OPTIONS = 8

type ListFilterProps = { name: ReportListParamName; context: FilterContext; team?: TeamFilterNames }

export function ListFilter({ name, context, team }: ListFilterProps) {
  const { search, change, facets, labels, onManageLabels } = context
  const filter = search[name]
  const { negated, setNegated } = useFilterNegation(filter?.negated, (negated) => {
    if (filter) change({ [name]: { ...filter, negated } })
  })
  const [showsAll, setShowsAll] = useState(false)
  const options = buildListFilterOptions(
    getReportListFilterChoices(name, labels, team),
    facets?.options[name],
    filter,
    (code) => getReportListFilterChoiceLabel(name, code, labels, team),
  )
  const folds = facets !== undefined && options.length > MAX_UNFOLDED_OPTIONS && !showsAll
  const visibleOptions = folds ? options.filter(({ count, selected }) => count > 0 || selected) : options
  const title = findReportParam(name).th
  const isLabels = name === 'project_label__in'

  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      {visibleOptions.map((option) => (
        <Option
          key={option.code}
          option={option}
          label={isLabels ? labels.find(({ id }) => id === option.code) : undefined}
          hasCounts={facets !== undefined}
          onChange={(on) => change({ [name]: toggleFilterValues(filter, [option.code], on, negated) })}
        />
      ))}
      {folds && visibleOptions.length < options.length && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="mt-1 min-h-6 rounded-control text-xs text-accent-ink hover:underline touch:min-h-11"
        >
          แสดงอีก {options.length - visibleOptions.length} รายการที่ไม่มีโครงการ
        </button>
      )}
      {isLabels && onManageLabels && labels.length > 0 && (
        <button
          type="button"
          onClick={onManageLabels}
          className="mt-1 block min-h-6 rounded-control text-xs text-accent-ink hover:underline touch:min-h-11"
        >
          จัดการป้าย
        </button>
      )}
      {(filter || negated) && <FilterNegationSwitch filter={title} on={negated} onChange={setNegated} />}
    </fieldset>
  )
}

function Option({
  option,
  label,
  hasCounts,
  onChange,
}: {
  option: ListFilterOption
  label: Label | undefined
  hasCounts: boolean
  onChange: (on: boolean) => void
}) {
  const empty = hasCounts && option.count === 0
  return (
    <Checkbox
      checked={option.selected}
      onChange={onChange}
      trailing={hasCounts ? formatCountWithSeparators(option.count) : ''}
      className={empty ? 'text-ink-faint' : ''}
    >
      {label ? <LabelChip label={label} className="max-w-full align-middle" /> : option.th}
    </Checkbox>
  )
}

/**
 * Stores the negation of a filter. It can be set before a value is chosen, while the URL has no parameter to store it
 * in.
 */
export function useFilterNegation(inAddress: boolean | undefined, onChange: (negated: boolean) => void) {
  const [wish, setWish] = useState(false)
  return {
    negated: inAddress ?? wish,
    setNegated: (negated: boolean) => {
      setWish(negated)
      onChange(negated)
    },
  }
}
