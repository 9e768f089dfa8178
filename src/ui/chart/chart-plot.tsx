import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import type { ChartRovingFocus } from '#src/ui/use-chart-roving-focus.ts'
import { type ChartAxisTick, ChartReadout } from './chart-axis.tsx'

type ChartPlotProps = {
  label: string
  height: number
  focus: ChartRovingFocus
  aside: ReactNode
  ticks: readonly ChartAxisTick[]
  readout: string | undefined
  className?: string
  children: ReactNode
}

export function ChartPlot({ label, height, focus, aside, ticks, readout, className, children }: ChartPlotProps) {
  return (
    <>
      <div className={classNames('flex gap-2', className)}>
        {aside}
        <div className="min-w-0 flex-1">
          <svg
            width="100%"
            height={height}
            role="group"
            aria-label={label}
            className="block overflow-visible"
            {...focus.frame}
          >
            {children}
          </svg>
          <div aria-hidden className="relative mt-1 h-5 text-xs text-ink-muted">
            {ticks.map(({ key, at, text }) => (
              <span key={key} className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: `${at}%` }}>
                {text}
              </span>
            ))}
          </div>
        </div>
      </div>
      <ChartReadout text={readout} />
    </>
  )
}
