import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import type { WhoWins } from '#contract/market/who-wins.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatKnownBaht } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { formatThaiMonth } from '#src/market/who-wins/month-text.ts'
import { AgencyIconLink } from '#src/report/agency-link/agency-link.tsx'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import type { OpenWhoWinsProjectsFn } from './who-wins-text.ts'

type WinTimesProps = { answer: WhoWins; onOpenRows: OpenWhoWinsProjectsFn }
const FIRST_AGENCIES = 5

type WonCount = { readonly n: number; readonly value: number | null }

const tableRow = (key: string, name: string, { n, value }: WonCount) => ({
  key,
  cells: [name, formatCount(n), formatBahtCompact(value)],
})

export function WhoWinsTimes({ answer, onOpenRows }: WinTimesProps) {
  const { months, years, methods } = answer
  const won = months.reduce((sum, { n }) => sum + n, 0)
  const bar = (rows: string, label: string, { n, value }: WonCount) => ({
    key: rows,
    label,
    value: n,
    text: `${formatCount(n)} งาน · ${formatKnownBaht(value)}`,
    onOpen: () => onOpenRows(rows),
  })
  return (
    <div className="grid gap-3 xl:grid-cols-2">
      <Agencies answer={answer} onOpenRows={onOpenRows} />
      <div className="flex min-w-0 flex-col gap-3">
        <ChartFigure
          title="ประกาศผลเดือนไหน"
          scope={`จาก ${formatCount(won)} งานที่บริษัทชนะและรู้วันประกาศผล`}
          empty={won === 0 ? 'ไม่รู้วันประกาศผลของงานใด' : undefined}
          table={{
            caption: 'งานตามเดือนที่ประกาศผล',
            columns: ['เดือน', 'งาน', 'มูลค่า (บาท)'],
            rows: months.map((month) => tableRow(month.month, formatThaiMonth(month.month), month)),
            numeric: [1, 2],
          }}
        >
          <ColumnChart
            label="งานตามเดือนที่ประกาศผล"
            columns={months.map(({ month, n, value }) => ({
              key: month,
              label: formatThaiMonth(month),
              value: n,
              text: `${formatCount(n)} งาน ${formatKnownBaht(value)}`,
              onOpen: () => onOpenRows(`month:${month}`),
            }))}
            formatValue={formatCount}
          />
        </ChartFigure>
        <ChartFigure
          title="ปีงบประมาณและวิธีจัดหา"
          scope={`จาก ${formatCount(answer.decided)} งานที่รู้ผล รวมที่บุคคลธรรมดาชนะ`}
          table={{
            caption: 'งานตามปีงบประมาณและวิธีจัดหา',
            columns: ['ปีหรือวิธี', 'งาน', 'มูลค่า (บาท)'],
            rows: [
              ...years.map((year) => tableRow(`y${year.year}`, year.year === 0 ? 'ไม่ทราบ' : String(year.year), year)),
              ...methods.map((method) =>
                tableRow(`m${method.method}`, getChoiceLabel(PROCUREMENT_METHODS, method.method), method),
              ),
            ],
            numeric: [1, 2],
          }}
        >
          <BarChart
            label="งานตามปีงบประมาณ"
            rows={years.map((year) =>
              bar(`year:${year.year}`, year.year === 0 ? 'ไม่ทราบปีงบประมาณ' : `ปีงบประมาณ ${year.year}`, year),
            )}
          />
          <hr className="my-2 border-line" />
          <BarChart
            label="งานตามวิธีจัดหา"
            rows={methods
              .slice(0, 6)
              .map((method) =>
                bar(`method:${method.method}`, getChoiceLabel(PROCUREMENT_METHODS, method.method), method),
              )}
          />
        </ChartFigure>
      </div>
    </div>
  )
}

function Agencies({ answer, onOpenRows }: WinTimesProps) {
  const { results, total } = answer.agencies
  const { visibleRows: visibleAgencies, nextCount, showMore } = useShowMore(results, FIRST_AGENCIES)
  const busiest = (months: readonly number[]) => {
    const maxCount = Math.max(...months)
    return maxCount === 0
      ? ''
      : `ประกาศผลมากสุด ${THAI_MONTHS[months.indexOf(maxCount)]!.short} (${formatCount(maxCount)})`
  }
  return (
    <ChartFigure
      title="หน่วยงานที่ซื้อ"
      scope={`${formatCount(total)} หน่วยงาน ตามมูลค่า จาก ${formatCount(answer.decided)} งาน รวมที่บุคคลธรรมดาชนะ`}
      table={{
        caption: 'หน่วยงานที่ซื้อ',
        columns: ['หน่วยงาน', 'งาน', 'มูลค่า (บาท)', ...THAI_MONTHS.map(({ short }) => short)],
        rows: results.map(({ name, n, value, months }) => ({
          key: name,
          cells: [name, formatCount(n), formatBahtCompact(value), ...months.map(formatCount)],
        })),
        numeric: Array.from({ length: 14 }, (_, index) => index + 1),
      }}
    >
      <BarChart
        label="หน่วยงานที่ซื้อ"
        rows={visibleAgencies.map(({ name, n, value, months }) => ({
          key: name,
          label: name,
          value,
          text: formatKnownBaht(value),
          note: joinParts(`${formatCount(n)} งาน`, busiest(months)),
          onOpen: () => onOpenRows(`agency:${name}`),
          aside: <AgencyIconLink name={name} />,
        }))}
      />
      <ShowMoreButton count={nextCount} onClick={showMore} size="sm" variant="quiet" className="mt-2" />
    </ChartFigure>
  )
}
