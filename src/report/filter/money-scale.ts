import { MONEY_BINS } from '#contract/report/report.ts'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'

/** Slider stops in baht: 0, the histogram bin bounds below the ceiling, and the ceiling. */
export function moneyStops(ceiling: number): number[] {
  return [0, ...MONEY_BINS.filter((bound) => bound < ceiling), ceiling]
}

/** Sums histogram bins into bars between adjacent stops; bins above the ceiling count in the last bar. */
export function barsOf(bins: readonly number[], stops: readonly number[]): number[] {
  const bars = new Array<number>(stops.length - 1).fill(0)
  bins.forEach((count, index) => {
    const bar = Math.min(index, bars.length - 1)
    bars[bar] = (bars[bar] ?? 0) + count
  })
  return bars
}

/**
 * Returns the slider position of an amount, 0 … stops.length − 1. Logarithmic between stops, linear below the first.
 */
export function placeOf(baht: number, stops: readonly number[]): number {
  const last = stops.length - 1
  if (baht <= 0) return 0
  const above = stops.findIndex((stop) => stop >= baht)
  if (above === -1) return last
  const low = stops[above - 1] ?? 0
  const high = stops[above] ?? 0
  const share = low === 0 ? baht / high : Math.log(baht / low) / Math.log(high / low)
  return above - 1 + share
}

/** Returns the range between two thumbs; a thumb at its end leaves that side open. Undefined when both are open. */
export function rangeOfPlaces([from, to]: readonly [number, number], stops: readonly number[]): MoneyRange | undefined {
  const min = from <= 0 ? null : (stops[from] ?? null)
  const max = to >= stops.length - 1 ? null : (stops[to] ?? null)
  return min === null && max === null ? undefined : { min, max }
}

/**
 * Returns the range of one bar. A bar includes its upper bound but not its lower one, so the range starts one satang
 * above and matches the bar's count.
 */
export function rangeOfBar(bar: number, stops: readonly number[]): MoneyRange {
  const below = stops[bar] ?? 0
  const isLast = bar >= stops.length - 2
  return { min: bar === 0 ? null : below + 0.01, max: isLast ? null : (stops[bar + 1] ?? null) }
}

/** Axis labels for amounts that are stops; `at` is a percentage of the axis. */
export function axisOf(stops: readonly number[]): { at: number; text: string }[] {
  return AXIS.flatMap(({ baht, text }) => {
    const stop = stops.indexOf(baht)
    return stop === -1 ? [] : [{ at: (stop / (stops.length - 1)) * 100, text }]
  })
}

const AXIS = [
  { baht: 100_000, text: '1 แสน' },
  { baht: 1_000_000, text: '1 ล้าน' },
  { baht: 10_000_000, text: '10 ล้าน' },
  { baht: 100_000_000, text: '100 ล้าน' },
  { baht: 1_000_000_000, text: 'พันล้าน' },
]

/** Returns the range after a thumb moved; the other side retains its typed amount instead of the nearest stop. */
export function mergeTyped(
  next: readonly [number, number],
  before: readonly [number, number],
  range: MoneyRange | undefined,
  stops: readonly number[],
): MoneyRange | undefined {
  const moved = rangeOfPlaces(next, stops)
  const min = next[0] === before[0] ? (range?.min ?? null) : (moved?.min ?? null)
  const max = next[1] === before[1] ? (range?.max ?? null) : (moved?.max ?? null)
  return min === null && max === null ? undefined : { min, max }
}
