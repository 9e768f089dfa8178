import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { User } from '#contract/account/user.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { savedFilterCountsQuery } from '#src/report/api/reports.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import {
  getSavedView,
  type SavedFilterContext,
  type SavedFilterDialogTask,
  type VisibleSavedFilter,
} from '#src/report/saved-filters/saved-filter-context.ts'
import { LazyBoundary, lazyPart } from '#src/ui/lazy-boundary.tsx'
import { REPORT_TABLE_MEDIA_QUERY } from './panel-media.ts'
import type { ReportUrlState } from './use-report-url-state.ts'

// Loaded on wide screens only: a phone shows a menu instead.
const SavedFilterTabs = lazyPart(() => import('#src/report/saved-filters/saved-filter-tabs.tsx'), 'SavedFilterTabs', {
  fallback: <div className="-mx-4 h-11 border-b border-line lg:-mx-5" />,
})
if (globalThis.matchMedia?.(REPORT_TABLE_MEDIA_QUERY).matches) void SavedFilterTabs.preload()

const SavedFilterDialogs = lazyComponent(
  () => import('#src/report/saved-filters/saved-filter-dialogs.tsx'),
  'SavedFilterDialogs',
)

export function useSavedFilters(
  { search, change, replaceAll }: Pick<ReportUrlState, 'search' | 'change' | 'replaceAll'>,
  user: User,
  hasRows: boolean,
  searchBox?: ReactNode,
) {
  const filters = user.project_save_filter_profile
  const team = useTeamLabelsAndViews(hasRows)
  const start = user.start_team_view
  const allFilters = [
    ...filters,
    ...(team?.views.map((view): VisibleSavedFilter => ({ ...view, isSend: false, isStart: view.id === start?.id })) ??
      []),
  ]
  const [task, setTask] = useState<SavedFilterDialogTask>()
  // Load the counts after the rows, because counting runs every saved filter.
  const counts = useQuery({ ...savedFilterCountsQuery, enabled: hasRows && allFilters.length > 0 })
  const view = getSavedView(search, allFilters)
  const context: SavedFilterContext = {
    filters,
    allFilters,
    search,
    view,
    change,
    open: replaceAll,
    start: setTask,
  }
  return {
    tabs: (
      <SavedFilterTabs context={context} counts={counts.data?.counts}>
        {searchBox}
      </SavedFilterTabs>
    ),
    dialogs: task && (
      <LazyBoundary resetKey={task}>
        <SavedFilterDialogs context={context} task={task} onClose={() => setTask(undefined)} />
      </LazyBoundary>
    ),
    context,
    isWhole: team !== undefined || isDemoSession(),
  }
}
