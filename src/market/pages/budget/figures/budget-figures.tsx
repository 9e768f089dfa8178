import { useQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BudgetScope, BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatExpectedAnnouncement, toFiscalYearMonths } from '#src/catalogue/announced-months/announced-months.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { formatPercent } from '#src/lib/figure-text.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { ColumnChart } from '#src/ui/chart/column-chart.tsx'
import { StackedBarChart } from '#src/ui/chart/stacked-bar-chart.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import {
  computeRelativeChange,
  focusBudgetItems,
  formatBudgetAmount,
  formatRelativeChange,
} from '../scope/budget-text.ts'
import { useBudgetUrlState } from '../scope/use-budget-url-state.ts'
import { BudgetDrillDown } from './budget-drill-down.tsx'
import { BudgetFunnelCard } from './budget-funnel-card.tsx'
import { BudgetKeywordsCard } from './budget-keywords-card.tsx'

/** Shows when similar items were announced in earlier years, as a hint for this year (N9). */
function MonthsCard({ summary: { months, scope } }: { summary: BudgetSummary }) {
  const total = months.reduce((sum, { n }) => sum + n, 0)
  const rows = toFiscalYearMonths(months)
  const today = useBangkokToday()
  return (
    <ChartFigure
      title="เดือนที่เคยประกาศ"
      scope={
        <>
          {formatExpectedAnnouncement(months, scope.fiscal_year, today)}
          {total > 0 && (
            <span className="block">
              จาก {formatCount(total)} โครงการของหน่วยงานและคำเดียวกันในปีก่อน ๆ เป็นจังหวะที่ผ่านมา ไม่ใช่กำหนดการ
            </span>
          )}
        </>
      }
      empty={total === 0 ? 'ยังไม่มีโครงการของปีก่อน ๆ ให้เทียบจังหวะ' : undefined}
      table={{
        caption: 'จำนวนโครงการที่ประกาศในแต่ละเดือนของปีก่อน ๆ',
        columns: ['เดือน', 'โครงการ'],
        rows: rows.map(({ month, n }) => ({
          key: String(month),
          cells: [THAI_MONTHS[month - 1]!.full, formatCount(n)],
        })),
      }}
    >
      <ColumnChart
        label="จำนวนโครงการที่ประกาศในแต่ละเดือน"
        columns={rows.map(({ month, n }) => ({
          key: String(month),
          label: THAI_MONTHS[month - 1]!.short,
          value: n,
          text: `${formatCount(n)} โครงการ`,
        }))}
        formatValue={formatCount}
      />
    </ChartFigure>
  )
}

const VISIBLE_SOURCES = 2

function ScopeLine({ scope }: { scope: BudgetScope }) {
  const { universe, fiscal_year: year, n, n_year: yearTotal, computed_at: computed, sources } = scope
  const folded = sources.slice(VISIBLE_SOURCES)
  return (
    <div className="text-xs text-ink-muted">
      <p>
        {universe === 'matched' ? 'เฉพาะรายการที่ตรงคำติดตาม' : 'ทุกรายการ'} · ปีงบประมาณ {year} ·{' '}
        <span className="tabular-nums">
          {formatCount(n)} จาก {formatCount(yearTotal)} รายการของปี
        </span>{' '}
        · {computed === null ? 'ยังไม่มีข้อมูลรอบล่าสุด' : `คำนวณ ณ ${formatThaiDateTime(computed)}`}
      </p>
      {sources.length > 0 && (
        <div>
          ที่มา {sources.slice(0, VISIBLE_SOURCES).join(' · ')}
          {folded.length > 0 && (
            <details className="inline">
              <summary className="inline rounded-control text-accent-ink hover:underline touch:py-3.5">
                {' '}
                และอีก {formatCount(folded.length)} ฉบับ
              </summary>
              <span> {folded.join(' · ')}</span>
            </details>
          )}
        </div>
      )}
    </div>
  )
}

type BudgetFiguresProps = {
  summary: BudgetSummary
  isOld: boolean
  search: BudgetSearch
  onItem: (description: string) => void
}

export function BudgetFigures({ summary, isOld, search, onItem }: BudgetFiguresProps) {
  const isEmpty = summary.scope.n === 0
  // The funnel ignores the state filter, so that the user can choose another step.
  const { state: _state, ...anyState } = search
  const anyStateSummary = useQuery(budgetSummaryQuery(anyState))
  return (
    <div aria-busy={isOld} className="flex flex-col gap-4 aria-busy:opacity-60">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <ScopeLine scope={summary.scope} />
        <Button variant="link" size="sm" icon={ArrowDown} onClick={focusBudgetItems} className="-ml-1 print:hidden">
          ไปที่ตารางรายการ
        </Button>
      </div>
      <BudgetKeyFigures summary={summary} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <BudgetKeywordsCard summary={summary} />
        {!isEmpty && (
          <div className={summary.words.length === 0 ? 'contents' : 'flex min-w-0 flex-col gap-4'}>
            <BudgetFunnelCard funnel={anyStateSummary.data?.funnel ?? summary.funnel} />
            <MonthsCard summary={summary} />
          </div>
        )}
      </div>
      {!isEmpty && (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <BudgetDrillDown summary={summary} onItem={onItem} />
          <BudgetCategoryCard summary={summary} />
        </div>
      )}
    </div>
  )
}

