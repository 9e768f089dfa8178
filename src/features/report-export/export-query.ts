import { type ColumnLayout, mergeColumns } from '#contract/column.ts'
import type { ReportColumnField } from '#contract/report-columns.ts'
import { MAX_EXPORT_ROWS } from '#contract/report-export.ts'
import { printReportSearch, type ReportSearch } from '#contract/report-params.ts'
import type { User } from '#contract/user.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ExportSource } from './export-host.tsx'

/** Most projects that one parameter names (contract/report-params.ts). */
export const MOST_SELECTED = 200

/** The columns that are on screen, in their order there: the pinned ones stand first. */
export function visibleColumns({
  customize_report_table: settings,
}: Pick<User, 'customize_report_table'>): ReportColumnField[] {
  const { order, hidden, pinned }: ColumnLayout = mergeColumns(settings)
  const shown = order.filter((field) => !hidden.has(field))
  return [...shown.filter((field) => pinned.has(field)), ...shown.filter((field) => !pinned.has(field))]
}

export type ExportScope = {
  readonly query: Readonly<Record<string, string>>
  /** Projects that the file will hold. */
  readonly count: number
  /** The report has more of them than a file holds. */
  readonly isCut: boolean
}

/** What is exported: the projects chosen, as long as one address can name them, otherwise all that the filters find; always in the report's order. */
export function exportScope({ search, total }: ExportSource, selected: readonly string[] | undefined): ExportScope {
  const { ordering, is_archived, project_hidden } = search
  const order: ReportSearch = ordering === undefined ? {} : { ordering }
  if (selected === undefined || selected.length > MOST_SELECTED) {
    const query = printReportSearch({ ...reportFiltersOf(search), ...order })
    return { query, count: Math.min(total, MAX_EXPORT_ROWS), isCut: total > MAX_EXPORT_ROWS }
  }
  const tab: ReportSearch = { ...(is_archived ? { is_archived } : {}), ...(project_hidden ? { project_hidden } : {}) }
  const query = printReportSearch({ ...tab, ...order, project_id__in: selected })
  return { query, count: selected.length, isCut: false }
}
