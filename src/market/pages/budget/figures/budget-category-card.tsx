import type { BudgetSummary } from '#contract/market/budget.ts'
import { formatBudgetAmount } from '#src/market/pages/budget/scope/budget-text.ts'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { StackedBarChart } from '#src/ui/chart/stacked-bar-chart.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'

type CategoryCardProps = {
  summary: BudgetSummary
  onOpen: (category: string) => void
  onYear: (year: number) => void
}

export function BudgetCategoryCard({ summary: { by_category: categories, scope }, onOpen, onYear }: CategoryCardProps) {
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
        numeric: years.map((_, index) => index + 1),
        rows: categories.map((category) => ({
          key: category.category,
          cells: [
            <button
              key="name"
              type="button"
              onClick={() => onOpen(category.category)}
              className="rounded-control text-left text-accent-ink hover:underline touch:min-h-11"
            >
              {category.category}
            </button>,
            ...years.map((year) => {
              const amount = amountOf(category, year)
              return formatOrUnknown(amount, formatBudgetAmount)
            }),
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
          ...(year === scope.fiscal_year ? {} : { onOpen: () => onYear(year) }),
        }))}
        formatValue={formatBudgetAmount}
      />
    </ChartFigure>
  )
}
