import { classNames } from '#src/lib/class-names.ts'
import type { ChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { getChartMarkProps } from './chart-target.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

type ChartDotProps = {
  mark: ReturnType<ChartRovingFocus['mark']>
  text: string
  onOpen: (() => void) | undefined
  at: number
  y: number
  radius: number
  strokeWidth: number
  fillOpacity?: number
  opacity?: number
  tone: ChartColour
  isFilled: boolean
}

export function ChartDot({ mark, text, onOpen, at, y, radius, tone, isFilled, ...svgProps }: ChartDotProps) {
  const { stroke, fill } = getChartColourClasses(tone)
  return (
    <circle
      {...mark}
      {...getChartMarkProps(onOpen)}
      aria-label={text}
      cx={`${at}%`}
      cy={y}
      r={radius}
      {...svgProps}
      className={classNames(
        'outline-none focus-visible:stroke-ink',
        onOpen && 'cursor-pointer',
        stroke,
        isFilled ? fill : 'fill-surface',
      )}
    />
  )
}
