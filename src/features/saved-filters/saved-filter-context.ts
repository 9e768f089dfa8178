import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Label } from '#contract/user/label.ts'
import type { SavedFilter } from '#contract/user/saved-filter.ts'
import type { ReportAddress } from '#src/lib/report-address.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { SavedView } from './saved-view.ts'

/** The dialog that is open. */
export type FilterTask =
  | { readonly kind: 'save' }
  | { readonly kind: 'rename'; readonly id: string }
  | { readonly kind: 'manage' }

/** What everything about saved filters needs to draw itself and to change something. */
export type SavedFilterContext = {
  readonly filters: readonly SavedFilter[]
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
