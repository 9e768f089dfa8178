import { lazy, Suspense, useCallback, useMemo } from 'react'
import { mergeColumns } from '#contract/column.ts'
import { REPORT_COLUMNS } from '#contract/report-columns.ts'
import { printReportSearch, type ReportParamName, type ReportSearch } from '#contract/report-params.ts'
import type { User } from '#contract/user.ts'
import { errorRequestId, errorText, ProblemError } from '#src/api/problem-error.ts'
import { countText } from '#src/lib/money-text.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { Card } from '#src/ui/card.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { orderingOf, sortingOf } from './report-columns.tsx'
import { CardsSkeleton, TableSkeleton } from './report-skeleton.tsx'
import { ReportTable } from './report-table.tsx'
import type { ReportResult } from './use-report-result.ts'

// Drawn on phones only, and only where there is nothing to draw: no part of a desktop's first load.
const ReportCards = lazy(() => import('./report-cards.tsx').then((module) => ({ default: module.ReportCards })))
const ReportEmpty = lazy(() => import('./report-empty.tsx').then((module) => ({ default: module.ReportEmpty })))
const ReportForbidden = lazy(() => import('./report-empty.tsx').then((module) => ({ default: module.ReportForbidden })))

type ReportResultsProps = {
  result: ReportResult
  search: ReportSearch
  user: User
  isTable: boolean
  change: ChangeReport
  onRemove: (name: ReportParamName) => void
  onClear: () => void
}

/** The rows, or the one screen that says why there are none: loading, failed, forbidden or empty. */
export function ReportResults({ result, search, user, isTable, change, onRemove, onClear }: ReportResultsProps) {
  const { page, error, isOld } = result
  const isForbidden = error instanceof ProblemError && error.status === 403
  if (isForbidden) {
    return (
      <Card className="h-full">
        <Suspense fallback={null}>
          <ReportForbidden />
        </Suspense>
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
          <Suspense fallback={null}>
            <ReportEmpty
              page={page}
              search={search}
              labels={user.project_labels}
              onRemove={onRemove}
              onClear={onClear}
              onLastPage={(last) => change({ page: last === 1 ? undefined : last })}
            />
          </Suspense>
        </Card>
      ) : isTable ? (
        <div className="min-h-0 flex-1">
          <Table result={result} search={search} user={user} change={change} />
        </div>
      ) : (
        <Suspense fallback={<CardsSkeleton />}>
          <ReportCards rows={page.results} busy={isOld} />
        </Suspense>
      )}
    </div>
  )
}

/** Least width of the name, px: the deadline column still fits beside it on a laptop, and less is pinned where there is little. */
function useNameWidth(): number {
  const isRoomy = useMediaQuery('(min-width: 100rem)')
  const isMiddling = useMediaQuery('(min-width: 75rem)')
  return isRoomy ? 420 : isMiddling ? 330 : 260
}

function Table({ result, search, user, change }: Pick<ReportResultsProps, 'result' | 'search' | 'user' | 'change'>) {
  const page = result.page!
  const layout = useMemo(() => mergeColumns(user.customize_report_table), [user])
  const nameWidth = useNameWidth()
  const sorting = useMemo(() => sortingOf(search.ordering), [search.ordering])
  const onSortingChange = useCallback(
    (next: readonly { id: string; desc: boolean }[]) => change({ ordering: orderingOf(next) }),
    [change],
  )
  const sortedBy = REPORT_COLUMNS.find(({ field }) => field === sorting[0]?.id)
  return (
    <ReportTable
      rows={page.results}
      layout={layout}
      nameWidth={nameWidth}
      sorting={sorting}
      onSortingChange={onSortingChange}
      total={page.total_project}
      offset={(page.page - 1) * page.page_size}
      caption={`พบ ${countText(page.total_project)} โครงการ หน้า ${page.page} เรียงตาม${sortedBy?.title ?? 'ล่าสุดก่อน'}`}
      busy={result.isOld}
      resultKey={result.isOld ? '' : JSON.stringify(printReportSearch(search))}
    />
  )
}
