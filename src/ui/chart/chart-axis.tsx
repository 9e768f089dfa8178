import { scaleUtc } from 'd3-scale'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'

const instant = (isoDate: string) => new Date(`${isoDate.slice(0, 10)}T00:00:00Z`)
const DAY_MS = 86_400_000
const EPOCH = '1970-01-01'

/** A label at a position in percent of the chart's width. */
export type ChartAxisTick = { readonly key: string | number; readonly at: number; readonly text: string }
type TimeAxis = { at(isoDate: string): number; readonly ticks: readonly ChartAxisTick[] }

/** Builds a time axis over ISO dates in order, padded, with Thai month ticks in the Buddhist era: `ต.ค. 69`. */
export function buildChartTimeAxis(isoDates: readonly string[], maxTicks: number): TimeAxis {
  const first = instant(isoDates.at(0) ?? EPOCH).getTime()
  const last = instant(isoDates.at(-1) ?? EPOCH).getTime()
  const padding = Math.max(15 * DAY_MS, (last - first) * 0.03)
  const scale = scaleUtc([new Date(first - padding), new Date(last + padding)], [0, 100])
  return {
    at: (isoDate) => scale(instant(isoDate)),
    ticks: scale.ticks(maxTicks).map((tick) => ({ key: tick.getTime(), at: scale(tick), text: tickText(tick) })),
  }
}

function tickText(tick: Date): string {
  const year = String((tick.getUTCFullYear() + 543) % 100).padStart(2, '0')
  const month = THAI_MONTHS[tick.getUTCMonth()]!.short
  return tick.getUTCDate() === 1 ? `${month} ${year}` : `${tick.getUTCDate()} ${month}`
}

type ChartValueAxisProps = {
  height: number
  ticks: readonly number[]
  at: (value: number) => number
  format: (value: number) => string
}

export function ChartValueAxis({ height, ticks, at, format }: ChartValueAxisProps) {
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

export function ChartReadout({ text }: { text: string | undefined }) {
  return (
    <p aria-live="polite" className="mt-1 min-h-6 text-sm">
      {text}
    </p>
  )
}
