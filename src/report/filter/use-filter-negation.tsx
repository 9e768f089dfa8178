import { useState } from 'react'
import type { ReportListParamName } from '#contract/report/report-list-filter-choices.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { FilterContext } from './filter-context.ts'

/**
 * Returns the negation of a list filter and its switch. It can be set before a value is chosen, while the URL has no
 * parameter to store it in.
 */
export function useFilterNegation(name: ReportListParamName, { search, change }: FilterContext) {
  const filter = search[name]
  const [isNegatedWhileEmpty, setNegatedWhileEmpty] = useState(false)
  const negated = filter?.negated ?? isNegatedWhileEmpty
  const setNegated = (newNegated: boolean) => {
    setNegatedWhileEmpty(newNegated)
    if (filter) change({ [name]: { ...filter, negated: newNegated } })
  }
  const negationSwitch = (filter || negated) && (
    <FilterNegationSwitch filter={findReportParam(name).th} on={negated} onChange={setNegated} />
  )
  return { negated, negationSwitch }
}

type NegationSwitchProps = {
  filter: string
  on: boolean
  onChange: (on: boolean) => void
}

function FilterNegationSwitch({ filter, on, onChange }: NegationSwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label={`${filter}: ไม่เอารายการที่เลือก`}
      onClick={() => onChange(!on)}
      className="mt-1.5 flex min-h-7 w-full items-center gap-2 rounded-control text-left text-xs touch:min-h-11"
    >
      <span
        aria-hidden
        className={classNames(
          'inline-flex h-4 w-7 shrink-0 items-center rounded-full border px-px transition-colors',
          on ? 'border-urgent-solid bg-urgent-solid forced-colors:bg-[Highlight]' : 'border-control bg-surface',
        )}
      >
        <span
          className={classNames(
            'size-3 rounded-full transition-transform',
            on ? 'translate-x-3 bg-white forced-colors:bg-[Canvas]' : 'bg-control forced-colors:bg-[ButtonText]',
          )}
        />
      </span>
      <span className={on ? 'font-medium text-urgent' : 'text-ink-muted'}>ไม่เอารายการที่เลือก</span>
    </button>
  )
}
