import { MONEY_BINS } from '#contract/report/report.ts'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'

/** Where the thumbs of a money slider may stand: 0, the bounds of the histogram's bins below the ceiling, and the ceiling. Baht. */
export function moneyStops(ceiling: number): number[] {
  return [0, ...MONEY_BINS.filter((bound) => bound < ceiling), ceiling]
}

/** Counts for the bars between neighbouring stops; bins past the ceiling fall into the last bar. */
export function barsOf(bins: readonly number[], stops: readonly number[]): number[] {
  const bars = new Array<number>(stops.length - 1).fill(0)
  bins.forEach((count, index) => {
    const bar = Math.min(index, bars.length - 1)
    bars[bar] = (bars[bar] ?? 0) + count
  })
  return bars
}

/** Place of an amount on the slider, 0 … stops.length − 1. Between two stops the scale is logarithmic, below the first it is straight. */
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

/** The range that two thumbs stand for: a thumb at its end of the scale leaves that side open. Undefined when both are. */
export function rangeOfPlaces([from, to]: readonly [number, number], stops: readonly number[]): MoneyRange | undefined {
  const min = from <= 0 ? null : (stops[from] ?? null)
  const max = to >= stops.length - 1 ? null : (stops[to] ?? null)
  return min === null && max === null ? undefined : { min, max }
}

/**
 * The range of one bar. A bar holds its upper bound and not its lower one, so its range begins one satang above: it finds as many projects as
 * the bar counts.
 */
export function rangeOfBar(bar: number, stops: readonly number[]): MoneyRange {
  const below = stops[bar] ?? 0
  const isLast = bar >= stops.length - 2
  return { min: bar === 0 ? null : below + 0.01, max: isLast ? null : (stops[bar + 1] ?? null) }
}

/** Amounts that the axis names, where they are stops: `at` is the place in percent of the axis. */
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

/** The range after a thumb moved; the side whose thumb stayed keeps the amount that was typed, not the nearest stop. */
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
