import { ChartBarBig, ChevronRight, LayoutGrid } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { BudgetSummary } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { BarChart } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'
import { TreeMapChart } from '#src/ui/chart/tree-map-chart.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import {
  BUDGET_LEVEL_NAMES,
  computeRelativeChange,
  formatBudgetAmount,
  formatRelativeChange,
} from '../scope/budget-text.ts'
import { buildBudgetLevelPatch, getBudgetPath } from '../scope/budget-url.ts'
import { useBudgetUrlState } from '../scope/use-budget-url-state.ts'

type Row = BudgetSummary['breakdown'][number]
type DrillDownProps = { summary: BudgetSummary; onItem: (description: string) => void }

export function BudgetDrillDown({ summary, onItem }: DrillDownProps) {
  const { change } = useBudgetUrlState()
  const isWide = useMediaQuery('(min-width: 48rem)')
  const [chosen, setChosen] = useState<'areas' | 'bars'>()
  const view = chosen ?? (isWide ? 'areas' : 'bars')
  const { breakdown, others: otherRows, level } = summary
  const name = BUDGET_LEVEL_NAMES[level]
  const hasAmounts = breakdown.some(({ amount }) => amount !== null && amount > 0)
  const label = `วงเงินแยกตาม${name}`
  const open = (to: string) => (level === 'item' ? onItem(to) : change(buildBudgetLevelPatch(level, to)))
  const rows: DrillDownRow[] = [
    ...breakdown.map((figures) => ({ ...figures, key: figures.name, figures, onOpen: () => open(figures.name) })),
    // The leading space distinguishes the key from names.
    ...(otherRows ? [{ ...otherRows, key: ' others', name: `อีก ${formatCount(otherRows.rows)} แถวที่เหลือ` }] : []),
  ]
  return (
    <ChartFigure
      title="เงินอยู่ที่ไหน"
      scope={<PathLinks name={name} />}
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
        rows: rows.map((row) => ({ key: row.key, cells: cellsOf(row) })),
      }}
    >
      {view === 'areas' && hasAmounts ? (
        <TreeMapChart
          label={label}
          nodes={rows.map(({ key, name: rowName, n, amount, figures, onOpen }, index) => ({
            key,
            label: rowName,
            value: amount ?? 0,
            text: `${formatBudgetAmount(amount)} · ${formatCount(n)} รายการ`,
            tone: figures && (((index % 8) + 1) as ChartColour),
            onOpen,
          }))}
        />
      ) : (
        <BarChart
          label={label}
          rows={rows.map(({ key, name: rowName, n, amount, figures, onOpen }) => ({
            key,
            label: rowName,
            value: amount,
            text: formatBudgetAmount(amount),
            note: joinParts(`${formatCount(n)} รายการ`, figures && noteOf(figures)),
            onOpen,
          }))}
        />
      )}
    </ChartFigure>
  )
}

/** A row of the breakdown, or the total of the rows that it leaves out, which has no `figures`. */
type DrillDownRow = Pick<Row, 'name' | 'n' | 'amount'> & {
  readonly key: string
  readonly figures?: Row
  readonly onOpen?: () => void
}

function noteOf({ amount, last_year_amount: last, announced }: Row): string {
  const change = computeRelativeChange(amount, last)
  return joinParts(
    change !== null && `${formatRelativeChange(change)} จากปีก่อน`,
    announced > 0 && `ประกาศแล้ว ${formatCount(announced)}`,
  )
}

function cellsOf({ name, n, amount, figures, onOpen }: DrillDownRow): ReactNode[] {
  const change = figures && computeRelativeChange(amount, figures.last_year_amount)
  return [
    figures ? (
      <TextButton key="name" onClick={onOpen} className="text-left">
        {name}
      </TextButton>
    ) : (
      name
    ),
    formatCount(n),
    formatOrUnknown(amount, formatBudgetAmount),
    formatOrUnknown(figures?.last_year_amount, formatBudgetAmount),
    formatOrUnknown(change, formatRelativeChange),
    formatOrUnknown(figures?.announced, formatCount),
    formatOrUnknown(figures?.awarded, formatCount),
  ]
}

function PathLinks({ name }: { name: string }) {
  const { search, change } = useBudgetUrlState()
  const parts = [{ level: undefined, name: 'ทุกกระทรวง' }, ...getBudgetPath(search)]
  return (
    <nav aria-label="ระดับของงบประมาณ">
      <ol className="flex flex-wrap items-center gap-x-1">
        {parts.map(({ level, name: text }, index) => (
          <li key={level ?? 'top'} className="inline-flex min-w-0 items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-3 shrink-0 text-ink-faint" />}
            {index === parts.length - 1 ? (
              <span aria-current="location" className="font-medium text-ink">
                {text}
              </span>
            ) : (
              <TextButton onClick={() => change(buildBudgetLevelPatch(level, level && text))} className="text-left">
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
