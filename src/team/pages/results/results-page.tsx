import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
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
  type TeamResults,
  UNGROUPED_TEAM_RESULTS_KEY,
} from '#contract/team/team-results.ts'
import { formatThaiDate, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { isForbiddenError } from '#src/lib/problem-error.ts'
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
import { isUncertainFigure, listTeamResultFigures, TeamResultFigureButton } from './team-result-figure-button.tsx'
import { TeamResultRowsPanel } from './team-result-rows-panel.tsx'
import { formatTeamResultsPeriod, TeamResultsPeriodSelect } from './team-results-period-select.tsx'
import { TEAM_RESULT_COLUMN_NAMES, TeamResultsTable } from './team-results-table.tsx'
import { useTeamResultsUrlState } from './use-team-results-url-state.ts'

export function TeamResultsPage() {
  const { search, ignored } = useTeamResultsUrlState()
  const today = useBangkokToday()
  const results = useQuery(teamResultsQuery(search))
  const { data, error, isPlaceholderData } = results
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
      className="print:gap-2 print:p-0 print:[page:report] print:[zoom:0.62]"
      actions={
        <>
          <TeamResultsPeriodSelect today={today} />
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
        skeleton={
          <SkeletonGroup label="กำลังสรุปผล" className="flex flex-col gap-3">
            <Skeleton className="h-20 rounded-card" />
            <div className="grid gap-3 xl:grid-cols-[minmax(0,1fr)_360px]">
              <Skeleton className="h-96 rounded-card" />
              <Skeleton className="h-96 rounded-card" />
            </div>
          </SkeletonGroup>
        }
        isEmpty={({ total }) => total.pursued === 0}
        empty={<NoResults />}
      >
        {(teamResults) => (
          <div aria-busy={isPlaceholderData || undefined} className="flex flex-col gap-3 aria-busy:opacity-60">
            <Figures data={teamResults} />
          </div>
        )}
      </QueryView>
      {parseTeamResultRowSelection(search) && <TeamResultRowsPanel data={data} />}
    </TeamPageFrame>
  )
}

function Figures({ data }: { data: TeamResults }) {
  return (
    <>
      <TeamResultsSummaryStrip total={data.total} />
      {!data.sees_price && (
        <Notice>
          ไม่แสดงราคาของเราและส่วนลด เพราะองค์กรให้เห็นเฉพาะบางบทบาท ผู้ดูแลขององค์กรเปลี่ยนได้ที่ ตั้งค่า → ทีม → ขั้นและรายการตรวจ
        </Notice>
      )}
      <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1fr)_360px] print:grid-cols-[minmax(0,1fr)_300px]">
        <TeamResultsTable data={data} />
        <div className="grid gap-3 max-xl:sm:grid-cols-2 print:grid-cols-1!">
          <TeamResultReasonsCard figure="lost" reasons={data.lost_reasons} />
          <TeamResultReasonsCard figure="declined" reasons={data.declined_reasons} />
          <FeedbackWeeksCard weeks={data.feedback_weeks} />
        </div>
      </div>
    </>
  )
}

function NoResults() {
  const { search, change } = useTeamResultsUrlState()
  return (
    <EmptyCard
      icon={Trophy}
      title={search.all ? 'ทีมยังไม่มีงานให้สรุป' : 'ไม่มีงานที่เริ่มทำในช่วงนี้'}
      actions={
        <>
          {!search.all && <Button onClick={() => change({ all: true, date__range: undefined })}>ดูทุกช่วงเวลา</Button>}
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

const REASON_TEXTS = {
  lost: { title: 'เหตุที่แพ้', none: 'ยังไม่มีงานที่แพ้ในช่วงนี้' },
  declined: { title: 'เหตุที่ไม่ยื่น', none: 'ยังไม่มีงานที่ตัดสินใจไม่ยื่นในช่วงนี้' },
}
type ReasonsCardProps = { figure: keyof typeof REASON_TEXTS; reasons: readonly TeamResultReason[] }

const MAX_VISIBLE_REASONS = 8
const MAX_PRINTED_REASONS = 5

function TeamResultReasonsCard({ figure, reasons }: ReasonsCardProps) {
  const { openFigure } = useTeamResultsUrlState()
  const { title, none } = REASON_TEXTS[figure]
  const total = reasons.reduce((sum, { n }) => sum + n, 0)
  const rows = reasons.slice(0, MAX_VISIBLE_REASONS).map(({ key, n }) => ({
    key,
    value: n,
    text: `${formatCount(n)} งาน`,
    label: key === UNGROUPED_TEAM_RESULTS_KEY ? 'ไม่ได้ระบุ' : key,
    onOpen: () => openFigure(figure, { by: `${figure}_reason`, key }),
  }))
  return (
    <Card as="section" aria-label={title} className="px-2 py-3">
      <h2 className="px-2 font-semibold">
        {title}{' '}
        {total > 0 && <span className="text-sm font-normal text-ink-muted tabular-nums">n={formatCount(total)}</span>}
      </h2>
      {rows.length === 0 ? (
        <p className="px-2 py-2 text-ink-muted">{none}</p>
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

const FIGURE_NAMES = {
  ...TEAM_RESULT_COLUMN_NAMES,
  discounted: 'ส่วนลดของเรา (มัธยฐาน)',
  timed: 'ประกาศถึงตัดสินใจ',
}

function TeamResultsSummaryStrip({ total }: { total: TeamResultFigures }) {
  const { openFigure } = useTeamResultsUrlState()
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
        <div key={figure} className="min-w-0 border-line px-4 py-1 not-first:sm:border-l">
          <dt className="text-sm text-ink-muted">{FIGURE_NAMES[figure]}</dt>
          <dd>
            <div className="leading-snug">
              <TeamResultFigureButton
                figure={figure}
                of="ทั้งหมด"
                n={n}
                onOpen={() => openFigure(figure)}
                className={classNames('text-xl font-semibold', isUncertainFigure(figure, n) && 'text-ink-faint')}
              >
                {text}
              </TeamResultFigureButton>
            </div>
            {notes[figure] && <p className="text-xs text-ink-muted tabular-nums">{notes[figure]}</p>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const smallText = (n: number) => (n > 0 && n < MIN_TEAM_RESULT_SAMPLE_SIZE ? ' · น้อยเกินจะสรุป' : '')
