import { Link } from '@tanstack/react-router'
import { CalendarDays, Link2, type LucideIcon, Printer, SquareKanban } from 'lucide-react'
import type { ReactNode } from 'react'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { formatCountWithSeparators, formatMillionsOfBaht } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MatchingInProgressNotice } from '#src/matching/matching-progress/matching-notice.tsx'
import { ReportColumnsButton } from '#src/report/columns/columns-button.tsx'
import { ReportExportButton } from '#src/report/export/export-button.tsx'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { formatReportPeriod } from './table/report-period-text.ts'
import { WonProjectCount } from './wins/won-project-count.tsx'

type ReportHeadingProps = {
  search: ReportSearch
  page: ReportPageResponse | undefined
  /** True if the link contains the user's own stars or labels, which the recipient does not have. */
  isPersonal: boolean
  isTable: boolean
  packaged: ReportSearch
  segments: ReactNode
  views: ReactNode
  menu: ReactNode
  action: ReactNode
}

export function ReportHeading({
  search,
  page,
  isPersonal,
  isTable,
  packaged,
  segments,
  views,
  menu,
  action,
}: ReportHeadingProps) {
  return (
    <div className="flex min-h-12 items-center gap-x-3 max-md:min-h-11 max-md:gap-x-1">
      <h1 className="truncate text-xl font-semibold max-md:min-w-0 md:shrink-0">รายงานโครงการ</h1>
      {views}
      {isTable && segments}
      <p className="relative min-w-0 flex-1 truncate text-ink-muted">
        {page && (
          <>
            <MatchingInProgressNotice className="mr-3 align-bottom" />
            {search.view === 'who_wins' ? (
              <WonProjectCount search={packaged} />
            ) : (
              <Figures page={page} isTable={isTable} isCounted={Boolean(segments)} />
            )}
          </>
        )}
      </p>
      {isTable ? (
        <>
          <div className="flex items-center gap-1 print:hidden">
            <IconButton icon={Link2} label="คัดลอกลิงก์" onClick={() => void copyReportLink(search, isPersonal)} />
            <ReportColumnsButton />
            {!isDemoSession() && (
              <OtherViewLink search={search} to="/board" icon={SquareKanban} label="ดูตัวกรองนี้บนบอร์ด" />
            )}
            <OtherViewLink search={search} to="/calendar" icon={CalendarDays} label="ดูตัวกรองนี้ในปฏิทิน" />
            <IconButton
              icon={Printer}
              label="พิมพ์ / PDF"
              className="max-[100rem]:hidden"
              onClick={() => window.print()}
            />
            <ReportExportButton />
          </div>
          {action}
        </>
      ) : (
        menu
      )}
    </div>
  )
}

function OtherViewLink({ search, to, icon: Icon, label }: OtherViewProps) {
  return (
    <Link
      to={to}
      search={{ report: getBoardFilters(search) }}
      title={label}
      aria-label={label}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-control text-ink-muted transition-colors hover:bg-surface-muted hover:text-ink touch:size-11"
    >
      <Icon aria-hidden className="size-4" />
    </Link>
  )
}
type OtherViewProps = Pick<ReportHeadingProps, 'search'> & {
  to: '/board' | '/calendar'
  icon: LucideIcon
  label: string
}

type FiguresProps = {
  page: ReportPageResponse
  isTable: boolean
  isCounted: boolean
}

function Figures({ page, isTable, isCounted }: FiguresProps) {
  const strong = 'font-semibold text-ink tabular-nums'
  if (!isTable) {
    return (
      <>
        <b className={strong}>{formatCountWithSeparators(page.total_project)}</b>
        <span className="sr-only"> โครงการ</span> · <b className={strong}>{formatMillionsOfBaht(page.total_budget)}</b>{' '}
        ล้าน
        <span className="sr-only">บาท</span>
        <DoubtfulAmountsNote count={page.amounts_in_doubt} />
      </>
    )
  }
  return (
    <>
      <span className={isCounted ? 'sr-only' : undefined}>
        <b className={strong}>{formatCountWithSeparators(page.total_project)}</b> โครงการ ·{' '}
      </span>
      มูลค่ารวม <b className={strong}>{formatMillionsOfBaht(page.total_budget)}</b> ล้านบาท
      <DoubtfulAmountsNote count={page.amounts_in_doubt} /> · {formatReportDataTime(page)}
      <span className="max-[100rem]:hidden"> · ช่วงรายงาน {formatReportPeriod(page.report_window)}</span>
    </>
  )
}

export const formatReportDataTime = ({ data_time: time }: Pick<ReportPageResponse, 'data_time'>) =>
  time === null ? 'ยังไม่มีข้อมูล' : `ข้อมูล ณ ${formatThaiDateTime(time)}`
