import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import { findReportColumn } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDER_LABEL, FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { useDisplayDensity } from '#src/lib/density.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { saveReportColumnWidth } from '#src/report/columns/save-columns.ts'
import { getDefaultReportOrderLabel } from './filter/report-sort-select.tsx'
import type { ReportInteractionState } from './keyboard/use-report-interaction-state.ts'
import { formatReportOrdering, parseReportSorting, type ReportSorting } from './table/report-columns.tsx'
import { ReportTable } from './table/report-table.tsx'
import type { ReportResult } from './use-report-result.ts'

/** Minimum width of the name column, px, at which the columns for triage fit a window of 1,440 px. */
const NAME_WIDTH = { roomy: 420, tight: 240 } as const

type ResultsTableProps = {
  result: ReportResult
  rows: ReportRow[]
  tools: ReportInteractionState
  search: ReportSearch
  change: ChangeReportSearchFn
}

export function ReportResultsTable({ result, rows, tools, search, change }: ResultsTableProps) {
  const page = result.page!
  const { customize_report_table: settings } = useUser()
  const layout = mergeColumnSettings(settings)
  const density = useDisplayDensity()
  const { selection } = tools
  // Peek, queue and saved filter do not affect the rows, so a change of these must not scroll the table to the top.
  const { peek: _peek, queue: _queue, saved: _saved, ...rowsSearch } = search
  const isRoomy = useMediaQuery('(min-width: 100rem)')
  const sorting = parseReportSorting(search.ordering)
  const onSortingChange = (newSorting: ReportSorting) => change({ ordering: formatReportOrdering(newSorting) })
  const sortedBy = sorting[0] && findReportColumn(sorting[0].id)?.title
  const order = search.ordering === FIT_ORDERING ? FIT_ORDER_LABEL : (sortedBy ?? getDefaultReportOrderLabel(search))
  return (
    <ReportTable
      rows={rows}
      layout={layout}
      nameWidth={isRoomy ? NAME_WIDTH.roomy : NAME_WIDTH.tight}
      isRoomy={isRoomy}
      density={density}
      onResize={(field, width) => saveReportColumnWidth(layout, field, width)}
      selection={selection}
      current={tools.current}
      onCurrentChange={tools.setCurrent}
      handle={tools.table}
      sorting={sorting}
      onSortingChange={onSortingChange}
      total={page.total_project}
      offset={(page.page - 1) * page.page_size}
      caption={`พบ ${formatCount(page.total_project)} โครงการ หน้า ${page.page} เรียงตาม${order}`}
      isBusy={result.isOld}
      resultKey={result.isOld ? '' : JSON.stringify(formatReportSearch(rowsSearch))}
    />
  )
}
