import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ShieldAlert, Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  MIN_TEAM_RESULT_SAMPLE_SIZE,
  parseTeamResultRowSelection,
  TEAM_RESULTS_PARAMS,
  type TeamFeedbackWeek,
  type TeamResultFigure,
  type TeamResultFigures,
  type TeamResultReason,
  type TeamResultsSearch,
  UNGROUPED_TEAM_RESULTS_KEY,
} from '#contract/team/team-results.ts'
import { formatThaiDate, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { isForbiddenError } from '#src/lib/problem-error.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { FileDownloadButtons } from '#src/report/file-download/download-button.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { getTeamResultsExportFile, teamResultsQuery } from '#src/team/api/results.ts'
import { TeamPageFrame } from '#src/team/page-frame/team-page-frame.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import {
  isUncertainFigure,
  listTeamResultFigures,
  type OpenTeamResultFigureFn,
  TeamResultFigureButton,
} from './team-result-figure-button.tsx'
import { TeamResultRowsPanel } from './team-result-rows-panel.tsx'
import { formatTeamResultsPeriod, TeamResultsPeriodSelect } from './team-results-period-select.tsx'
import { TeamResultsTable, type TeamResultsTableProps } from './team-results-table.tsx'

const route = getRouteApi('/_app/results')

const useTeamResultsUrlState = () => useSearchState<TeamResultsSearch>(route.useSearch(), route.useNavigate())

export function TeamResultsPage() {
  const { search, ignored, change } = useTeamResultsUrlState()
  const today = useBangkokToday()
  const results = useQuery(teamResultsQuery(search))
  const { data, error, isPlaceholderData } = results
  const openFigure: OpenTeamResultFigureFn = (rows, group) => change({ rows, group: group?.by, key: group?.key })
  const close = () => change({ rows: undefined, group: undefined, key: undefined })
  if (isForbiddenError(error)) {
    return (
      <TeamPageFrame title="ผลงาน">
        <EmptyState icon={ShieldAlert} title="บัญชีนี้ไม่มีผลงานของทีม">
          ผลงานเป็นของทีมที่มีบัญชีจริงและเปิดส่วนรายงานโครงการ บัญชีทดลองใช้งานจึงไม่มี
        </EmptyState>
      </TeamPageFrame>
    )
  }
  return (
    <TeamPageFrame
      title="ผลงาน"
      className={PRINT_CLASSES}
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
        task="โหลดผลงาน"
        notesStale
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
    </TeamPageFrame>
  )
}

const PRINT_CLASSES = 'print:gap-2 print:p-0 print:[page:report] print:[zoom:0.62]'

