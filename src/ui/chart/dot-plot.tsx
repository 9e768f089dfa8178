import { scaleLinear } from 'd3-scale'
import { classNames } from '#src/lib/class-names.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { useChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { buildChartTimeAxis, ChartReadout, ChartTimeAxisLabels, ChartValueAxis } from './chart-axis.tsx'
import { ChartDot } from './chart-dot.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

export type DotPlotPoint = {
  readonly key: string
  readonly at: string
  readonly y: number
  readonly series: ChartColour
  readonly isFilled: boolean
  readonly isFaded?: boolean | undefined
  readonly text: string
  readonly onOpen?: (() => void) | undefined
}

type DotPlotProps = {
  label: string
  points: readonly DotPlotPoint[]
  yDomain: readonly [number, number]
  formatY: (y: number) => string
  bands?: readonly { readonly from: number; readonly to: number; readonly label: string }[]
  /** Horizontal lines, coloured by `tone`. A line without `y` appears only in the legend. */
  lines?: readonly { readonly y: number | undefined; readonly label: string; readonly tone?: ChartColour }[]
}

const HEIGHT = 280
const clamp = (y: number, [least, max]: readonly [number, number]) => Math.min(max, Math.max(least, y))

/**
 * Scatter plot over time with filled and hollow dots. Arrows move in time order; values outside the scale are drawn at
 * its edge.
 */
export function DotPlot({ label, points, yDomain, formatY, bands = [], lines = [] }: DotPlotProps) {
  const isNarrow = useMediaQuery('(width < 48rem)')
  const inOrder = points.toSorted((a, b) => a.at.localeCompare(b.at))
  const walk = useChartRovingFocus(inOrder.length, inOrder.length - 1)
  const axis = buildChartTimeAxis(
    inOrder.map(({ at }) => at),
    isNarrow ? 3 : 7,
  )
  const y = scaleLinear(yDomain, [HEIGHT - 8, 8])
  const activeDot = walk.active === undefined ? undefined : inOrder[walk.active]
  const ticks = y.ticks(5)
  return (
    <div>
      <div className="flex gap-2">
        <ChartValueAxis height={HEIGHT} ticks={ticks} at={y} format={formatY} />
        <div className="min-w-0 flex-1">
          <svg
            width="100%"
            height={HEIGHT}
            role="group"
            aria-label={`${label} ใช้ลูกศรซ้ายขวาอ่านทีละจุดตามเวลา`}
            className="block overflow-visible"
            {...walk.frame}
          >
            {bands.map(({ from, to, label: name }) => (
              <rect
                key={name}
                x="0"
                width="100%"
                y={y(clamp(Math.max(from, to), yDomain))}
                height={Math.abs(y(clamp(from, yDomain)) - y(clamp(to, yDomain)))}
                className="fill-accent-soft"
              />
            ))}
            {ticks.map((tick) => (
              <line key={tick} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className="stroke-line" />
            ))}
            {lines.map((line) =>
              line.y === undefined ? null : (
                <line
                  key={line.label}
                  x1="0"
                  x2="100%"
                  y1={y(clamp(line.y, yDomain))}
                  y2={y(clamp(line.y, yDomain))}
                  className={line.tone === undefined ? 'stroke-ink-muted' : getChartColourClasses(line.tone).stroke}
                  strokeWidth={line.tone === undefined ? 1 : 1.5}
                  strokeDasharray={line.tone === undefined ? '6 5' : '2 3'}
                />
              ),
            )}
            {inOrder.map((point, index) => (
              <ChartDot
                key={point.key}
                mark={walk.mark(index)}
                text={point.text}
                onOpen={point.onOpen}
                at={axis.at(point.at)}
                y={y(clamp(point.y, yDomain))}
                radius={walk.active === index ? 8 : 6}
                strokeWidth={2}
                opacity={point.isFaded && walk.active !== index ? 0.4 : 1}
                tone={point.series}
                isFilled={point.isFilled}
              />
            ))}
          </svg>
          <ChartTimeAxisLabels ticks={axis.ticks} />
        </div>
      </div>
      <ChartReadout text={activeDot?.text} />
      {(bands.length > 0 || lines.length > 0) && (
        <div className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted">
          {lines.map(({ label: name, tone }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <span
                aria-hidden
                className={classNames(
                  'w-4',
                  tone === undefined
                    ? 'border-t-2 border-dashed border-ink-muted'
                    : `h-0.5 ${getChartColourClasses(tone).background}`,
                )}
              />
              {name}
            </span>
          ))}
          {bands.map(({ label: name }) => (
            <span key={name} className="inline-flex items-center gap-1.5">
              <span aria-hidden className="size-3 rounded-sm border border-accent-line bg-accent-soft" />
              {name}
            </span>
          ))}
        </div>
      )}
    </div>
  )
}
