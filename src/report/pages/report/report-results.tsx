import type { ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { Card } from '#src/ui/card.tsx'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { REPORT_TABLE_MEDIA_QUERY } from './filter/panel-media.ts'
import type { ReportInteractionState } from './keyboard/use-report-interaction-state.ts'
import type { ReportResult } from './use-report-result.ts'

const TABLE_SKELETON = { fallback: <ReportTableSkeleton /> }
const CARD_BARS = Array<string>(4).fill('h-[15.4rem] rounded-card')
const CARD_SKELETON = {
  fallback: <SkeletonGroup label="กำลังโหลดโครงการ" className="flex flex-col gap-3" bars={CARD_BARS} />,
}
const ResultsTable = lazyPart(() => import('./table/report-table.tsx'), 'ReportTable', TABLE_SKELETON)
const ReportCards = lazyPart(() => import('./cards/report-cards.tsx'), 'ReportCards', CARD_SKELETON)
void (globalThis.matchMedia?.(REPORT_TABLE_MEDIA_QUERY).matches === false ? ReportCards : ResultsTable).preload()

const EmptyReport = lazyPart(() => import('./states/empty-report.tsx'), 'EmptyReport', {
  fallback: <div className="h-80" />,
})
const ForbiddenReport = lazyPart(() => import('./states/empty-report.tsx'), 'ForbiddenReport')
const WhoWins = lazyPart(() => import('./wins/who-wins-view.tsx'), 'WhoWinsView', TABLE_SKELETON)
const ContractEnds = lazyPart(() => import('./ends/contract-ends-view.tsx'), 'ContractEndsView', TABLE_SKELETON)

type ReportResultsProps = {
  result: ReportResult
  rows: ReportRow[]
  tools: ReportInteractionState
  search: ReportSearch
  packaged: ReportSearch
  isTable: boolean
  change: ChangeReportSearchFn
  onClear: () => void
}

export function ReportResults(props: ReportResultsProps) {
  const { result, rows, tools, search, packaged, isTable, change, onClear } = props
  const user = useUser()
  if (search.view) {
    const View = search.view === 'who_wins' ? WhoWins : ContractEnds
    return <View search={packaged} change={change} />
  }
  const { page, error, isOld, isFetching, retry } = result
  const hidden = new Set(user.project_hidden)
  const { open } = tools.peek
  const openPeek = (row: ReportRow) => open(row.project_id)
  return (
    <div className="flex h-full flex-col">
      <QueryView
        query={{ data: page, error, isFetching, refetch: retry }}
        task="โหลดรายงาน"
        staleTitle="โหลดรายงานใหม่ไม่สำเร็จ แถวที่เห็นเป็นของรอบก่อน"
        errorClassName="mb-3"
        skeleton={(isTable ? TABLE_SKELETON : CARD_SKELETON).fallback}
        forbidden={
          <Card className="h-full">
            <ForbiddenReport />
          </Card>
        }
      >
        {(page) =>
          page.results.length === 0 ? (
            <Card className={isOld ? 'flex-1 opacity-50' : 'flex-1'}>
              <EmptyReport page={page} search={search} change={change} onClear={onClear} />
            </Card>
          ) : isTable ? (
            <div className="min-h-0 flex-1">
              <ResultsTable result={result} rows={rows} tools={tools} search={search} change={change} />
            </div>
          ) : (
            <ReportCards
              rows={rows}
              isBusy={isOld}
              hidden={hidden}
              onPeek={openPeek}
              selection={tools.selection.isSelecting ? tools.selection : undefined}
            />
          )
        }
      </QueryView>
    </div>
  )
}

function ReportTableSkeleton() {
  return (
    <SkeletonGroup
      label="กำลังโหลดโครงการ"
      className="h-full overflow-hidden rounded-card border border-line bg-surface"
    >
      <div className="h-[37px] border-b border-line bg-surface-muted" />
      {ROW_WIDTHS.map((width) => (
        <div key={width} className="flex h-[74px] items-start gap-6 border-b border-line px-2 py-2.5">
          <Skeleton className="h-5 w-14 shrink-0 rounded-full" />
          <div className="min-w-0 flex-[3]">
            <Skeleton className={width} />
            <Skeleton className="mt-2 w-28" />
          </div>
          <Skeleton className="flex-1" />
          <Skeleton className="w-24 shrink-0" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

const ROW_WIDTHS = ['w-11/12', 'w-3/4', 'w-10/12', 'w-2/3', 'w-4/5', 'w-7/12', 'w-9/12', 'w-5/6']
