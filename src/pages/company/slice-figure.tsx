import type { ReactNode } from 'react'
import { formatBaht, formatBahtCompact } from '#contract/thai-number.ts'
import { countText } from '#src/lib/money-text.ts'
import { ChartFigure } from '#src/ui/chart-figure.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { type BlockProps, winsText } from './block-props.ts'
import { BarChart } from './lazy-charts.ts'
import { OpenRows } from './open-rows.tsx'

export type Slice = {
  /** `rows` of the address that shows its projects. */
  readonly rows: string
  readonly label: string
  readonly wins: number
  readonly value: number | null
  /** Beside the number of wins. */
  readonly note?: string | undefined
  /** More cells of the table, in the order of `columns`. */
  readonly cells?: readonly ReactNode[]
}

type SliceFigureProps = Pick<BlockProps, 'openRows'> & {
  title: string
  /** What a row is, as the head of the table's first column. */
  what: string
  /** Of what it is made, and a finding. */
  scope: ReactNode
  slices: readonly Slice[]
  /** Rows that are drawn; the table has them all. */
  most?: number
  /** Columns of the table behind wins and value. */
  columns?: readonly string[]
  className?: string
}

/** Wins and their value by some quality of the project: bars by value, each with its wins. */
export function SliceFigure({
  title,
  what,
  scope,
  slices,
  most = slices.length,
  columns = [],
  openRows,
  className,
}: SliceFigureProps) {
  // One left out would take the room of its own bar.
  const drawn = slices.length <= most + 1 ? slices.length : most
  const hidden = slices.length - drawn
  return (
    <ChartFigure
      title={title}
      scope={scope}
      {...(className === undefined ? {} : { className })}
      empty={slices.length === 0 ? 'ไม่มีงานที่ชนะในขอบเขตนี้' : undefined}
      table={{
        caption: `งานที่ชนะตาม${what}`,
        columns: [what, 'งาน', 'มูลค่า (บาท)', ...columns],
        numeric: [1, 2, ...columns.map((_, index) => index + 3)],
        rows: slices.map(({ rows, label, wins, value, cells = [] }) => ({
          key: rows,
          cells: [
            label,
            <OpenRows key="wins" onOpen={() => openRows(rows)} of={label}>
              {countText(wins)}
            </OpenRows>,
            value === null ? <EmptyValue key="value" /> : formatBaht(value),
            ...cells,
          ],
        })),
      }}
    >
      <BarChart
        label={`มูลค่าที่ชนะตาม${what}`}
        rows={slices.slice(0, drawn).map(({ rows, label, wins, value, note }) => ({
          key: rows,
          label,
          value,
          text: value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(value)} บาท`,
          note: note === undefined ? winsText(wins) : `${winsText(wins)} · ${note}`,
          onOpen: () => openRows(rows),
        }))}
      />
      {hidden > 0 && <p className="mt-2 px-2 text-xs text-ink-muted">อีก {countText(hidden)} รายการอยู่ในตาราง</p>}
    </ChartFigure>
  )
}
