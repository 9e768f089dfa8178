import { scaleLinear } from 'd3-scale'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { ChartValueAxis } from './chart-axis.tsx'
import { CHART_BAND_MARKER_CLASSES, ChartLegend } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { getChartMarkProps } from './chart-target.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

type ColumnChartItem = {
  readonly key: string
  readonly label: string
  readonly value: number | null
  readonly text: string
  readonly line?: number | null | undefined
  readonly lineText?: string | undefined
  /** True if the period has not ended yet; its column is lighter. */
  readonly isOpen?: boolean | undefined
  readonly onOpen?: (() => void) | undefined
}

type ColumnChartProps = {
  label: string
  columns: readonly ColumnChartItem[]
  formatValue: (value: number) => string
  valueLabel?: string
  lineLabel?: string
  isSmall?: boolean
  openLabel?: string
  /** Index of the column at which Tab enters; by default the last one. */
  start?: number
  /** Index of a labelled bin. The labels of bins stand at their left edges and are not part of their texts. */
  labelledBin?: number
  /** Positions of lines and bands count columns: 0 is the left edge of the first column, 1 its right edge. */
  markers?: readonly { readonly at: number; readonly label: string; readonly tone?: ChartColour }[]
  band?: { readonly from: number; readonly to: number; readonly label: string } | undefined
}

const HEIGHT = 160
const MIN_COLUMN_PX = 2
/** Maximum width of a column, percent of the chart, so that a single column does not fill it. */
const MAX_COLUMN_WIDTH = 12
const MAX_LABELS = { wide: 12, narrow: 6 }
/** Maximum total characters of the figures above the columns; more would overlap. */
const MAX_FIGURE_CHARS = { wide: 64, narrow: 36 }

