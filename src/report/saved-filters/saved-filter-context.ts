import type { Label } from '#contract/account/label.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { sameReportFilters, searchOfFilterData } from '#contract/report/saved-filter-search.ts'
import { filtersBesideSegment } from '#src/lib/bid-segment.ts'
import type { ReportAddress } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'

/** A saved filter as it stands among the tabs: one's own, or one that a colleague shares. */
export type ShownFilter = SavedFilter & {
  /** Number and name of the colleague. */
  readonly owner?: number
  readonly owner_name?: string
}

type SavedView = {
  /** The tab that the present view belongs to; none for filters that nobody saved. */
  readonly tab: 'all' | 'starred' | 'saved' | undefined
  /** The saved filter that the view came from. An id that the user does not have is a colleague's: plain filters. */
  readonly filter: ShownFilter | undefined
  /** The filters in force are no longer those that were saved. */
  readonly isModified: boolean
  /** There is something to save. */
  readonly isFiltered: boolean
}

/** Which tab the present search belongs to. */
export function savedViewOf(search: ReportSearch, filters: readonly ShownFilter[]): SavedView {
  const filter = search.saved === undefined ? undefined : filters.find(({ id }) => id === search.saved)
  // Every saved filter has its segments; they are no filter by themselves.
  const active = filtersBesideSegment(search)
  const isFiltered = active.length > 0
  if (filter) {
    const isModified = !sameReportFilters(search, searchOfFilterData(filter.filterData).search)
    return { tab: 'saved', filter, isModified, isFiltered }
  }
  const isStarred = active.length === 1 && search.project_bookmark === true
  return { tab: isStarred ? 'starred' : isFiltered ? undefined : 'all', filter, isModified: false, isFiltered }
}

/** The dialog that is open. */
export type FilterTask =
  | { readonly kind: 'save' }
  | { readonly kind: 'rename'; readonly id: string }
  | { readonly kind: 'manage' }

/** What everything about saved filters needs to draw itself and to change something. */
export type SavedFilterContext = {
  readonly filters: readonly SavedFilter[]
  /** The user's own, then what colleagues share. */
  readonly shown: readonly ShownFilter[]
  /** The user's labels: searches are said in words with their names. */
  readonly labels: readonly Label[]
  readonly search: ReportSearch
  readonly view: SavedView
  readonly change: ChangeReport
  /** Shows another view: one step that Back undoes. */
  readonly open: (address: ReportAddress) => void
  /** The report mail as a whole is on (`is_send_report_email`). */
  readonly isMailOn: boolean
  /** The demo organisation gets no mail. */
  readonly isDemo: boolean
  /** Opens a dialog, with focus on what it shall return to. */
  readonly start: (task: FilterTask) => void
}