function Figures(props: TeamResultsTableProps) {
  const { data, open } = props
  return (
    <>
      <TeamResultsSummaryStrip total={data.total} open={open} />
      {!data.sees_price && (
        <Notice>
          ไม่แสดงราคาของเราและส่วนลด เพราะองค์กรให้เห็นเฉพาะบางบทบาท ผู้ดูแลขององค์กรเปลี่ยนได้ที่ ตั้งค่า → ทีม → ขั้นและรายการตรวจ
        </Notice>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_360px] print:grid-cols-[minmax(0,1fr)_300px]">
        <TeamResultsTable {...props} />
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
    <EmptyCard
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
    </EmptyCard>
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

const TITLE = 'งานที่ไม่เคยเห็นและคุณลงมือ'

function FeedbackWeeksCard({ weeks }: { weeks: readonly TeamFeedbackWeek[] }) {
  const hasAnswers = weeks.some(({ relevant, irrelevant, seen }) => relevant + irrelevant + seen > 0)
  return (
    <Card as="section" aria-label={TITLE} className="px-4 py-3">
      <h2 className="font-semibold">{TITLE}</h2>
      <p className="text-sm text-ink-muted">
        {hasAnswers
          ? 'ตอบว่าเกี่ยว ไม่มีใครในทีมตอบว่าเคยเห็นแล้ว และอยู่ในงานของเราโดยไม่ได้ตัดสินใจไม่ยื่น แปดสัปดาห์ล่าสุด'
          : 'ยังไม่มีคำตอบในแปดสัปดาห์นี้ กด เกี่ยว ไม่เกี่ยว หรือ เคยเห็นแล้ว ในอีเมล LINE หรือการแจ้งเตือน'}
      </p>
      {hasAnswers && (
        <ol className="mt-2 divide-y divide-line text-sm">
          {weeks.map(({ from, acted, relevant, irrelevant, seen }) => (
            <li key={from} className="flex flex-wrap items-baseline gap-x-2 py-1.5 tabular-nums">
              <span className="text-ink-muted">สัปดาห์ {formatThaiDateShort(from)}</span>
              <span className="ml-auto font-semibold">{formatCount(acted)} งาน</span>
              <span className="basis-full text-xs text-ink-muted">
                เกี่ยว {formatCount(relevant)} · ไม่เกี่ยว {formatCount(irrelevant)} · เคยเห็นแล้ว {formatCount(seen)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

type ReasonsCardProps = {
  title: string
  emptyText: string
  reasons: readonly TeamResultReason[]
  onOpen: (key: string) => void
}

const MAX_VISIBLE_REASONS = 8
const MAX_PRINTED_REASONS = 5

function TeamResultReasonsCard({ title, emptyText, reasons, onOpen }: ReasonsCardProps) {
  const n = reasons.reduce((sum, reason) => sum + reason.n, 0)
  const visibleReasons = reasons.slice(0, MAX_VISIBLE_REASONS)
  const rows = visibleReasons.map((reason) => ({
    ...{ key: reason.key, value: reason.n, text: `${formatCount(reason.n)} งาน` },
    label: reason.key === UNGROUPED_TEAM_RESULTS_KEY ? 'ไม่ได้ระบุ' : reason.key,
    onOpen: () => onOpen(reason.key),
  }))
  return (
    <Card as="section" aria-label={title} className="px-2 py-3">
      <h2 className="px-2 font-semibold">
        {title} {n > 0 && <span className="text-sm font-normal text-ink-muted tabular-nums">n={formatCount(n)}</span>}
      </h2>
      {rows.length === 0 ? (
        <p className="px-2 py-2 text-ink-muted">{emptyText}</p>
      ) : (
        <div className={classNames('mt-2', rows.length > MAX_PRINTED_REASONS && 'print:[&_li:nth-child(n+6)]:hidden')}>
          <BarChart label={title} rows={rows} />
        </div>
      )}
      {reasons.length > MAX_VISIBLE_REASONS && (
        <p className="px-2 pt-1 text-xs text-ink-muted">
          อีก {formatCount(reasons.length - MAX_VISIBLE_REASONS)} เหตุผลอยู่ในไฟล์ Excel
        </p>
      )}
    </Card>
  )
}

const OF_ALL = 'ทั้งหมด'
const FIGURE_NAMES = {
  pursued: 'เริ่มทำ',
  bid: 'ยื่น',
  won: 'ชนะ',
  lost: 'แพ้',
  decided: 'อัตราชนะ',
  valued: 'มูลค่าที่ชนะ',
  discounted: 'ส่วนลดของเรา (มัธยฐาน)',
  timed: 'ประกาศถึงตัดสินใจ',
} as const

function TeamResultsSummaryStrip({ total, open }: { total: TeamResultFigures; open: OpenTeamResultFigureFn }) {
  const decided = total.won + total.lost
  const sample = (n: number) => `n=${formatCount(n)}${smallText(n)}`
  const notes: Readonly<Partial<Record<TeamResultFigure, ReactNode>>> = {
    pursued: `ยังไม่ยื่น ${formatCount(total.open)} · ไม่ยื่น ${formatCount(total.declined)}`,
    bid: `รอผล ${formatCount(total.waiting)}`,
    decided: `จาก ${formatCount(decided)} งานที่รู้ผล${smallText(decided)}`,
    valued: (
      <>
        ตาม e-GP {formatCount(total.valued)} จาก {formatCount(total.won)} งาน
        <DoubtfulAmountsNote count={total.amounts_in_doubt} />
      </>
    ),
    discounted: sample(total.discount?.n ?? 0),
    timed: sample(total.days_to_decide.n),
  }
  return (
    <dl className="grid grid-cols-2 rounded-card border border-line bg-surface py-3 sm:grid-cols-4 xl:grid-cols-8 print:grid-cols-8!">
      {listTeamResultFigures(total).map(({ figure, n, text }) => (
        <Cell key={figure} name={FIGURE_NAMES[figure]} note={notes[figure]}>
          <TeamResultFigureButton
            figure={figure}
            of={OF_ALL}
            n={n}
            onOpen={() => open(figure)}
            className={classNames('text-xl font-semibold', isUncertainFigure(figure, n) && 'text-ink-faint')}
          >
            {text}
          </TeamResultFigureButton>
        </Cell>
      ))}
    </dl>
  )
}

const smallText = (n: number) => (n > 0 && n < MIN_TEAM_RESULT_SAMPLE_SIZE ? ' · น้อยเกินจะสรุป' : '')

function Cell({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line px-4 py-1 not-first:sm:border-l">
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd>
        <div className="leading-snug">{children}</div>
        {note && <p className="text-xs text-ink-muted tabular-nums">{note}</p>}
      </dd>
    </div>
  )
}
