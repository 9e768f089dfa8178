import { isBudgetInDoubt, isEstimateInDoubt } from '#contract/catalogue/data-issue.ts'
import { calculateDiscount } from '#contract/catalogue/discount.ts'
import { getChoiceLabel, PROCUREMENT_METHODS, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { formatMillionsOfBaht, formatPercent } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { usePrinting } from '#src/lib/use-printing.ts'
import { useServerTime } from '#src/lib/use-server-time.ts'
import { describeFilter, useFilterTexts } from '#src/report/filter/use-filter-texts.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { formatReportDataTime } from './report-figures.tsx'

const WhoWinsPrintSheet = lazyPart(() => import('./wins/who-wins-print-sheet.tsx'), 'WhoWinsPrintSheet', {
  silent: true,
})

type ReportPrintProps = {
  page: ReportPageResponse
  rows: readonly ReportRow[]
  search: ReportSearch
}

const CELL = 'border-t border-slate-300 px-1.5 py-1 align-top'
const NUMBER = `${CELL} text-right whitespace-nowrap tabular-nums`

/** The table head repeats on every sheet; page numbers come from `@page report` in styles.css. */
export function ReportPrintSheet(sheet: ReportPrintProps) {
  const isPaper = useMediaQuery('print')
  const isRequested = usePrinting()
  const isPrinting = isPaper || isRequested
  if (sheet.search.view === 'who_wins') return <WhoWinsPrintSheet search={sheet.search} isPrinting={isPrinting} />
  return isPrinting && <Sheet {...sheet} />
}

function Sheet({ page, rows, search }: ReportPrintProps) {
  const now = useServerTime()
  const { texts } = useFilterTexts(search)
  const firstRow = (page.page - 1) * page.page_size + 1
  const lastRow = Math.min(page.page * page.page_size, page.total_project)
  return (
    <div className="hidden bg-white text-[8.5pt] leading-normal text-slate-900 print:block">
      <h1 className="text-[15pt] font-semibold">รายงานโครงการ</h1>
      <p>
        <b>{formatCount(page.total_project)}</b> โครงการ มูลค่ารวม <b>{formatMillionsOfBaht(page.total_budget)}</b> ล้านบาท
        <DoubtfulAmountsNote count={page.amounts_in_doubt} />
        {' · จำนวนเงินเป็นบาท'}
        {page.total_project > rows.length && ` · แผ่นนี้มีลำดับ ${formatCount(firstRow)}–${formatCount(lastRow)}`}
      </p>
      <p>ตัวกรอง: {texts.map(describeFilter).join(' · ') || 'ไม่มี'}</p>
      <p className="mb-2 text-slate-600">
        ที่มา ระบบจัดซื้อจัดจ้างภาครัฐ (e-GP) ผ่านตามงาน · {formatReportDataTime(page)} · พิมพ์{' '}
        {formatThaiDateTime(now.toISOString())}
      </p>
      <table className="w-full table-fixed border-collapse">
        <colgroup>
          {COLUMN_HEADS.map(({ text, width }) => (
            <col key={text} style={{ width }} />
          ))}
        </colgroup>
        <thead>
          <tr className="bg-slate-100 text-left">
            {COLUMN_HEADS.map(({ text, isNumber }) => (
              <th key={text} scope="col" className={`px-1.5 py-1 font-semibold ${isNumber ? 'text-right' : ''}`}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={row.project_id} className="break-inside-avoid">
              <td className={`${NUMBER} text-slate-600`}>{formatCount(firstRow + at)}</td>
              <td className={CELL}>
                {row.name}
                <span className="block text-slate-600 tabular-nums">
                  {row.project_id} · {getChoiceLabel(PROCUREMENT_METHODS, row.method)}
                </span>
              </td>
              <td className={CELL}>
                {row.dept_sub_name || row.dept_name}
                <span className="block text-slate-600">{row.project_province ?? row.dept_province}</span>
              </td>
              <td className={CELL}>{getChoiceLabel(PROJECT_MOVEMENTS, row.movement)}</td>
              <td className={CELL}>
                {row.submission_end_date === null ? '–' : formatThaiDateShortOrOriginal(row.submission_end_date)}
                {row.submission_time && (
                  <span className="block whitespace-nowrap text-slate-600">{row.submission_time} น.</span>
                )}
              </td>
              <td className={NUMBER}>{isBudgetInDoubt(row) ? 'น่าสงสัย' : baht(row.budget)}</td>
              <td className={NUMBER}>{isEstimateInDoubt(row) ? 'น่าสงสัย' : baht(row.estimate_budget)}</td>
              <td className={CELL}>
                {row.winner_name ?? '–'}
                {row.winner_count > 1 && ` และอีก ${row.winner_count - 1} ราย`}
              </td>
              <td className={NUMBER}>
                {baht(row.winner_budget)}
                <Discount row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const COLUMN_HEADS: readonly { readonly text: string; readonly width: string; readonly isNumber?: boolean }[] = [
  { text: '#', width: '3.5%', isNumber: true },
  { text: 'โครงการ', width: '27.5%' },
  { text: 'หน่วยงาน', width: '13.5%' },
  { text: 'ความเคลื่อนไหว', width: '9.5%' },
  { text: 'สิ้นสุดยื่น', width: '9%' },
  { text: 'งบประมาณ', width: '9%', isNumber: true },
  { text: 'ราคากลาง', width: '9%', isNumber: true },
  { text: 'ผู้ชนะ', width: '10.5%' },
  { text: 'ราคาที่ชนะ', width: '8.5%', isNumber: true },
]

const baht = (amount: number | null) => (amount === null ? '–' : formatBaht(amount))

/** Shows the discount and names its base unless that is the reference price (D20). */
function Discount({ row }: { row: ReportRow }) {
  const discount = calculateDiscount(row)
  if (!discount) return null
  const { rate, against } = discount
  return (
    <span className="block text-slate-600">
      {rate < 0 ? `สูงกว่า ${formatPercent(-rate)}` : `ต่ำกว่า ${formatPercent(rate)}`}
      {against === 'budget' && ' (จากงบ)'}
    </span>
  )
}
