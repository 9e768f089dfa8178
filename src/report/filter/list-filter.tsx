import { TextButton } from '#src/ui/text-button.tsx'
import { useState, type ReactNode } from 'react'
import type { Label } from '#contract/account/label.ts'
import {
  getReportListFilterChoiceLabel,
  getReportListFilterChoices,
  type ReportListParamName,
  type TeamFilterNames,
} from '#contract/report/report-list-filter-choices.ts'
import { findReportParam, type ReportFacetNames } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Checkbox, CheckboxPill } from '#src/ui/form/checkbox.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import type { FilterContext } from './filter-context.ts'
import { FilterNegationSwitch } from './filter-negation-switch.tsx'
import {
  buildListFilterOptions,
  type ListFilterOption,
  takeShortList,
  toggleFilterValues,
} from './list-filter-options.ts'

const MAX_UNFOLDED_OPTIONS = 8

export type CountedListParamName = Extract<ReportListParamName, ReportFacetNames['options']>

type ListFilterProps = { name: CountedListParamName; context: FilterContext; team?: TeamFilterNames }

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
    <fieldset className="min-w-0">
      <legend className="sr-only">{title}</legend>
      <div className={panel?.isInline ? 'flex flex-wrap gap-1.5' : undefined}>
        {visibleOptions.map((option) => (
          <Option
            key={option.code}
            option={option}
            label={isLabels ? labels.find(({ id }) => id === option.code) : undefined}
            hasCounts={facets !== undefined}
            isInline={panel?.isInline === true}
            onChange={(on) => change({ [name]: toggleFilterValues(filter, [option.code], on, negated) })}
          />
        ))}
      </div>
      {visibleOptions.length < options.length && (
        <ShowMoreButton onClick={() => setShowsAll(true)}>
          แสดงอีก {options.length - visibleOptions.length} รายการ
          {panel?.shortList === undefined && 'ที่ไม่มีโครงการ'}
        </ShowMoreButton>
      )}
      {isLabels && onManageLabels && labels.length > 0 && (
        <TextButton onClick={onManageLabels} className="mt-1 block text-xs">
          จัดการป้าย
        </TextButton>
      )}
      {(filter || negated) && <FilterNegationSwitch filter={title} on={negated} onChange={setNegated} />}
    </fieldset>
  )
}

function Option({
  option,
  label,
  hasCounts,
  isInline,
  onChange,
}: {
  option: ListFilterOption
  label: Label | undefined
  hasCounts: boolean
  isInline: boolean
  onChange: (on: boolean) => void
}) {
  const empty = hasCounts && option.count === 0
  if (isInline) {
    return (
      <CheckboxPill
        checked={option.selected}
        onChange={onChange}
        trailing={hasCounts ? formatCount(option.count) : undefined}
      >
        {option.th}
      </CheckboxPill>
    )
  }
  return (
    <Checkbox
      checked={option.selected}
      onChange={onChange}
      trailing={hasCounts ? formatCount(option.count) : ''}
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

function ShowMoreButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <TextButton onClick={onClick} className="mt-1 text-xs">
      {children}
    </TextButton>
  )
}