function BudgetCategoryCard({ summary: { by_category: categories, scope } }: { summary: BudgetSummary }) {
  const { change, showItems } = useBudgetUrlState()
  const years = [...new Set(categories.flatMap((category) => category.years.map((year) => year.fiscal_year)))].sort(
    (a, b) => a - b,
  )
  const amountOf = (category: (typeof categories)[number], year: number) =>
    category.years.find(({ fiscal_year }) => fiscal_year === year)?.amount ?? null
  const totalOf = (year: number) => {
    const knownAmounts = categories.map((category) => amountOf(category, year)).filter((amount) => amount !== null)
    return knownAmounts.length === 0 ? null : knownAmounts.reduce((sum, amount) => sum + amount, 0)
  }
  return (
    <ChartFigure
      title="หมวดรายจ่ายรายปี"
      scope="หมวดระดับ 1 ของรายการที่ค้นพบ ทุกปีที่แพ็กเกจเปิดให้ดู"
      empty={categories.length === 0 ? 'ไม่มีหมวดรายจ่ายของรายการเหล่านี้' : undefined}
      table={{
        caption: 'วงเงินตามหมวดรายจ่ายและปี',
        columns: ['หมวดรายจ่าย', ...years.map((year) => `ปี ${year}`)],
        rows: categories.map((category) => ({
          key: category.category,
          cells: [
            <TextButton key="name" onClick={() => showItems({ category: [category.category] })} className="text-left">
              {category.category}
            </TextButton>,
            ...years.map((year) => formatOrUnknown(amountOf(category, year), formatBudgetAmount)),
          ],
        })),
      }}
    >
      <StackedBarChart
        label="วงเงินตามหมวดรายจ่ายรายปี"
        parts={categories.map(({ category }, index) => ({
          key: category,
          label: category,
          tone: ((index % 8) + 1) as ChartColour,
        }))}
        rows={years.map((year) => ({
          key: String(year),
          label: `ปี ${year}`,
          values: Object.fromEntries(categories.map((category) => [category.category, amountOf(category, year) ?? 0])),
          text: formatBudgetAmount(totalOf(year)),
          ...(year === scope.fiscal_year ? {} : { onOpen: () => change({ year, item: undefined }) }),
        }))}
        formatValue={formatBudgetAmount}
      />
    </ChartFigure>
  )
}

function BudgetKeyFigures({ summary }: { summary: BudgetSummary }) {
  const { scope, amount, last_year: last, funnel, discount } = summary
  const change = last && computeRelativeChange(amount, last.amount)
  const shareOfItems = (n: number) => ({
    value: funnel.budget.n === 0 ? undefined : formatPercent(n / funnel.budget.n),
    note: `${formatCount(n)} จาก ${formatCount(funnel.budget.n)} รายการ`,
  })
  const figures: readonly { name: string; value: string | undefined; note: ReactNode }[] = [
    {
      name: scope.universe === 'matched' ? 'รายการที่ตรงคำ' : 'รายการ',
      value: formatCount(scope.n),
      note: `จาก ${formatCount(scope.n_year)} รายการ`,
    },
    {
      name: 'วงเงินรวม',
      value: amount === null ? undefined : formatBudgetAmount(amount),
      note: amount === null ? undefined : `${formatBaht(amount)} บาท`,
    },
    {
      name: 'เทียบปีก่อน',
      value: change === null ? undefined : formatRelativeChange(change),
      note: last
        ? `ปี ${last.fiscal_year} มี ${formatCount(last.n)} รายการ ${formatBudgetAmount(last.amount)} ด้วยเงื่อนไขเดียวกัน`
        : 'ไม่มีข้อมูลปีก่อนในแพ็กเกจ',
    },
    { name: 'ประกาศแล้ว', ...shareOfItems(funnel.draft.n) },
    { name: 'ได้ผู้ชนะแล้ว', ...shareOfItems(funnel.awarded.n) },
    {
      name: 'ส่วนลดเฉลี่ยจากราคากลาง',
      value: discount.weighted === null ? undefined : formatPercent(discount.weighted),
      note: (
        <>
          {discount.n === 0 ? 'ยังไม่มีงานที่รู้ทั้งผู้ชนะและราคากลาง' : `จาก ${formatCount(discount.n)} โครงการ ถ่วงด้วยวงเงิน`}
          <DoubtfulAmountsNote count={discount.amounts_in_doubt} />
        </>
      ),
    },
  ]
  return (
    <Card as="section" aria-label="ตัวเลขสำคัญ">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 p-4 md:grid-cols-3 lg:p-5 xl:grid-cols-6">
        {figures.map(({ name, value, note }) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-ink-muted">{name}</dt>
            <dd>
              <span className="block text-xl font-semibold tabular-nums">{value ?? <UnknownValue />}</span>
              {note && <span className="block text-xs text-ink-muted tabular-nums">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
