import { TextButton } from '#src/ui/text-button.tsx'
import { ChartBarBig, ChevronRight, LayoutGrid } from 'lucide-react'
import { useState } from 'react'
import type { BudgetSummary } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import {
  BUDGET_LEVEL_NAMES,
  computeRelativeChange,
  formatBudgetAmount,
  formatRelativeChange,
} from '#src/market/pages/budget/scope/budget-text.ts'
import type { BudgetPathLevel } from '#src/market/pages/budget/scope/budget-url.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { TreeMapChart } from '#src/ui/chart/tree-map-chart.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'

type Row = BudgetSummary['breakdown'][number]
type DrillDownProps = {
  summary: BudgetSummary
  path: readonly { readonly level: BudgetPathLevel; readonly name: string }[]
  /** Moves up to this level of the path; undefined is the top level. */
  onUp: (level: BudgetPathLevel | undefined) => void
  onDown: (name: string) => void
}

export function BudgetDrillDown({ summary, path, onUp, onDown }: DrillDownProps) {
  const isWide = useMediaQuery('(min-width: 48rem)')
  const [chosen, setChosen] = useState<'areas' | 'bars'>()
  const view = chosen ?? (isWide ? 'areas' : 'bars')
  const { breakdown, others: otherRows, level } = summary
  const name = BUDGET_LEVEL_NAMES[level]
  const hasAmounts = breakdown.some(({ amount }) => amount !== null && amount > 0)
  const label = `วงเงินแยกตาม${name}`
  return (
    <ChartFigure
      title="เงินอยู่ที่ไหน"
      scope={<PathLinks path={path} name={name} onUp={onUp} />}
      empty={breakdown.length === 0 ? 'ไม่มีรายการในระดับนี้' : undefined}
      actions={
        breakdown.length > 0 && (
          <IconButton
            icon={view === 'areas' ? ChartBarBig : LayoutGrid}
            label={view === 'areas' ? 'แสดงเป็นแท่ง' : 'แสดงเป็นพื้นที่'}
            size="sm"
            onClick={() => setChosen(view === 'areas' ? 'bars' : 'areas')}
          />
        )
      }
      table={{
        caption: label,
        columns: [name, 'รายการ', `ปี ${summary.scope.fiscal_year}`, 'ปีก่อน', 'เปลี่ยน', 'ประกาศแล้ว', 'ได้ผู้ชนะ'],
        numeric: [1, 2, 3, 4, 5, 6],
        rows: [
          ...breakdown.map((row) => ({ key: row.name, cells: cellsOf(row, onDown) })),
          ...(otherRows
            ? [
                {
                  key: 'others',
                  cells: [
                    othersName(otherRows),
                    formatCount(otherRows.n),
                    formatBudgetAmount(otherRows.amount),
                    ...Array(4).fill(<UnknownValue />),
                  ],
                },
              ]
            : []),
        ],
      }}
    >
      {view === 'areas' && hasAmounts ? (
        <TreeMapChart
          label={label}
          nodes={[
            ...breakdown.map((row, index) => ({
              key: row.name,
              label: row.name,
              value: row.amount ?? 0,
              text: `${formatBudgetAmount(row.amount)} · ${formatCount(row.n)} รายการ`,
              tone: ((index % 8) + 1) as ChartColour,
              onOpen: () => onDown(row.name),
            })),
            ...(otherRows
              ? [
                  {
                    key: ' others',
                    label: othersName(otherRows),
                    value: otherRows.amount ?? 0,
                    text: `${formatBudgetAmount(otherRows.amount)} · ${formatCount(otherRows.n)} รายการ`,
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <BarChart
          label={label}
          rows={[
            ...breakdown.map((row) => ({
              key: row.name,
              label: row.name,
              value: row.amount,
              text: formatBudgetAmount(row.amount),
              note: noteOf(row),
              onOpen: () => onDown(row.name),
            })),
            ...(otherRows
              ? [
                  {
                    key: ' others',
                    label: othersName(otherRows),
                    value: otherRows.amount,
                    text: formatBudgetAmount(otherRows.amount),
                    note: `${formatCount(otherRows.n)} รายการ`,
                  },
                ]
              : []),
          ]}
        />
      )}
    </ChartFigure>
  )
}

const othersName = ({ rows }: NonNullable<BudgetSummary['others']>) => `อีก ${formatCount(rows)} แถวที่เหลือ`

function noteOf({ n, amount, last_year_amount: last, announced }: Row): string {
  const change = computeRelativeChange(amount, last)
  return [
    `${formatCount(n)} รายการ`,
    change === null ? undefined : `${formatRelativeChange(change)} จากปีก่อน`,
    announced > 0 ? `ประกาศแล้ว ${formatCount(announced)}` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

function cellsOf(row: Row, onDown: (name: string) => void) {
  const change = computeRelativeChange(row.amount, row.last_year_amount)
  return [
    <TextButton key="name" onClick={() => onDown(row.name)} className="text-left">
      {row.name}
    </TextButton>,
    formatCount(row.n),
    formatOrUnknown(row.amount, formatBudgetAmount),
    formatOrUnknown(row.last_year_amount, formatBudgetAmount),
    formatOrUnknown(change, formatRelativeChange),
    formatCount(row.announced),
    formatCount(row.awarded),
  ]
}

function PathLinks({ path, name, onUp }: { path: DrillDownProps['path']; name: string; onUp: DrillDownProps['onUp'] }) {
  const parts = [{ level: undefined, text: 'ทุกกระทรวง' }, ...path.map(({ level, name: text }) => ({ level, text }))]
  return (
    <nav aria-label="ระดับของงบประมาณ">
      <ol className="flex flex-wrap items-center gap-x-1">
        {parts.map(({ level, text }, index) => (
          <li key={level ?? 'top'} className="inline-flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-3 shrink-0 text-ink-faint" />}
            {index === parts.length - 1 ? (
              <span aria-current="location" className="font-medium text-ink">
                {text}
              </span>
            ) : (
              <TextButton onClick={() => onUp(level)} className="text-left">
                {text}
              </TextButton>
            )}
          </li>
        ))}
        <li className="text-ink-faint">· แยกตาม{name}</li>
      </ol>
    </nav>
  )
}
