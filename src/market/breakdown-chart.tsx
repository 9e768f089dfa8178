import type { ReactNode } from 'react'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatKnownBaht } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { BarChart, type ChartBar } from '#src/ui/chart/bar-chart.tsx'
import { ChartFigure } from '#src/ui/chart/chart-figure.tsx'
import { ShowMoreButton } from '#src/ui/show-more-button.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { StatisticProjectsCount } from './statistics-scope/show-project-rows-button.tsx'

export type BreakdownRow = Pick<ChartBar, 'label' | 'tone' | 'aside' | 'note'> & {
  /** Projects that a click on the row opens, such as `method:e_bidding`. */
  readonly rows: string
  readonly n: number
  readonly value: number | null
  /** Name in the table, if it is more than the label. */
  readonly name?: ReactNode
  readonly cells?: readonly ReactNode[]
}

type BreakdownChartProps = {
  title: string
  /** What the rows are, such as a province. */
  column: string
  moreColumns?: readonly string[]
  /** Noun for what `n` counts, e.g. won projects; used in the names of the bars and the table. */
  projects: string
  scope: ReactNode
  rows: readonly BreakdownRow[]
  firstCount?: number
  className?: string
  openRows: (rows: string) => void
}

export function BreakdownChart({
  title,
  column,
  moreColumns = [],
  projects,
  scope,
  rows,
  firstCount,
  className = '',
  openRows,
}: BreakdownChartProps) {
  const { visibleRows, nextCount, showMore } = useShowMore(rows, firstCount)
  return (
    <ChartFigure
      title={title}
      scope={scope}
      className={className}
      empty={rows.length === 0 ? `ไม่มี${projects}ในขอบเขตนี้` : undefined}
      table={{
        caption: `${projects}ตาม${column}`,
        columns: [column, 'งาน', 'มูลค่า (บาท)', ...moreColumns],
        rows: rows.map(({ rows: figure, label, name = label, n, value, cells = [] }) => ({
          key: figure,
          cells: [
            name,
            <StatisticProjectsCount key="n" onOpen={() => openRows(figure)} of={label} count={n} />,
            formatOrUnknown(value, formatBaht),
            ...cells,
          ],
        })),
      }}
    >
      <BarChart
        label={`มูลค่า${projects}ตาม${column}`}
        rows={visibleRows.map(({ rows: figure, label, n, value, note, tone, aside }) => ({
          key: figure,
          label,
          value,
          text: formatKnownBaht(value),
          note: joinParts(`${formatCount(n)} งาน`, note),
          tone,
          aside,
          onOpen: () => openRows(figure),
        }))}
      />
      <ShowMoreButton count={nextCount} onClick={showMore} size="sm" variant="quiet" className="mt-2" />
    </ChartFigure>
  )
}
