import type { BudgetSummary } from '#contract/budget.ts'
import { bangkokToday, THAI_MONTHS } from '#contract/thai-date.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { countText } from '#src/lib/money-text.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { ChartFigure } from '#src/ui/chart-figure.tsx'
import { expectedText, fiscalMonths } from './announced-months.ts'

const ColumnChart = lazyPart(() => import('#src/ui/column-chart.tsx'), 'ColumnChart')

/** When things like these were announced in earlier years, and so when to look out this year (N-9). */
export function MonthsCard({ summary: { months, scope } }: { summary: BudgetSummary }) {
  const total = months.reduce((sum, { n }) => sum + n, 0)
  const rows = fiscalMonths(months)
  return (
    <ChartFigure
      title="เดือนที่เคยประกาศ"
      scope={
        <>
          {expectedText(months, scope.fiscal_year, bangkokToday(serverNow()))}
          {total > 0 && (
            <span className="block">
              จาก {countText(total)} โครงการของหน่วยงานและคำเดียวกันในปีก่อน ๆ เป็นจังหวะที่ผ่านมา ไม่ใช่กำหนดการ
            </span>
          )}
        </>
      }
      empty={total === 0 ? 'ยังไม่มีโครงการของปีก่อน ๆ ให้เทียบจังหวะ' : undefined}
      table={{
        caption: 'จำนวนโครงการที่ประกาศในแต่ละเดือนของปีก่อน ๆ',
        columns: ['เดือน', 'โครงการ'],
        numeric: [1],
        rows: rows.map(({ month, n }) => ({ key: String(month), cells: [THAI_MONTHS[month - 1]!.full, countText(n)] })),
      }}
    >
      <ColumnChart
        label="จำนวนโครงการที่ประกาศในแต่ละเดือน"
        columns={rows.map(({ month, n }) => ({
          key: String(month),
          label: THAI_MONTHS[month - 1]!.short,
          value: n,
          text: `${countText(n)} โครงการ`,
        }))}
        formatValue={countText}
      />
    </ChartFigure>
  )
}
