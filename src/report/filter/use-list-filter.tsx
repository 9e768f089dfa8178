import { useState } from 'react'
import type { ReportListParamName } from '#contract/report/report-list-filter-choices.ts'
import { findReportParam } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { FilterContext } from './filter-context.ts'
import { toggleFilterValues } from './list-filter-options.ts'

/** The negation can be set before a value is chosen, while the URL has no parameter to store it in. */
export function useListFilter(name: ReportListParamName, { search, change }: FilterContext) {
  const filter = search[name]
  const [isNegatedWhileEmpty, setNegatedWhileEmpty] = useState(false)
  const negated = filter?.negated ?? isNegatedWhileEmpty
  const setNegated = (newNegated: boolean) => {
    setNegatedWhileEmpty(newNegated)
    if (filter) change({ [name]: { ...filter, negated: newNegated } })
  }
  const negationSwitch = (filter || negated) && (
    <button
      type="button"
      role="switch"
      aria-checked={negated}
      aria-label={`${findReportParam(name).th}: ไม่เอารายการที่เลือก`}
      onClick={() => setNegated(!negated)}
      className="mt-1.5 flex min-h-7 w-full items-center gap-2 rounded-control text-left text-xs touch:min-h-11"
    >
      <span
        aria-hidden
        className={classNames(
          'inline-flex h-4 w-7 shrink-0 items-center rounded-full border px-px transition-colors',
          negated ? 'border-urgent-solid bg-urgent-solid forced-colors:bg-[Highlight]' : 'border-control bg-surface',
        )}
      >
        <span
          className={classNames(
            'size-3 rounded-full transition-transform',
            negated ? 'translate-x-3 bg-white forced-colors:bg-[Canvas]' : 'bg-control forced-colors:bg-[ButtonText]',
          )}
        />
      </span>
      <span className={negated ? 'font-medium text-urgent' : 'text-ink-muted'}>ไม่เอารายการที่เลือก</span>
    </button>
  )
  const toggle = (values: readonly string[], on: boolean) =>
    change({ [name]: toggleFilterValues(filter, values, on, negated) })
  return { selected: filter?.values ?? [], toggle, negationSwitch }
}
