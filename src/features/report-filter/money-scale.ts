import { MONEY_BINS } from '#contract/report.ts'

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
export function rangeOfPlaces(
  [from, to]: readonly [number, number],
  stops: readonly number[],
): { min: number | null; max: number | null } | undefined {
  const min = from <= 0 ? null : (stops[from] ?? null)
  const max = to >= stops.length - 1 ? null : (stops[to] ?? null)
  return min === null && max === null ? undefined : { min, max }
}
