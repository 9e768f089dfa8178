import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportPageResponse } from '#contract/report/report.ts'
import type { ReportParamName, ReportSearch } from '#contract/report/report-params.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { ActiveFilters } from '#src/report/filter/active-filters.tsx'
import { SEARCH_PARAMS, type SearchParam } from '#src/report/search/search-field.ts'
import { ReportSearchRow } from '#src/report/search/search-row.tsx'
import type { ReportSelection } from '#src/report/selection/use-report-selection.ts'
import { FilterSheet } from './filter/filter-sheet.tsx'
import { type ReportFilterContextBase, useReportFacets } from './filter/report-facets.tsx'
import { MorningQueueStartButton } from './queue/morning-queue-start-button.tsx'
import { ReportCounters, type ReportCountersProps } from './states/report-counters.tsx'
import { DisplayDensitySwitch } from './table/density-switch.tsx'

export const LazyMorningQueueScreen = lazyComponent(
  () => import('./queue/morning-queue-screen.tsx'),
  'MorningQueueScreen',
)

type ReportBandProps = {
  page: ReportPageResponse | undefined
  isOld: boolean
  packaged: ReportSearch
  context: ReportFilterContextBase
  filters: readonly ReportParamName[]
  isWide: boolean
  isTable: boolean
  sort: ReactNode
  selection: Pick<ReportSelection, 'isSelecting' | 'setSelecting' | 'clear'>
  field: SearchParam
  onFieldChange: (name: SearchParam) => void
  onRemove: (name: ReportParamName) => void
  onClear: () => void
}

export function ReportToolbar({
  page,
  isOld,
  packaged,
  context,
  filters,
  isWide,
  isTable,
  sort,
  selection: { isSelecting, setSelecting, clear },
  field,
  onFieldChange,
  onRemove,
  onClear,
}: ReportBandProps) {
  const { search, change, labels } = context
  const total = page && !isOld && search.view !== 'who_wins' ? page.total_project : null
  const navigate = useNavigate()
  return (
    <div className="relative z-20 flex items-center gap-x-2 gap-y-1 max-md:flex-wrap max-md:pb-2 md:h-[46px] touch:md:h-14 print:hidden">
      <ReportSearchRow
        name={field}
        onFieldChange={onFieldChange}
        search={search}
        change={change}
        total={total}
        deep={page && !isOld ? page.deep_search : null}
        onOpenProject={(id) => void navigate({ to: '/report/$id', params: { id } })}
      />
      {!isWide && (
        <FilterSheet
          context={context}
          count={filters.length}
          total={total}
          onClear={onClear}
          isSelecting={isSelecting}
          onSelect={isTable ? undefined : () => (isSelecting ? clear() : setSelecting(true))}
        />
      )}
      <div className="relative flex min-w-0 flex-1 items-center gap-2 max-md:-mx-4 max-md:min-h-9 max-md:basis-full max-md:overflow-x-auto max-md:px-4 max-md:[scrollbar-width:none] touch:max-md:min-h-11">
        {filters.length > 0 && (
          <ActiveFilters
            search={search}
            labels={labels}
            except={[field]}
            editable={SEARCH_PARAMS}
            onEdit={(name) => onFieldChange(name as SearchParam)}
            onRemove={onRemove}
            onClear={onClear}
          />
        )}
        {page && (
          <CountedCounters page={page} search={search} change={change}>
            <MorningQueueStartButton search={packaged} change={change} preload={LazyMorningQueueScreen.preload} />
          </CountedCounters>
        )}
        {!isTable && sort}
      </div>
      {isTable && <DisplayDensitySwitch className="shrink-0" />}
    </div>
  )
}

function CountedCounters(props: Omit<ReportCountersProps, 'facets'>) {
  return <ReportCounters {...props} facets={useReportFacets()} />
}
