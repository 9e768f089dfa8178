import type { KeyboardEvent } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import type { ChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
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
  const control = onOpen
    ? {
        role: 'button',
        onClick: onOpen,
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key === 'Enter') onOpen()
        },
      }
    : { role: 'img' }
  return (
    <circle
      {...mark}
      {...control}
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
