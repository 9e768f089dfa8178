import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert, Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  parseTeamResultRowSelection,
  TEAM_RESULTS_PARAMS,
  type TeamResultGrouping,
  type TeamResults,
} from '#contract/team/team-results.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { FileDownloadButtons } from '#src/report/file-download/file-download-buttons.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { getTeamResultsExportFile, teamResultsQuery } from '#src/team/api/results.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { FeedbackWeeksCard } from './feedback-weeks-card.tsx'
import type { OpenTeamResultFigureFn } from './team-result-figure-button.tsx'
import { TeamResultReasonsCard } from './team-result-reasons-card.tsx'
import { TeamResultRowsPanel } from './team-result-rows-panel.tsx'
import { formatTeamResultsPeriod, TeamResultsPeriodSelect } from './team-results-period-select.tsx'
import { TeamResultsSummaryStrip } from './team-results-summary-strip.tsx'
import { TeamResultsTable } from './team-results-table.tsx'
import { useTeamResultsUrlState } from './use-team-results-url-state.ts'

export function TeamResultsPage() {
  const { search, ignored, change } = useTeamResultsUrlState()
  const today = useBangkokToday()
  const results = useQuery(teamResultsQuery(search))
  const { data, error, isPlaceholderData } = results
  const openFigure: OpenTeamResultFigureFn = (rows, group) => change({ rows, group: group?.by, key: group?.key })
  const close = () => change({ rows: undefined, group: undefined, key: undefined })
  if (error instanceof ProblemError && error.status === 403) {
    return (
      <Frame>
        <EmptyState icon={ShieldAlert} title="บัญชีนี้ไม่มีผลงานของทีม">
          ผลงานเป็นของทีมที่มีบัญชีจริงและเปิดส่วนรายงานโครงการ บัญชีทดลองใช้งานจึงไม่มี
        </EmptyState>
      </Frame>
    )
  }
  return (
    <Frame
      actions={
        <>
          <TeamResultsPeriodSelect search={search} today={today} change={change} />
          {data !== undefined && data.total.pursued > 0 && (
            <FileDownloadButtons file={getTeamResultsExportFile(search)} />
          )}
        </>
      }
    >
      <p className="text-sm text-ink-muted">
        นับงานที่ทีมเริ่มทำ {formatTeamResultsPeriod(search, today)}
        <span className="hidden print:inline"> · พิมพ์ {formatThaiDate(today)} · ตามงาน</span>
      </p>
      <IgnoredParamsNotice params={TEAM_RESULTS_PARAMS} ignored={ignored} />
      <QueryView
        query={results}
        errorTitle="โหลดผลงานไม่สำเร็จ"
        staleTitle="โหลดผลงานใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม"
        skeleton={<ResultsSkeleton />}
        isEmpty={({ total }) => total.pursued === 0}
        empty={<NoResults isAll={search.all === true} onAll={() => change({ all: true, date__range: undefined })} />}
      >
        {(teamResults) => (
          <div
            aria-busy={isPlaceholderData || undefined}
            className={classNames('flex flex-col gap-3', isPlaceholderData && 'opacity-60')}
          >
            <Figures
              data={teamResults}
              by={search.by ?? 'owner'}
              onBy={(by) => change({ by: by === 'owner' ? undefined : by }, 'replace')}
              open={openFigure}
            />
          </div>
        )}
      </QueryView>
      {parseTeamResultRowSelection(search) && <TeamResultRowsPanel search={search} data={data} onClose={close} />}
    </Frame>
  )
}

function Frame({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex w-full flex-col gap-3 px-4 pt-4 pb-10 lg:px-5 print:gap-2 print:p-0 print:[page:report] print:[zoom:0.62]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="min-w-0 flex-1 text-xl font-semibold max-sm:basis-full">ผลงาน</h1>
        {actions}
      </div>
      {children}
    </div>
  )
}

type FiguresProps = {
  data: TeamResults
  by: TeamResultGrouping
  onBy: (by: TeamResultGrouping) => void
  open: OpenTeamResultFigureFn
}

function Figures({ data, by, onBy, open }: FiguresProps) {
  return (
    <>
      <TeamResultsSummaryStrip total={data.total} open={open} />
      {!data.sees_price && (
        <Notice>
          ไม่แสดงราคาของเราและส่วนลด เพราะองค์กรให้เห็นเฉพาะบางบทบาท ผู้ดูแลขององค์กรเปลี่ยนได้ที่ ตั้งค่า → ทีม → ขั้นและรายการตรวจ
        </Notice>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_360px] print:grid-cols-[minmax(0,1fr)_300px]">
        <TeamResultsTable data={data} by={by} onBy={onBy} open={open} />
        <div className="grid gap-3 max-xl:sm:grid-cols-2 print:grid-cols-1!">
          <TeamResultReasonsCard
            title="เหตุที่แพ้"
            emptyText="ยังไม่มีงานที่แพ้ในช่วงนี้"
            reasons={data.lost_reasons}
            onOpen={(key) => open('lost', { by: 'lost_reason', key })}
          />
          <TeamResultReasonsCard
            title="เหตุที่ไม่ยื่น"
            emptyText="ยังไม่มีงานที่ตัดสินใจไม่ยื่นในช่วงนี้"
            reasons={data.declined_reasons}
            onOpen={(key) => open('declined', { by: 'declined_reason', key })}
          />
          <FeedbackWeeksCard weeks={data.feedback_weeks} />
        </div>
      </div>
    </>
  )
}

function NoResults({ isAll, onAll }: { isAll: boolean; onAll: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={Trophy}
        title={isAll ? 'ทีมยังไม่มีงานให้สรุป' : 'ไม่มีงานที่เริ่มทำในช่วงนี้'}
        actions={
          <>
            {!isAll && <Button onClick={onAll}>ดูทุกช่วงเวลา</Button>}
            <Link to="/report" className={getButtonClasses('primary')}>
              เลือกงานจากรายงาน
            </Link>
          </>
        }
      >
        เมื่อทีมตัดสินใจยื่นหรือย้ายงานบนบอร์ด ตัวเลขว่าทำกี่งาน ยื่น ชนะ แพ้ และเพราะอะไรจะขึ้นที่นี่
      </EmptyState>
    </Card>
  )
}

function ResultsSkeleton() {
  return (
    <SkeletonGroup label="กำลังสรุปผล" className="flex flex-col gap-3">
      <Skeleton className="h-20 rounded-card" />
      <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Skeleton className="h-96 rounded-card" />
        <Skeleton className="h-96 rounded-card" />
      </div>
    </SkeletonGroup>
  )
}
