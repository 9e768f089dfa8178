import type { ReactNode } from 'react'
import type { ReportPageResponse } from '#contract/report/report.ts'
import type { ReportParamName } from '#contract/report/report-params.ts'
import { listFiltersExceptBidStateSegment } from '#src/lib/bid-segment.ts'
import { ActiveFilters } from '#src/report/filter/active-filters.tsx'
import type { SearchParam } from '#src/report/search/search-field.ts'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { FilterSheet } from './filter/filter-sheet.tsx'
import { type ReportFilterContextBase, useReportFacets } from './filter/report-facets.tsx'
import { ReportSortSelect } from './filter/report-sort-select.tsx'
import { ReportSources } from './filter/report-sources.tsx'
import { ReportCounters, type ReportCountersProps } from './states/report-counters.tsx'

type ReportToolbarProps = {
  page: ReportPageResponse | undefined
  total: number | null
  context: ReportFilterContextBase
  isWide: boolean
  isTable: boolean
  /** False while the filter panel is open, because it offers the same filters. */
  hasCounters: boolean
  searchBox: ReactNode
  queue: ReactNode
  selection: ReportSelection
  field: SearchParam
  onFieldChange: (name: SearchParam) => void
  onClear: () => void
}

export function ReportToolbar({
  page,
  total,
  context,
  isWide,
  isTable,
  hasCounters,
  searchBox,
  queue,
  selection,
  field,
  onFieldChange,
  onClear,
}: ReportToolbarProps) {
  const { search, change } = context
  // The search box edits one filter, and the view of ending contracts shows its period itself, so omit their chips.
  const shownElsewhere: readonly ReportParamName[] = search.view === 'contract_ends' ? [field, 'ends_within'] : [field]
  const hasChips = listFiltersExceptBidStateSegment(search).some((name) => !shownElsewhere.includes(name))
  const hasSort = !isTable && search.view === undefined
  const hasRow = hasChips || hasCounters || hasSort
  if (isWide && !hasRow && !searchBox) return <div className="h-2" />
  return (
    <div className="relative z-20 flex items-center gap-x-2 gap-y-1 max-md:flex-wrap max-md:pb-2 md:h-[46px] touch:md:h-14 print:hidden">
      {searchBox}
      {!isWide && (
        <FilterSheet
          context={context}
          foot={<ReportSources excludedCount={page?.counts.hidden} />}
          total={total}
          onClear={onClear}
          selection={isTable ? undefined : selection}
        />
      )}
      {hasRow && (
        <div className="relative flex min-w-0 flex-1 items-center gap-2 max-md:-mx-4 max-md:min-h-9 max-md:basis-full max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none] touch:max-md:min-h-11">
          {hasChips && (
            <ActiveFilters
              search={search}
              change={change}
              except={shownElsewhere}
              onEdit={onFieldChange}
              onClear={isWide && !hasCounters && search.view === undefined ? undefined : onClear}
            />
          )}
          {page && hasCounters && (
            <CountedCounters page={page} search={search} change={change}>
              {queue}
            </CountedCounters>
          )}
          {hasSort && <ReportSortSelect search={search} change={change} className="shrink-0" />}
        </div>
      )}
    </div>
  )
}

function CountedCounters(props: Omit<ReportCountersProps, 'facets'>) {
  return <ReportCounters {...props} facets={useReportFacets()} />
}