/** Columns for years, months or bins. Arrows move between them, Enter opens the data behind one. */
export function ColumnChart({
  label,
  columns,
  formatValue,
  valueLabel,
  lineLabel,
  isSmall = false,
  openLabel = 'ปียังไม่จบ',
  start = columns.length - 1,
  labelledBin,
  markers = [],
  band,
}: ColumnChartProps) {
  const walk = useChartRovingFocus(columns.length, start)
  const scale = scaleLinear([0, Math.max(1, ...columns.map(({ value }) => value ?? 0))], [0, HEIGHT]).nice(4)
  const hasOnlyIntegers = columns.every(({ value }) => value === null || Number.isInteger(value))
  // Between 0 and 1 a count would get the ticks 0, 0.2 and so on, all printed as 0 or 1.
  const ticks = scale.ticks(4).filter((tick) => !hasOnlyIntegers || Number.isInteger(tick))
  const top = (value: number) => HEIGHT - scale(value)
  const width = 100 / columns.length
  const middle = (index: number) => (index + 0.5) * width
  const lineTop = Math.max(1, ...columns.map(({ line }) => line ?? 0))
  const lineY = (line: number) => HEIGHT - (line / lineTop) * HEIGHT * 0.9
  const activeColumn = walk.active === undefined ? undefined : columns[walk.active]
  const isNarrow = useMediaQuery('(width < 48rem)') || isSmall
  const figures = columns.map(({ value }) => (value === null || value === 0 ? '' : formatValue(value)))
  const hasFigures =
    columns.length * Math.max(0, ...figures.map((text) => text.length)) <=
    MAX_FIGURE_CHARS[isNarrow ? 'narrow' : 'wide']
  const labelEvery = Math.ceil(columns.length / MAX_LABELS[isNarrow ? 'narrow' : 'wide'])
  const isOfBins = labelledBin !== undefined
  const names = columns
    .map(({ key, label: text }, index) => ({ key, at: isOfBins ? index * width : middle(index), text }))
    .filter((_, index) => (index - (labelledBin ?? 0)) % labelEvery === 0)
  const textOf = ({ label: name, text, lineText }: ColumnChartItem) =>
    joinParts(isOfBins ? undefined : name, text, lineText)
  return (
    <div>
      <ChartPlot
        label={`${label} ใช้ลูกศรซ้ายขวาอ่านทีละแท่ง`}
        height={HEIGHT}
        focus={walk}
        aside={<ChartValueAxis height={HEIGHT} ticks={ticks} at={top} format={formatValue} />}
        ticks={names}
        readout={activeColumn && textOf(activeColumn)}
        {...(hasFigures && { className: 'pt-4' })}
      >
        {band && (
          <rect
            data-testid="chart-band"
            x={`${band.from * width}%`}
            y="0"
            width={`${(band.to - band.from) * width}%`}
            height={HEIGHT}
            className="fill-accent-soft"
          />
        )}
        {ticks.map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={top(tick)} y2={top(tick)} className="stroke-line" />
        ))}
        {columns.map((column, index) => (
          <ColumnMark
            key={column.key}
            column={column}
            text={textOf(column)}
            x={index * width}
            width={width}
            height={column.value === null || column.value <= 0 ? 0 : Math.max(MIN_COLUMN_PX, scale(column.value))}
            isActive={walk.active === index}
            mark={walk.mark(index)}
          />
        ))}
        {lineLabel !== undefined &&
          columns.map(({ key, line }, index) => {
            const nextLine = columns[index + 1]?.line
            return line === null || line === undefined ? null : (
              <g key={key} aria-hidden className="pointer-events-none">
                {nextLine !== null && nextLine !== undefined && (
                  <line
                    x1={`${middle(index)}%`}
                    x2={`${middle(index + 1)}%`}
                    y1={lineY(line)}
                    y2={lineY(nextLine)}
                    className="stroke-chart-3"
                    strokeWidth="2"
                  />
                )}
                <circle
                  cx={`${middle(index)}%`}
                  cy={lineY(line)}
                  r="3.5"
                  className="fill-surface stroke-chart-3"
                  strokeWidth="2"
                />
              </g>
            )
          })}
        {markers.map(({ at, label: name, tone }) => (
          <line
            key={name}
            x1={`${at * width}%`}
            x2={`${at * width}%`}
            y1="0"
            y2={HEIGHT}
            className={classNames('pointer-events-none', tone ? getChartColourClasses(tone).stroke : 'stroke-ink')}
            strokeWidth="2"
            strokeDasharray={tone ? undefined : '4 3'}
          />
        ))}
        {hasFigures &&
          columns.map(({ key, value }, index) => (
            <text
              key={key}
              aria-hidden
              x={`${middle(index)}%`}
              y={HEIGHT - Math.max(MIN_COLUMN_PX, scale(value ?? 0)) - 5}
              textAnchor="middle"
              strokeWidth="3"
              paintOrder="stroke"
              className="pointer-events-none fill-ink stroke-surface text-xs tabular-nums"
            >
              {figures[index]}
            </text>
          ))}
      </ChartPlot>
      <ChartLegend
        entries={[
          ...(valueLabel === undefined ? [] : [{ text: valueLabel, markerClasses: 'size-3 rounded-sm bg-chart-1' }]),
          ...(columns.some(({ isOpen }) => isOpen)
            ? [{ text: openLabel, markerClasses: 'size-3 rounded-sm bg-chart-1 opacity-50' }]
            : []),
          ...(lineLabel === undefined
            ? []
            : [{ text: lineLabel, markerClasses: 'size-3 rounded-full border-2 border-chart-3' }]),
          ...markers.map(({ label: text, tone }) => ({
            text,
            markerClasses: tone
              ? `h-3.5 w-0.5 ${getChartColourClasses(tone).background}`
              : 'h-3.5 border-l-2 border-dashed border-ink',
          })),
          ...(band ? [{ text: band.label, markerClasses: CHART_BAND_MARKER_CLASSES }] : []),
        ]}
      />
    </div>
  )
}

type ColumnMarkProps = {
  column: ColumnChartItem
  text: string
  x: number
  width: number
  height: number
  isActive: boolean
  mark: ReturnType<ReturnType<typeof useChartRovingFocus>['mark']>
}

function ColumnMark({ column, text, x, width, height, isActive, mark }: ColumnMarkProps) {
  const { isOpen, onOpen } = column
  const thick = Math.min(width * 0.76, MAX_COLUMN_WIDTH)
  return (
    <g
      {...mark}
      {...getChartMarkProps(onOpen)}
      aria-label={text}
      className={classNames('group outline-none', onOpen && 'cursor-pointer')}
    >
      {/* The full height is a hover target, so that low columns are easy to hit. */}
      <rect
        x={`${x}%`}
        y="0"
        width={`${width}%`}
        height={HEIGHT}
        strokeWidth="2"
        className={classNames(
          'group-focus-visible:stroke-accent-ink',
          isActive ? 'fill-surface-muted' : 'fill-transparent',
        )}
      />
      <rect
        x={`${x + (width - thick) / 2}%`}
        y={HEIGHT - height}
        width={`${thick}%`}
        height={height}
        rx="3"
        className={classNames('fill-chart-1', isOpen && 'opacity-50')}
      />
    </g>
  )
}
