import { Share2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReportPageResponse } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { formatMillionsOfBaht } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MatchingInProgressNotice } from '#src/matching/matching-progress/matching-notice.tsx'
import { copyReportLink } from '#src/report/link/copy-report-link.ts'
import { Button } from '#src/ui/button.tsx'
import { formatReportPeriod } from './table/report-period-text.ts'

type ReportHeadingProps = {
  search: ReportSearch
  page: ReportPageResponse | undefined
  isPersonal: boolean
  isTable: boolean
  segments: ReactNode
  views: ReactNode
  queue: ReactNode
  menu: ReactNode
}

export function ReportHeading({ search, page, isPersonal, isTable, segments, views, queue, menu }: ReportHeadingProps) {
  return (
    <div className="flex min-h-12 items-center gap-x-3 max-md:min-h-11 max-md:gap-x-1">
      <h1 className="truncate text-xl font-semibold max-md:min-w-0 md:shrink-0">รายงานโครงการ</h1>
      {views}
      {isTable && segments}
      <p className="relative min-w-0 flex-1 truncate text-ink-muted">
        {page && <MatchingInProgressNotice className="mr-3 align-bottom" />}
        {page && !isTable && <PhoneFigures page={page} />}
      </p>
      {isTable && (
        <>
          {queue}
          <Button
            icon={Share2}
            title="คัดลอกลิงก์ของรายการนี้"
            onClick={() => void copyReportLink(search, isPersonal)}
            className="print:hidden"
          >
            แชร์
          </Button>
        </>
      )}
      {menu}
    </div>
  )
}

const STRONG = 'font-semibold text-ink tabular-nums'

function PhoneFigures({ page }: { page: ReportPageResponse }) {
  return (
    <>
      <b className={STRONG}>{formatCount(page.total_project)}</b>
      <span className="sr-only"> โครงการ</span> · <b className={STRONG}>{formatMillionsOfBaht(page.total_budget)}</b>{' '}
      ล้าน
      <span className="sr-only">บาท</span>
      <DoubtfulAmountsNote count={page.amounts_in_doubt} />
    </>
  )
}

export function ReportFigures({ page }: { page: ReportPageResponse }) {
  return (
    <p className="min-w-0 truncate text-ink-muted">
      มูลค่ารวม <b className={STRONG}>{formatMillionsOfBaht(page.total_budget)}</b> ล้านบาท
      <DoubtfulAmountsNote count={page.amounts_in_doubt} /> · {formatReportDataTime(page)}
      <span className="max-[100rem]:hidden"> · ช่วงรายงาน {formatReportPeriod(page.report_window)}</span>
    </p>
  )
}

export const formatReportDataTime = ({ data_time: time }: Pick<ReportPageResponse, 'data_time'>) =>
  time === null ? 'ยังไม่มีข้อมูล' : `ข้อมูล ณ ${formatThaiDateTime(time)}`
