import { classNames } from '#src/lib/class-names.ts'
import { ChartDot } from './chart-dot.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'
import { useTimePlot } from './use-time-plot.ts'

type SwimLaneChartPoint = {
  readonly key: string
  readonly lane: string
  readonly at: string
  /** From 0 to 1, proportional to the area of the dot. */
  readonly size: number
  readonly isFilled: boolean
  readonly tone?: ChartColour | undefined
  readonly text: string
  readonly onOpen?: (() => void) | undefined
}

type SwimLaneChartProps = {
  label: string
  lanes: readonly { readonly key: string; readonly label: string; readonly tone: ChartColour }[]
  points: readonly SwimLaneChartPoint[]
}

const LANE_PX = 56
const MIN_RADIUS = 4
const MAX_RADIUS = { wide: 18, narrow: 10 }

export function SwimLaneChart({ label, lanes, points }: SwimLaneChartProps) {
  const { isNarrow, inOrder, focus, readout, axis } = useTimePlot(points, 8)
  const laneOf = new Map(lanes.map((lane, index) => [lane.key, { ...lane, y: (index + 0.5) * LANE_PX }]))
  const radiusRange = MAX_RADIUS[isNarrow ? 'narrow' : 'wide'] - MIN_RADIUS
  const names = lanes.length > 1 && (
    <ul aria-hidden className="w-24 shrink-0 lg:w-44">
      {lanes.map((lane) => (
        <li key={lane.key} className="flex items-center gap-2" style={{ height: LANE_PX }}>
          <span className={classNames('size-2.5 shrink-0 rounded-full', getChartColourClasses(lane.tone).background)} />
          <span className="line-clamp-2 min-w-0 text-sm">{lane.label}</span>
        </li>
      ))}
    </ul>
  )
  return (
    <div>
      <ChartPlot
        label={`${label} ใช้ลูกศรซ้ายขวาอ่านทีละจุดตามเวลา`}
        height={lanes.length * LANE_PX}
        focus={focus}
        aside={names}
        ticks={axis.ticks}
        readout={readout}
      >
        {[...laneOf.values()].map(({ key, y }) => (
          <line key={key} x1="0" x2="100%" y1={y} y2={y} className="stroke-line-strong" />
        ))}
        {inOrder.map((point, index) => {
          const lane = laneOf.get(point.lane)
          if (!lane) return null
          return (
            <ChartDot
              key={point.key}
              mark={focus.mark(index)}
              text={point.text}
              onOpen={point.onOpen}
              at={axis.at(point.at)}
              y={lane.y}
              radius={MIN_RADIUS + Math.sqrt(Math.min(1, Math.max(0, point.size))) * radiusRange}
              strokeWidth={focus.active === index ? 3 : 1.5}
              fillOpacity={point.isFilled ? 0.75 : 1}
              tone={point.tone ?? lane.tone}
              isFilled={point.isFilled}
            />
          )
        })}
      </ChartPlot>
    </div>
  )
}
