import type { BudgetItemState, BudgetSummary } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { TextButton } from '#src/ui/text-button.tsx'
import { formatBudgetAmount } from '../scope/budget-text.ts'
import { useBudgetUrlState } from '../scope/use-budget-url-state.ts'

/** Each step includes the later ones; cancelled items are shown separately. */
export function BudgetFunnelCard({ funnel }: Pick<BudgetSummary, 'funnel'>) {
  const { search, showItems } = useBudgetUrlState()
  const steps: { key: keyof typeof funnel; label: string; tone: ChartColour; states?: readonly BudgetItemState[] }[] = [
    { key: 'budget', label: 'ได้งบ', tone: 1 },
    { key: 'draft', label: 'เผยแพร่ร่าง TOR', tone: 2, states: ['draft', 'invited', 'awarded'] },
    { key: 'invited', label: 'ประกาศเชิญชวน', tone: 3, states: ['invited', 'awarded'] },
    { key: 'awarded', label: 'ได้ผู้ชนะ', tone: 4, states: ['awarded'] },
    { key: 'cancelled', label: 'ยกเลิก', tone: 5, states: ['cancelled'] },
  ]
  const total = funnel.budget.n
  const share = (n: number) => (total === 0 ? '–' : formatPercent(n / total))
  return (
    <ChartFigure
      title="จากงบถึงผู้ชนะ"
      scope="ขั้นไกลสุดที่โครงการของรายการไปถึง แต่ละขั้นนับขั้นหลังจากนั้นด้วย กดเพื่อดูรายการ"
      empty={total === 0 ? 'ไม่มีรายการ' : undefined}
      table={{
        caption: 'จำนวนและวงเงินของรายการตามขั้น',
        columns: ['ขั้น', 'รายการ', 'ของทั้งหมด', 'วงเงิน'],
        rows: steps.map(({ key, label, states }) => ({
          key,
          cells: [
            <TextButton key="name" onClick={() => showItems({ state: states })}>
              {label}
            </TextButton>,
            formatCount(funnel[key].n),
            share(funnel[key].n),
            formatBudgetAmount(funnel[key].amount),
          ],
        })),
      }}
    >
      <BarChart
        label="รายการตามขั้น"
        max={total}
        rows={steps.map(({ key, label, tone, states }) => ({
          key,
          label,
          value: funnel[key].n,
          text: `${formatCount(funnel[key].n)} รายการ · ${formatBudgetAmount(funnel[key].amount)}`,
          note:
            joinParts(
              key !== 'budget' && `${share(funnel[key].n)} ของรายการที่ได้งบ`,
              search.state && search.state.join() === states?.join() && 'กำลังแสดงในตาราง',
            ) || undefined,
          tone,
          onOpen: () => showItems({ state: states }),
        }))}
      />
    </ChartFigure>
  )
}
