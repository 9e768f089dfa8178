import type { ReportPageResponse } from '#contract/report/report.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { formatMillionsOfBaht } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'

const STRONG = 'font-semibold text-ink tabular-nums'

export function PhoneReportFigures({ page }: { page: ReportPageResponse }) {
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

type ReportPeriod = { readonly start: string | null; readonly end: string | null }

export function formatReportPeriod({ start, end }: ReportPeriod): string {
  if (start && end) return `${formatThaiDateShortOrOriginal(start)} – ${formatThaiDateShortOrOriginal(end)}`
  if (start) return `ตั้งแต่ ${formatThaiDateShortOrOriginal(start)}`
  return end ? `ถึง ${formatThaiDateShortOrOriginal(end)}` : 'ทุกวัน'
}
