import { scaleLinear } from 'd3-scale'
import { ChartValueAxis } from './chart-axis.tsx'
import { ChartDot } from './chart-dot.tsx'
import { CHART_BAND_MARKER_CLASSES, ChartLegend } from './chart-legend.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'
import { useTimePlot } from './use-time-plot.ts'

type DotPlotPoint = {
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

/** Scatter plot over time. Arrows move in time order; values outside the scale are drawn at its edge. */
export function DotPlot({ label, points, yDomain, formatY, bands = [], lines = [] }: DotPlotProps) {
  const { inOrder, focus, readout, axis } = useTimePlot(points, 7)
  const y = scaleLinear(yDomain, [HEIGHT - 8, 8]).clamp(true)
  const ticks = y.ticks(5)
  return (
    <div>
      <ChartPlot
        label={`${label} ใช้ลูกศรซ้ายขวาอ่านทีละจุดตามเวลา`}
        height={HEIGHT}
        focus={focus}
        aside={<ChartValueAxis height={HEIGHT} ticks={ticks} at={y} format={formatY} />}
        ticks={axis.ticks}
        readout={readout}
      >
        {bands.map(({ from, to, label: name }) => (
          <rect
            key={name}
            x="0"
            width="100%"
            y={y(Math.max(from, to))}
            height={Math.abs(y(from) - y(to))}
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
              y1={y(line.y)}
              y2={y(line.y)}
              className={line.tone === undefined ? 'stroke-ink-muted' : getChartColourClasses(line.tone).stroke}
              strokeWidth={line.tone === undefined ? 1 : 1.5}
              strokeDasharray={line.tone === undefined ? '6 5' : '2 3'}
            />
          ),
        )}
        {inOrder.map((point, index) => (
          <ChartDot
            key={point.key}
            mark={focus.mark(index)}
            text={point.text}
            onOpen={point.onOpen}
            at={axis.at(point.at)}
            y={y(point.y)}
            radius={focus.active === index ? 8 : 6}
            strokeWidth={2}
            opacity={point.isFaded && focus.active !== index ? 0.4 : 1}
            tone={point.series}
            isFilled={point.isFilled}
          />
        ))}
      </ChartPlot>
      <ChartLegend
        entries={[
          ...lines.map(({ label: text, tone }) => ({
            text,
            markerClasses:
              tone === undefined
                ? 'w-4 border-t-2 border-dashed border-ink-muted'
                : `h-0.5 w-4 ${getChartColourClasses(tone).background}`,
          })),
          ...bands.map(({ label: text }) => ({ text, markerClasses: CHART_BAND_MARKER_CLASSES })),
        ]}
      />
    </div>
  )
}
