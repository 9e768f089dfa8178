import type { TimeAxis } from './chart-time.ts'

type ValueAxisProps = {
  height: number
  ticks: readonly number[]
  at: (value: number) => number
  format: (value: number) => string
}

/** Figures beside a chart, each at its height in pixels. */
export function ValueAxis({ height, ticks, at, format }: ValueAxisProps) {
  return (
    <div aria-hidden className="relative w-14 shrink-0 text-right text-xs text-ink-muted" style={{ height }}>
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute right-0 -translate-y-1/2 whitespace-nowrap tabular-nums"
          style={{ top: at(tick) }}
        >
          {format(tick)}
        </span>
      ))}
    </div>
  )
}

/** Words below a chart, each in the middle of its place in percent. */
export function PlaceAxis({ ticks }: { ticks: TimeAxis['ticks'] }) {
  return (
    <div aria-hidden className="relative mt-1 h-5 text-xs text-ink-muted">
      {ticks.map(({ key, at, text }) => (
        <span key={key} className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: `${at}%` }}>
          {text}
        </span>
      ))}
    </div>
  )
}

/** What is pointed at or reached, in words, for eyes and ears. */
export function ChartReading({ text }: { text: string | undefined }) {
  return (
    <p aria-live="polite" className="mt-1 min-h-6 text-sm">
      {text}
    </p>
  )
}
