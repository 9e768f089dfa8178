import { useCallback, useMemo } from 'react'
import { mergeColumns } from '#contract/report/column.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { REPORT_COLUMNS } from '#contract/report/report-columns.ts'
import { printReportSearch, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import type { User } from '#contract/user/user.ts'
import { errorRequestId, errorText, ProblemError } from '#src/api/http/problem-error.ts'
import { saveColumnWidth } from '#src/features/columns/save-columns.ts'
import { useDensity } from '#src/lib/density.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { countText } from '#src/lib/money-text.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { ReportTools } from './keyboard/use-report-tools.ts'
import { orderingOf, type Sorting, sortingOf } from './table/report-columns.tsx'
import { ReportTable } from './table/report-table.tsx'
import type { ReportResult } from './use-report-result.ts'

const ROWS = ['w-11/12', 'w-3/4', 'w-10/12', 'w-2/3', 'w-11/12', 'w-4/5', 'w-3/4', 'w-10/12'] as const

/** The shape of the table while the first answer is on its way. */
function TableSkeleton() {
  return (
    <SkeletonGroup
      label="กำลังโหลดโครงการ"
      className="h-full overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="h-[37px] border-b border-line bg-surface-muted" />
      {ROWS.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity beyond their place
        <div key={index} className="flex h-[74px] items-start gap-6 border-b border-line px-2 py-2.5">
          <Skeleton className="size-4 shrink-0" />
          <Skeleton className="-ml-2 size-4 shrink-0 rounded-full" />
          <Skeleton className="h-5 w-14 shrink-0 rounded-full" />
          <div className="min-w-0 flex-[3]">
            <Skeleton className={width} />
            <Skeleton className="mt-2 w-28" />
          </div>
          <Skeleton className="flex-1" />
          <Skeleton className="w-24 shrink-0" />
          <Skeleton className="w-24 shrink-0" />
          <Skeleton className="w-20 shrink-0" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

/** The shape of the cards. */
function CardsSkeleton() {
  return (
    <SkeletonGroup label="กำลังโหลดโครงการ" className="flex flex-col gap-3">
      {ROWS.slice(0, 4).map((width) => (
        <div key={width} className="h-[15.4rem] rounded-card border border-line bg-surface p-3.5">
          <Skeleton className="h-5 w-36" />
          <Skeleton className={`mt-3 ${width}`} />
          <Skeleton className="mt-2 w-1/2" />
          <Skeleton className="mt-5 w-2/3" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

// Drawn on phones only, and only where there is nothing to draw: no part of a desktop's first load.
const ReportCards = lazyComponent(() => import('./cards/report-cards.tsx'), 'ReportCards')
const ReportEmpty = lazyComponent(() => import('./states/report-empty.tsx'), 'ReportEmpty')
const ReportForbidden = lazyComponent(() => import('./states/report-empty.tsx'), 'ReportForbidden')

type ReportResultsProps = {
  result: ReportResult
  /** Projects of the page that are in view. */
  rows: ReportRow[]
  tools: ReportTools
  search: ReportSearch
  user: User
  isTable: boolean
  change: ChangeReport
  onRemove: (name: ReportParamName) => void
  onClear: () => void
}

/** The rows, or the one screen that says why there are none: loading, failed, forbidden or empty. */
export function ReportResults(props: ReportResultsProps) {
  const { result, rows, tools, search, user, isTable, change, onRemove, onClear } = props
  const { page, error, isOld } = result
  const { isSelecting, ids, select } = tools.selection
  const hidden = useMemo(() => new Set(user.project_hidden), [user.project_hidden])
  const { open } = tools.peek
  const openPeek = useCallback((row: ReportRow) => open(row.project_id), [open])
  const isForbidden = error instanceof ProblemError && error.status === 403
  if (isForbidden) {
    return (
      <Card className="h-full">
        <LazyBoundary>
          <ReportForbidden />
        </LazyBoundary>
      </Card>
    )
  }
  const failure = error && (
    <ErrorNotice
      title={page ? 'โหลดรายงานใหม่ไม่สำเร็จ แถวที่เห็นเป็นของรอบก่อน' : 'โหลดรายงานไม่สำเร็จ'}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={result.retry}
      retrying={result.isFetching}
      className="mb-3"
    />
  )
  if (!page) return failure || (isTable ? <TableSkeleton /> : <CardsSkeleton />)

  const isEmpty = page.results.length === 0
  return (
    <div className="flex h-full flex-col">
      {failure}
      {isEmpty ? (
        <Card className={isOld ? 'flex-1 opacity-50' : 'flex-1'}>
          <LazyBoundary>
            <ReportEmpty
              page={page}
              search={search}
              labels={user.project_labels}
              onRemove={onRemove}
              onClear={onClear}
              onLastPage={(last) => change({ page: last === 1 ? undefined : last })}
            />
          </LazyBoundary>
        </Card>
      ) : isTable ? (
        <div className="min-h-0 flex-1">
          <Table result={result} rows={rows} tools={tools} search={search} user={user} change={change} />
        </div>
      ) : (
        <LazyBoundary fallback={<CardsSkeleton />}>
          <ReportCards
            rows={rows}
            busy={isOld}
            hidden={hidden}
            onPeek={openPeek}
            selection={isSelecting ? { has: (id) => ids.has(id), select } : undefined}
          />
        </LazyBoundary>
      )}
    </div>
  )
}

/** Least width of the name, px: the columns for sorting out fit beside it at 1440. */
const NAME_WIDTH = { roomy: 420, tight: 240 } as const

type TableProps = Pick<ReportResultsProps, 'result' | 'rows' | 'tools' | 'search' | 'user' | 'change'>

function Table({ result, rows, tools, search, user, change }: TableProps) {
  const page = result.page!
  const { customize_report_table: settings } = user
  const layout = useMemo(() => mergeColumns(settings), [settings])
  const density = useDensity()
  const { selection } = tools
  // Neither changes the rows, so the table keeps its place.
  const { peek: _peek, queue: _queue, saved: _saved, ...shown } = search
  const isRoomy = useMediaQuery('(min-width: 100rem)')
  const sorting = useMemo(() => sortingOf(search.ordering), [search.ordering])
  const onSortingChange = useCallback((next: Sorting) => change({ ordering: orderingOf(next) }), [change])
  const sortedBy = REPORT_COLUMNS.find(({ field }) => field === sorting[0]?.id)
  return (
    <ReportTable
      rows={rows}
      layout={layout}
      nameWidth={isRoomy ? NAME_WIDTH.roomy : NAME_WIDTH.tight}
      isRoomy={isRoomy}
      density={density}
      onResize={(field, width) => saveColumnWidth(layout, field, width)}
      selection={selection}
      current={tools.current}
      onCurrentChange={tools.setCurrent}
      handle={tools.table}
      sorting={sorting}
      onSortingChange={onSortingChange}
      total={page.total_project}
      offset={(page.page - 1) * page.page_size}
      caption={`พบ ${countText(page.total_project)} โครงการ หน้า ${page.page} เรียงตาม${sortedBy?.title ?? (search.ai_deep_search__in ? 'ใกล้เคียงก่อน' : 'ล่าสุดก่อน')}`}
      busy={result.isOld}
      resultKey={result.isOld ? '' : JSON.stringify(printReportSearch(shown))}
    />
  )
}
