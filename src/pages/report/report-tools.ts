import type { RefObject } from 'react'
import type { ReportRow } from '#contract/report.ts'
import type { NavEntry } from '#src/features/navigation/nav-entries.ts'
import type { Selection } from '#src/features/selection/use-selection.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import type { ReportTableHandle } from './report-table.tsx'
import type { Peek } from './use-peek.ts'

/** What the keys of the report work on, as it stands when one is pressed. */
export type ReportTools = {
  /** Projects of the page, in their order. */
  readonly rows: readonly ReportRow[]
  /** Page shown and the last one, from 1. */
  readonly page: number
  readonly lastPage: number
  readonly change: ChangeReport
  /** Project on which the cursor stands. */
  readonly current: string | undefined
  readonly table: RefObject<ReportTableHandle | null>
  readonly selection: Selection
  readonly peek: Peek
  /** Takes the focus into the panel, now or when it is drawn. */
  readonly enterPeek: () => void
  readonly starred: readonly string[]
  readonly showsHidden: boolean
  readonly entries: readonly NavEntry[]
  readonly goTo: (path: NavEntry['path']) => void
  /** The row of the next page that gets the focus when it comes. */
  readonly arriveAt: RefObject<'first' | 'last' | undefined>
  readonly showHelp: () => void
  /** Says to a screen reader what happened. */
  readonly say: (text: string) => void
}
